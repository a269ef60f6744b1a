import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { codebaseMap } from "../../src/planning/map/codebase-map.ts";
import type { Project } from "../../src/project/project.ts";
import { projectOf } from "../rig/drafts.ts";
import { createRig } from "../rig/rig.ts";

const files = {
  "src/money.ts": "export function money(x: number): number {\n  return x;\n}\n",
  "src/cart.ts": 'import { money } from "./money.ts";\nexport function cart() {\n  return money(1);\n}\n',
  "lib/tool.py": "def tool(name):\n    return name\n",
};

function cacheOf({ paths }: Project): string {
  return join(paths.scratch, "map", "facts.jsonl");
}

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

test.each(Object.entries(damages))("What is kept, %s, counts as nothing kept, and is replaced.", async (_, damage) => {
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
