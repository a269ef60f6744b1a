import { describe, expect, test } from "vitest";
import { checkKey } from "../../src/checks/checks.ts";
import { commandCheck } from "../../src/approval/preconditions.ts";
import { checkInFreshRoom } from "../../src/workspace/real-rooms.ts";
import { canLayer } from "../rig/layers.ts";
import { layerWorld, type LayerWorld, type WorldSpec } from "../rig/layer-world.ts";
import { commitAll, sh, tempDir } from "../rig/git.ts";
import { execFileSync } from "node:child_process";

const hasStrace = canTrace();
const files = {
  "src/value.txt": "right\n",
  "src/other.txt": "other\n",
  "tests/run.sh": "grep -q right src/value.txt\n",
  "tests/one.case": "1\n",
  "unrelated/notes.txt": "notes\n",
};
const [wrong, unrelated] = [
  { "src/value.txt": "wrong\n" },
  { "unrelated/notes.txt": "more\n", "unrelated/new.txt": "" },
];

interface Way {
  readonly check: string;
  /** What turns it red. */
  readonly breaks: Record<string, string | null>;
  readonly links?: Record<string, string>;
  readonly world?: Partial<WorldSpec>;
  /** Whether nobody can tell what it reads, so that it is always asked again. */
  readonly isOpaque?: boolean;
}

const none = { "new.case": "x\n" };
const forbidden = { "src/forbidden.txt": "" };

