import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { noSandbox } from "../../../src/sandbox/sandbox.ts";
import { layerIn, openLayered } from "../../../src/workspace/layered.ts";
import { pristineTrees } from "../../../src/workspace/pristine.ts";
import type { TrackedFiles } from "../../../src/workspace/tracked-files.ts";
import { snapshot, type Snapshot } from "../../../src/workspace/snapshot.ts";
import { canLayer, inside, layerTools as layers } from "../../rig/layers.ts";
import { ann, at, rig, type Rig, sh, write } from "../../rig/git.ts";
import { diceOf } from "../../rounds/dice.ts";

const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`many/f${n}`, `${n}\n`]));
const files = {
  "a/b/c": "1\n",
  "a/d": "2\n",
  b: "3\n",
  "c/a": "4\n",
  "d/d/d": "5\n",
  ".gitignore": "ignored/\n*.log\n",
  ...many,
};

interface Both {
  readonly layered: Snapshot;
  readonly plain: Snapshot;
}

/** Does the same in a checkout of its own and in a layer, and takes both. */
async function both(r: Rig, tracked: TrackedFiles, script: string): Promise<Both> {
  const checkout = await r.checkout();
  execFileSync("/bin/sh", ["-c", script], { cwd: checkout.dir, stdio: "pipe" });
  const dir = join(r.root, `layer-${Math.random()}`);
  mkdirSync(dir);
  inside(await layerIn(dir, tracked.tree), script);
  const found = await openLayered(dir, { files: tracked, layers });
  const options = { base: r.base, message: "m", identity: ann, at };
  const layered = await snapshot(r.control, found.checkout, {
    ...options,
    ref: `refs/stint/rescue/r/${dir.slice(-9)}/1`,
    below: found.below,
  });
  return { layered, plain: await r.take(checkout) };
}

async function trackedOf(r: Rig): Promise<TrackedFiles> {
  const furniture = { userEnv: process.env, envNames: [], setup: undefined, sandbox: noSandbox };
  const result = await pristineTrees({ control: r.control, furniture, layers, dir: join(r.root, "trees") }).tracked(
    r.base,
  );
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

const scripts: Record<string, string> = {
  nothing: ":",
  "a changed file": "echo x > b",
  "a file written as it was": "cat b > b2; mv b2 b",
  "a file of another mode": "chmod +x a/d",
  "new files, some ignored":
    "mkdir -p ignored new; echo x > ignored/y; echo x > new/y; echo x > new/z.log; echo x > a.log",
  "only ignored files": "mkdir ignored; echo x > ignored/y",
  "a removed file": "rm a/d",
  "a removed folder": "rm -r a",
  "a folder that was removed and made again": "rm -r a; mkdir a; echo x > a/d",
  "a folder in a folder that was removed and made again": "rm -r a; mkdir -p a/b; echo x > a/b/new",
  "an empty folder in the place of one": "rm -r d; mkdir d",
  "a renamed folder": "mv a e",
  "a folder in the place of a file": "rm b; mkdir b; echo x > b/y",
  "a file in the place of a folder": "rm -r a; echo x > a",
  "a link in the place of a folder": "mv a e; ln -s e a",
  "a pipe in the place of a file": "rm b; mkfifo b",
  "names that are not UTF-8, and with line breaks":
    "echo x > \"$(printf 'a/\\\\377')\"; echo y > \"$(printf 'a/x\\\\ny')\"; echo z > 'a/:(glob)*'",
  "a repository inside": "git init -q a/b; git -C a/b -c user.name=a -c user.email=b commit -q --allow-empty -m x",
  "a repository in a new folder":
    "git init -q new; git -C new -c user.name=a -c user.email=b commit -q --allow-empty -m x",
  "a changed list of ignored files":
    "echo many > .gitignore; echo x > many/new; echo x > many/f1; mkdir ignored; echo x > ignored/y",
  "a commit of the agent's own": "echo x > b; git add -A; git -c user.name=a -c user.email=b commit -qm x; rm a/d",
  "everything removed": "rm -rf ./* .gitignore",
  "a folder without rights": "chmod 000 many; echo x > b",
  "more paths than are looked at one by one":
    "rm -r many; i=0; while [ $i -lt 1100 ]; do echo $i > new$i; i=$((i+1)); done",
};

test.skipIf(!canLayer).for(Object.entries(scripts))(
  "a layer shows the same work as a checkout of its own: %s",
  async ([, script]) => {
    const r = await rig(files);
    const { layered, plain } = await both(r, await trackedOf(r), script);
    expect(layered.changes).toEqual(plain.changes);
    expect(layered).toEqual({ ...plain, commit: layered.commit });
  },
);

test.skipIf(!canLayer)("a layer shows the same work as a checkout of its own, whatever is done", async () => {
  const r = await rig(files);
  const tracked = await trackedOf(r);
  for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
    const dice = diceOf(seed);
    const path = () => Array.from({ length: 1 + dice.below(3) }, () => dice.pick(["a", "b", "c", "d"])).join("/");
    const move = () => {
      const [one, two] = [path(), path()];
      return dice.pick([
        `rm -rf ${one}`,
        `rm -rf ${one}; mkdir -p ${one} && echo ${dice.below(9)} > ${one}/d`,
        `mkdir -p ${one}; echo ${dice.below(9)} > ${one}/${dice.pick(["a", "d", "x.log"])}`,
        `[ -f ${one} ] && echo ${dice.below(9)} > ${one}`,
        `mv ${one} ${two}`,
        `cp -r ${one} ${two}`,
        `ln -s d ${one}`,
      ]);
    };
    const script = Array.from({ length: 1 + dice.below(8) }, () => `{ ${move()}; } 2>/dev/null; :`).join("\n");
    const { layered, plain } = await both(r, tracked, script);
    expect(layered.changes, `seed ${seed}: ${script}`).toEqual(plain.changes);
    expect(layered.tree).toBe(plain.tree);
  }
});

test.skipIf(!canLayer)(
  "files of submodules are below the layer: a change of one is a problem, a new file is not",
  async () => {
    const r = await rig(files);
    const lent = join(r.root, "lent");
    mkdirSync(lent);
    sh(lent, "init", "-q");
    write(lent, { "lib.c": "1\n" });
    sh(lent, "add", "-A");
    sh(lent, "commit", "-q", "-m", "lib");
    sh(r.user, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", lent, "lib");
    sh(r.user, "commit", "-q", "-m", "submodule");
    const base = sh(r.user, "rev-parse", "HEAD");
    const again = { ...r, base };
    const tracked = await trackedOf(again);
    const checkout = async (script: string) => {
      const dir = join(r.root, `layer-${Math.random()}`);
      mkdirSync(dir);
      inside(await layerIn(dir, tracked.tree), script);
      const found = await openLayered(dir, { files: tracked, layers });
      const ref = `refs/stint/rescue/r/${dir.slice(-9)}/1`;
      return await snapshot(r.control, found.checkout, {
        base,
        message: "m",
        identity: ann,
        at,
        ref,
        below: found.below,
      });
    };
    expect(await checkout("cat lib/lib.c; touch lib/lib.c; echo x > lib/new; echo y > b")).toMatchObject({
      problems: [],
      empty: false,
    });
    expect((await checkout("echo 2 > lib/lib.c")).problems).toMatchObject([{ kind: "submodule", path: "lib" }]);
    expect((await checkout("rm lib/lib.c")).problems).toMatchObject([{ kind: "submodule", path: "lib" }]);
    expect((await checkout("rm -r lib")).problems).toMatchObject([{ kind: "submodule", path: "lib" }]);
  },
);
