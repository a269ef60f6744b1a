import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { codebaseMap } from "../../src/planning/map/codebase-map.ts";
import { openProject, type Project } from "../../src/project/project.ts";
import { planningLimits } from "../../src/planning/limits.ts";
import { expectCode } from "../rig/facts.ts";
import { createRig, type Rig } from "../rig/rig.ts";

const files = {
  "src/money.ts": "export function money(x: number): number {\n  return x;\n}\n",
  "src/cart.ts": 'import { money } from "./money.ts";\nexport function cart() {\n  return money(1);\n}\n',
  "lib/tool.py": "def tool(name):\n    return name\n",
  ".gitignore": "ignored.ts\n",
};

async function projectOf(rig: Rig): Promise<Project> {
  const opened = await openProject(rig.repo, rig.env);
  if (!opened.ok) throw new Error(opened.failure.message);
  return opened.value;
}

function cacheOf({ paths }: Project): string {
  return join(paths.scratch, "map", "facts.jsonl");
}

test("`stint map` prints what the committed code defines, and says on standard error what it counted.", async () => {
  await using rig = await createRig({ files });
  rig.write("ignored.ts", "export const ignored = 1;\n");
  rig.write("src/uncommitted.ts", "export const uncommitted = 1;\n");

  const ended = await rig.stint(["map"]);

  expectCode(ended, 0);
  expect(ended.stdout).toContain(
    "src/cart.ts\n 2 function cart()\nsrc/money.ts\n 1 function money(x: number): number\n",
  );
  expect(ended.stdout).toContain("lib/tool.py\n 1 def tool(name)\n");
  expect(ended.stdout).not.toMatch(/uncommitted|ignored = /);
  const head = rig.git("rev-parse", "HEAD").slice(0, 12);
  expect(ended.stderr).toMatch(
    new RegExp(`^\\d+ of \\d+ files and 3 definitions, about \\d+ tokens, as committed at ${head}\\. `),
  );
});

test("A file that is ignored but tracked is in the map.", async () => {
  await using rig = await createRig({ files });
  rig.write("ignored.ts", "export const ignored = 1;\n");
  rig.git("add", "-f", "ignored.ts");
  rig.commit("Track it all the same");

  expect((await rig.stint(["map"])).stdout).toContain("ignored.ts\n 1 ignored = 1\n");
});

test("With --json, --tokens and --goal the same is told to a program, within the budget.", async () => {
  await using rig = await createRig({ files });

  const ended = await rig.stint(["map", "--json", "--tokens", "70", "--goal", "the tool"]);

  expectCode(ended, 0);
  const made = JSON.parse(ended.stdout) as {
    commit: string;
    files: number;
    filesInAll: number;
    tokens: number;
    text: string;
  };
  expect(made.commit).toBe(rig.git("rev-parse", "HEAD"));
  expect(Buffer.byteLength(made.text)).toBeLessThanOrEqual(70 * planningLimits.mapTokenBytes);
  expect(made.tokens).toBeLessThanOrEqual(70);
  expect(made.filesInAll).toBe(rig.git("ls-files").split("\n").length);
  expect(made.text).toContain("lib/tool.py\n 1 def tool(name)\n");
});

test.each(["0", "-1", "x", "200001", "1.5"])("A budget of %s is bad usage, and the cure is named.", async (tokens) => {
  await using rig = await createRig({ files });

  const ended = await rig.stint(["map", `--tokens=${tokens}`]);

  expectCode(ended, 2);
  expect(ended.stderr).toContain("It must be a whole number from 1 to 200000.");
});

test("A budget of one token gives an empty map, not an error.", async () => {
  await using rig = await createRig({ files });

  const ended = await rig.stint(["map", "--tokens", "1"]);

  expectCode(ended, 0);
  expect(ended.stdout).toBe("");
});

test("Outside a repository the map is refused with the cure.", async () => {
  await using rig = await createRig({ files });

  expectCode(await rig.stint(["map"], { cwd: rig.outside }), 1);
});