const ways: Record<string, Way> = {
  "a file that is opened": { check: "grep -q right src/value.txt", breaks: wrong },
  "a script, and what it reads": { check: "sh tests/run.sh", breaks: wrong },
  "a name relative to a folder it changed to": { check: "cd src && grep -q right value.txt", breaks: wrong },
  "a name relative to two folders up": { check: "cd tests/../src && grep -q right ../src/./value.txt", breaks: wrong },
  "a folder that a child process changed to": {
    check: "(cd src; test $(wc -c < value.txt) = 6)",
    breaks: { "src/value.txt": "longer\n" },
  },
  "only its size, by stat": { check: "test $(stat -c %s src/value.txt) = 6", breaks: { "src/value.txt": "longer\n" } },
  "a file that must not be there": { check: "! test -e src/forbidden.txt", breaks: forbidden },
  "a folder that must not be there": { check: "! test -d extra", breaks: { "extra/deep/file.txt": "" } },
  "a file that goes": { check: "test -e src/other.txt", breaks: { "src/other.txt": null } },
  "a pattern": { check: 'test "$(echo tests/*.case)" = tests/one.case', breaks: { "tests/two.case": "2\n" } },
  "the names of a folder, by find": {
    check: "test $(find tests -name '*.case' | wc -l) = 1",
    breaks: { "tests/deep/two.case": "2\n" },
  },
  "the top folder": { check: 'test "$(ls *.case 2>/dev/null)" = ""', breaks: none },
  "a tracked link": { check: "grep -q right link/value.txt", breaks: wrong, links: { link: "src" } },
  "a tracked link, by stat alone": {
    check: "test $(stat -L -c %s link/value.txt) = 6",
    breaks: { "src/value.txt": "longer\n" },
    links: { link: "src" },
  },
  "a link that set-up made": {
    check: "test $(stat -L -c %s deps/pkg/value.txt) = 6",
    breaks: { "src/value.txt": "longer\n" },
    world: { setup: "mkdir -p deps && ln -s ../src deps/pkg", inputs: ["lock"], files: { ...files, lock: "1\n" } },
  },
  "a link that set-up left in HOME": {
    check: 'test $(stat -L -c %s "$HOME/.cache/way/value.txt") = 6',
    breaks: { "src/value.txt": "longer\n" },
    world: {
      setup: 'mkdir -p "$HOME/.cache" && ln -s "$PWD/src" "$HOME/.cache/way"',
      inputs: ["lock"],
      files: { ...files, lock: "1\n" },
    },
  },
  "what set-up depends on": {
    check: "grep -q 1 deps/lock",
    breaks: { lock: "2\n" },
    world: { setup: "mkdir -p deps && cp lock deps/lock", inputs: ["lock"], files: { ...files, lock: "1\n" } },
  },
  "a file that it renames first": { check: "mv src/value.txt x && grep -q right x", breaks: wrong },
  "a folder that it copies first": { check: "cp -r src copy && grep -q right copy/value.txt", breaks: wrong },
  "a hard link that it makes": { check: "ln src/value.txt x && grep -q right x", breaks: wrong },
  "a name that is not ASCII": {
    check: "grep -q right 'src/grün \"<x>.txt'",
    breaks: { 'src/grün "<x>.txt': "wrong\n" },
    world: { files: { ...files, 'src/grün "<x>.txt': "right\n" } },
  },
  "node, with many ways to ask": {
    check: `node -e 'const fs = require("fs"); process.chdir("src"); fs.promises.readFile("value.txt", "utf8").then((text) => process.exit(text === "right\\n" ? 0 : 1))'`,
    breaks: wrong,
  },
  "a tracked link that it removes in the end": {
    check: "! test -e link/forbidden.txt && rm link",
    breaks: forbidden,
    links: { link: "src" },
  },
  "a tracked link that it replaces by a folder": {
    check: "! test -e link/forbidden.txt && rm link && mkdir link && touch link/x",
    breaks: forbidden,
    links: { link: "src" },
  },
  "a tracked link that it renames": {
    check: "mv link x && ! test -e x/forbidden.txt && mv x link",
    breaks: forbidden,
    links: { link: "src" },
    isOpaque: true,
  },
  "a hard link of a tracked link": {
    check: "ln -P link x && ! test -e x/forbidden.txt && rm x",
    breaks: forbidden,
    links: { link: "src" },
    isOpaque: true,
  },
  "a name relative to a folder that is gone": {
    check: `node -e 'const fs = require("fs"); const top = process.cwd(); fs.mkdirSync("build"); process.chdir("build"); const isThere = fs.existsSync("../src/forbidden.txt"); process.chdir(top); fs.rmdirSync("build"); process.exit(isThere ? 1 : 0)'`,
    breaks: forbidden,
    isOpaque: true,
  },
  "a name relative to a folder and back": {
    check: `node -e 'const fs = require("fs"); process.chdir("tests"); process.chdir(".."); process.exit(fs.existsSync("src/forbidden.txt") ? 1 : 0)'`,
    breaks: forbidden,
  },
  "a name relative to a folder behind a link of set-up": {
    check: `node -e 'process.chdir("deps/pkg"); process.exit(require("fs").existsSync("forbidden.txt") ? 1 : 0)'`,
    breaks: forbidden,
    world: { setup: "mkdir -p deps && ln -s ../src deps/pkg", inputs: ["lock"], files: { ...files, lock: "1\n" } },
  },
  "a link that it makes by a relative name, and removes": {
    check: `node -e 'const fs = require("fs"); fs.symlinkSync("tmp/data", "way"); const { size } = fs.statSync("way/v.txt"); fs.unlinkSync("way"); process.exit(size === 2 ? 0 : 1)'`,
    breaks: { "tmp/data/v.txt": "longer\n" },
    world: { files: { ...files, "tmp/data/v.txt": "1\n" } },
    isOpaque: true,
  },
  "the interpreter of a script": {
    check: "chmod +x bin/tool && bin/tool || exit 1",
    breaks: { "bin/mysh": null },
    links: { "bin/mysh": "/bin/sh" },
    world: { files: { ...files, "bin/tool": "#!bin/mysh\nexit 0\n" } },
  },
  "whether a folder is empty, by removing it": {
    check: "rm src/value.txt src/other.txt && rmdir src",
    breaks: { "src/new.txt": "" },
    isOpaque: true,
  },
  "a path from an open folder": {
    check: "exec 3<src; test $(stat -L -c %s /dev/fd/3/value.txt) = 6",
    breaks: { "src/value.txt": "longer\n" },
    isOpaque: true,
  },
  "a socket that must not be there": {
    check: `node -e 'require("net").connect("src/forbidden.txt").on("error", ({ code }) => process.exit(code === "ENOENT" ? 0 : 1))'`,
    breaks: forbidden,
  },
  "a file to watch that must not be there": {
    check: `node -e 'try { require("fs").watch("src/forbidden.txt").close(); process.exit(1); } catch { process.exit(0); }'`,
    breaks: forbidden,
  },
  "a path from /proc": { check: "grep -q right /proc/self/cwd/src/value.txt", breaks: wrong, isOpaque: true },
  "a link that it makes into the checkout": {
    check: "ln -s src way && test $(stat -L -c %s way/value.txt) = 6",
    breaks: { "src/value.txt": "longer\n" },
    isOpaque: true,
  },
  "what git says of the commit": { check: "test $(git ls-files | wc -l) -lt 6", breaks: none, isOpaque: true },
};

