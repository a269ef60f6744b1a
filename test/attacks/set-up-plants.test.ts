import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { noSandbox } from "../../src/sandbox/sandbox.ts";
import { furnish, type FurnishResult } from "../../src/workspace/furnished.ts";
import { ann, commitAll, type Rig, rig, sh, write } from "../rig/git.ts";

const files = {
  "tests/test_app.sh": "sh src/app.sh | grep -q RIGHT\n",
  "src/app.sh": "echo WRONG\n",
  "src/build.sh": "mkdir -p gen && echo 1 > gen/version\n",
};
const test_app = files["tests/test_app.sh"];

/** A room of a commit whose own code is run by set-up. */
async function roomOf(r: Rig, commit: string, without?: string): Promise<FurnishResult> {
  const dir = join(r.root, `room-${commit.slice(0, 6)}-${without === undefined ? "alone" : "judged"}`);
  const furniture = { userEnv: process.env, envNames: [], setup: "sh src/build.sh", sandbox: noSandbox };
  const { signal } = new AbortController();
  return await furnish(r.control, furniture, {
    dir,
    commit,
    without,
    branch: null,
    identity: ann,
    logDir: join(dir, "..", "log"),
    signal,
  });
}

function candidate(r: Rig, changes: Record<string, string>): string {
  sh(r.user, "checkout", "-q", "--detach", r.base);
  write(r.user, changes);
  return commitAll(r.user);
}

function treeOf(room: FurnishResult): string {
  if (!room.ok) throw new Error(room.failure.message);
  return room.value.checkout.dir;
}

test("Tests that set-up rewrote or deleted are those of the base again when checks begin.", async () => {
  for (const attack of ["echo true > tests/test_app.sh", "rm -r tests", "rm -r tests; mkdir ../t; ln -s ../t tests"]) {
    const r = await rig(files);
    const evil = candidate(r, { "src/build.sh": `${attack}\n` });
    // The control: what set-up does to a plain checkout.
    sh(r.user, "checkout", "-q", evil);
    execFileSync("sh", ["src/build.sh"], { cwd: r.user });
    expect(existsSync(join(r.user, "tests/test_app.sh")) && sh(r.user, "status", "--porcelain") === "", attack).toBe(
      false,
    );
    rmSync(join(r.root, "t"), { recursive: true, force: true });

    const tree = treeOf(await roomOf(r, evil, r.base));

    expect(readFileSync(join(tree, "tests/test_app.sh"), "utf8"), attack).toBe(test_app);
  }
});

test.each([
  ["tests/conftest.py", "echo 'import os; os._exit(0)' > tests/conftest.py"],
  ["sitecustomize.py", "echo x > sitecustomize.py"],
  ["tests/test_more.py", "echo x > tests/test_more.py"],
  ["pytest.ini", "printf '[pytest]\\naddopts = --co\\n' > pytest.ini"],
  ["GNUmakefile", "printf 'test:\\n\\ttrue\\n' > GNUmakefile"],
  ["node_modules/.bin/vitest", "mkdir -p node_modules/.bin && ln -s ../../src/app.sh node_modules/.bin/vitest"],
])("%s that set-up adds is refused, where set-up does not make it without the work.", async (path, attack) => {
  const r = await rig(files);
  const evil = candidate(r, { "src/build.sh": `${attack}\n` });
  const control = treeOf(await roomOf(r, evil));
  expect(lstatSync(join(control, path), { throwIfNoEntry: false }), "the control").toBeDefined();

  const room = await roomOf(r, evil, r.base);

  expect(room).toEqual({
    ok: false,
    failure: {
      reason: "set-up",
      message: `set-up made ${path}, which can change the result of tests, and does not make it without the work. Change set-up so that it leaves that alone.`,
    },
  });
});

test("What set-up makes without the work, too, may be there, and so may everything else it makes.", async () => {
  const made =
    "cp tests/test_app.sh tests/test_copy.py && mkdir -p node_modules/a node_modules/.bin && echo 1 > node_modules/a/a.test.js && ln -s ../a/cli.js node_modules/.bin/a\n";
  const r = await rig({ ...files, "src/build.sh": made });
  const honest = candidate(r, {
    "src/app.sh": "echo RIGHT\n",
    "src/build.sh": `${made}mkdir -p gen && echo 2 > gen/version\n`,
  });

  const tree = treeOf(await roomOf(r, honest, r.base));

  expect(existsSync(join(tree, "tests/test_copy.py"))).toBe(true);
  expect(existsSync(join(tree, "gen/version"))).toBe(true);
});