test("Names and texts of a repository cannot steer the terminal.", async () => {
  await using rig = await createRig({
    files: { ...files, "src/\u001b[31m.ts": "export const evil = '\u001b]0;x\u0007';\n" },
  });

  const ended = await rig.stint(["map"]);

  expectCode(ended, 0);
  expect(ended.stdout).toContain("src/\\u{1b}[31m.ts\n");
  expect(ended.stdout).not.toContain("\u001b");
});

test("A second map reads no file, and one after a change only what changed; all three agree with a map from nothing.", async () => {
  await using rig = await createRig({ files });
  const project = await projectOf(rig);
  const request = { tokens: 500, goal: "money" };

  const first = await codebaseMap(project, request);
  const second = await codebaseMap(project, request);
  rig.write("src/money.ts", `${files["src/money.ts"]}export const added = 1;\n`);
  rig.commit("Change it");
  const third = await codebaseMap(project, request);
  const old = await codebaseMap(project, { ...request, commit: first.commit });

  expect(first.filesRead).toBe(first.filesInAll);
  expect(second).toEqual({ ...first, filesRead: 0 });
  expect(third.filesRead).toBe(1);
  expect(third.text).toContain(" 4 added = 1\n");
  expect(old.text).toBe(first.text);
});

const damages: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  "cut short": (bytes) => bytes.subarray(0, bytes.length - 30),
  "with one byte changed": (bytes) => Buffer.concat([bytes.subarray(0, 50), Buffer.from("!"), bytes.subarray(51)]),
  empty: () => Buffer.alloc(0),
  "of something else": () => Buffer.from("no map at all\n".repeat(20)),
};

test.each(Object.entries(damages))("What is kept, %s, counts as nothing kept, and is mended.", async (_, damage) => {
  await using rig = await createRig({ files });
  const project = await projectOf(rig);
  const first = await codebaseMap(project, { tokens: 500 });
  writeFileSync(cacheOf(project), damage(readFileSync(cacheOf(project))));

  expect(await codebaseMap(project, { tokens: 500 })).toEqual(first);
  expect((await codebaseMap(project, { tokens: 500 })).filesRead).toBe(0);
  expect(readdirSync(join(project.paths.scratch, "map"))).toEqual(["facts.jsonl"]);
});

test("Where nothing can be kept, the map is made all the same.", async () => {
  await using rig = await createRig({ files });
  const project = await projectOf(rig);
  writeFileSync(join(project.paths.scratch, "map"), "a file in the way");

  expect((await codebaseMap(project, { tokens: 500 })).text).toContain("src/money.ts\n");
});

test("Binary files, links and submodules are left out, and a large file is named with its size.", async () => {
  await using rig = await createRig({ files });
  rig.write("logo.bin", "a\u0000b");
  rig.write("data/large.ts", `export const large = 1;\n${"// much\n".repeat(60_000)}`);
  rig.git("config", "core.symlinks", "true");
  mkdirSync(join(rig.repo, "links"));
  rig.git("update-index", "--add", "--cacheinfo", `120000,${rig.git("rev-parse", "HEAD:lib/tool.py")},links/to`);
  rig.git("update-index", "--add", "--cacheinfo", `160000,${rig.git("rev-parse", "HEAD")},sub`);
  rig.git("add", "logo.bin", "data");
  rig.git("commit", "--quiet", "-m", "More");

  const { text } = await codebaseMap(await projectOf(rig), { tokens: 1_000 });

  expect(text).toContain("data/: large.ts[480 kB]\n");
  expect(text).not.toMatch(/logo|links|sub\b/);
});

test("A map that is called off ends, and keeps nothing.", async () => {
  await using rig = await createRig({ files });
  const project = await projectOf(rig);

  await expect(codebaseMap(project, { tokens: 500, signal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
  expect((await codebaseMap(project, { tokens: 500 })).filesRead).toBeGreaterThan(0);
});