describe.skipIf(!canLayer || !hasStrace)("a check is asked again if what changed can matter to it", () => {
  test.each(Object.entries(ways))("%s", async (_, way) => {
    const { world, base } = await worldOf(way);
    const check = commandCheck(way.check);
    const stateAt = async (commit: string) => (await ask(world, way.check, commit))?.state;
    expect(await stateAt(base)).toBe("green");
    world.rooms.memory?.landed(base);
    const unread = async (candidate: string) => {
      const request = { checks: [check], onto: base, from: base, to: candidate };
      return (await world.rooms.memory?.unread(request))?.has(checkKey(check));
    };
    const breaking = change(world, base, way.breaks);
    expect(await unread(breaking)).toBe(false);
    // The control: not asked, this would have been taken for green.
    expect(await stateAt(breaking)).toBe("red");
    // The honest twin: what it does not read does not matter.
    expect(await unread(change(world, base, unrelated))).toBe(way.isOpaque !== true);
  });
});

test.skipIf(!canLayer || !hasStrace)("nothing inside a room can reach the tracer or what it writes", async () => {
  const { world, base } = await worldOf({ check: "", breaks: {} });
  const look =
    "cat /proc/[0-9]*/comm | grep -c strace; grep TracerPid /proc/self/status; test ! -e ../trace; ls /stint";
  const found = await ask(world, look, base);
  expect(found?.state).toBe("green");
  expect(found?.tail).toContain("TracerPid:\t0");
  expect(found?.tail).toMatch(/^0\n/);
  expect(found?.tail).not.toContain("trace\n");
});

test.skipIf(!canLayer || !hasStrace)(
  "a check that cannot work while it is watched is asked again without",
  async () => {
    const { world, base } = await worldOf({ check: "", breaks: {} });
    // A second tracer is refused.
    const shy = "strace -o /dev/null true";
    expect((await ask(world, shy, base))?.state).toBe("green");
    world.rooms.memory?.landed(base);
    expect(world.rooms.memory?.canWatch(commandCheck(shy))).toBe(false);
    // Red for its own reasons once, it is asked without all the same.
    const both = "test -e flag && strace -o /dev/null true";
    expect((await ask(world, both, base))?.state).toBe("red");
    expect((await ask(world, both, world.candidate({ flag: "" })))?.state).toBe("green");
    expect(world.rooms.memory?.canWatch(commandCheck("true"))).toBe(true);
  },
);

async function worldOf({ world: spec, links = {} }: Way): Promise<{ world: LayerWorld; base: string }> {
  const world = await layerWorld({ files, ...spec });
  for (const [name, target] of Object.entries(links)) execFileSync("ln", ["-s", target, name], { cwd: world.r.user });
  return { world, base: Object.keys(links).length === 0 ? world.r.base : commitAll(world.r.user) };
}

async function ask({ rooms }: LayerWorld, line: string, commit: string) {
  const check = commandCheck(line);
  const request = { commit, checks: [check], logDir: tempDir(), signal: new AbortController().signal };
  const [found] = await checkInFreshRoom(rooms, { ...request, watch: new Set([checkKey(check)]) });
  return found;
}

function change({ r }: LayerWorld, base: string, changes: Way["breaks"]): string {
  sh(r.user, "checkout", "-q", "--detach", base);
  for (const [name, text] of Object.entries(changes)) {
    if (text === null) execFileSync("rm", [name], { cwd: r.user });
    else execFileSync("sh", ["-c", 'mkdir -p "$(dirname "$0")" && printf %s "$1" > "$0"', name, text], { cwd: r.user });
  }
  return commitAll(r.user);
}

function canTrace(): boolean {
  try {
    execFileSync("strace", ["-o", "/dev/null", "true"]);
    return true;
  } catch {
    process.stdout.write("SKIPPED: what checks read, because strace does not work here\n");
    return false;
  }
}
