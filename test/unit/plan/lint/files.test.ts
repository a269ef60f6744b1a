import { expect, test } from "vitest";
import { defaultRules } from "../../../../src/plan/rules.ts";
import { absent, contains, exists, lint, plan, task } from "../../../rig/lint.ts";

const missing = (text: string): string => `plans/p/tasks/z.md:4:1: error: missing-file: ${text}`;

test("a path that does not exist cannot be modified or deleted", () => {
  expect(lint([task("z", { files: { modify: ["src/A.ts"], delete: ["src/c.ts"] } })])).toEqual([
    missing(
      "files.modify names src/A.ts, which neither exists at HEAD nor is created by a dependency. Correct the path, or put it under create.",
    ),
    missing(
      "files.delete names src/c.ts, which neither exists at HEAD nor is created by a dependency. Correct the path, or remove the entry.",
    ),
  ]);
  const honest = task("z", { files: { modify: ["src/a.ts", "app/[id]/page.tsx"], delete: ["src/b.ts"] } });
  expect(lint([honest])).toEqual([]);
});

test("a name with brackets is one file, so src/[ab].ts is neither src/a.ts nor src/b.ts", () => {
  expect(lint([task("z", { files: { modify: ["src/[ab].ts"] } })])).toEqual([
    missing(
      "files.modify names src/[ab].ts, which neither exists at HEAD nor is created by a dependency. Correct the path, or put it under create.",
    ),
  ]);
  expect(lint([task("z", { files: { modify: ["src/{a,b}.ts", "src/[a-b].ts"] } })])).toEqual([]);
});

test("what a dependency creates exists, at any distance and in any form", () => {
  for (const files of [{ create: ["new/x.ts"] }, { touch: ["new/x.ts"] }, { create: ["new/**"] }]) {
    const tasks = [task("a", { files }), task("b", { depends: ["a"] })];
    expect(lint([...tasks, task("z", { depends: ["b"], files: { modify: ["new/x.ts"] } })])).toEqual([]);
  }
});

test("what another task creates needs a dependency on it", () => {
  const z = task("z", { files: { modify: ["new.ts"] } });
  expect(lint([task("a", { files: { create: ["new.ts"] } }), z])).toEqual([
    missing("files.modify names new.ts, which does not exist at HEAD; task a makes it. Add a to depends."),
  ]);
});

test("a later task is not suggested as a dependency, because that would be a cycle", () => {
  const z = task("z", { files: { modify: ["new.ts"] } });
  expect(lint([z, task("y", { depends: ["z"], files: { create: ["new.ts"] } })])).toEqual([
    missing(
      "files.modify names new.ts, which neither exists at HEAD nor is created by a dependency. Correct the path, or put it under create.",
    ),
  ]);
});

test("what a dependency deletes is missing, unless it is made again in between", () => {
  const a = task("a", { files: { delete: ["src/a.ts"] } });
  const again = task("b", { depends: ["a"], files: { create: ["src/a.ts"] } });
  const z = task("z", { depends: ["a"], files: { modify: ["src/a.ts"] } });
  expect(lint([a, z])).toEqual([
    missing("files.modify names src/a.ts, which dependency a deletes. Put it under create."),
  ]);
  expect(lint([a, again, task("z", { depends: ["b"], files: { modify: ["src/a.ts"] } })])).toEqual([]);
  expect(lint([a, task("z", { files: { modify: ["src/a.ts"] } })])).toEqual([]);
});

test("a file that exists only in the checkout must be committed", () => {
  const uncommitted = new Set(["new.ts", "fresh/x.ts"]);
  expect(lint([task("z", { files: { modify: ["new.ts"], delete: ["fresh/*"] } })], { uncommitted })).toEqual([
    missing("files.modify names new.ts, which is not committed; a run starts from HEAD. Commit it first."),
    missing(
      "files.delete names fresh/*, which matches only files that are not committed; a run starts from HEAD. Commit them first.",
    ),
  ]);
});

test("a glob must match something that exists or is created before", () => {
  const a = task("a", { files: { create: ["new/x.ts"] } });
  expect(lint([a, task("z", { files: { modify: ["new/*.ts"] } })])).toEqual([
    missing(
      "files.modify names new/*.ts, which matches no file at HEAD and none a dependency creates. Correct it, or depend on the task that creates them.",
    ),
  ]);
  expect(lint([a, task("z", { depends: ["a"], files: { modify: ["new/*.ts", "src/**"] } })])).toEqual([]);
  const wide = task("a", { files: { create: ["new/**"] } });
  expect(lint([wide, task("z", { depends: ["a"], files: { delete: ["new/sub/*.ts"] } })])).toEqual([]);
});

test("what exists cannot be created", () => {
  expect(lint([task("a", { files: { create: ["src/a.ts", "src/**", "src/new.ts"] } })])).toEqual([
    "plans/p/tasks/a.md:4:1: error: file-exists: files.create names src/a.ts, which already exists at HEAD. Put it under modify.",
  ]);
});

test("what a dependency creates cannot be created again", () => {
  const tasks = [task("a", { files: { create: ["x.ts"] } }), task("b", { files: { create: ["x.ts"] } })];
  expect(lint(tasks)).toEqual([]);
  expect(lint([...tasks, task("c", { depends: ["a"], files: { create: ["x.ts"] } })])).toEqual([
    "plans/p/tasks/c.md:4:1: error: file-exists: files.create names x.ts, which dependency a already creates. Put it under modify.",
  ]);
});

test("what a dependency deletes, or only may have created, can be created", () => {
  const a = task("a", { files: { delete: ["src/a.ts"], touch: ["maybe.ts"] } });
  expect(lint([a, task("b", { depends: ["a"], files: { create: ["src/a.ts", "maybe.ts"] } })])).toEqual([]);
});

const nothing = (kind: string, path: string): string =>
  `plans/p/tasks/z.md:9:3: error: check-on-nothing: The ${kind} check looks at ${path}, which neither exists at HEAD nor is in the files of this task or a dependency. Correct the path, or add it to files.`;

test("a check on a file nobody makes can never pass", () => {
  const a = task("a", { files: { create: ["other.ts"] } });
  expect(lint([a, task("z", { checks: [exists("new.ts"), contains("other.ts"), absent("new.ts")] })])).toEqual([
    nothing("exists", "new.ts"),
    nothing("contains", "other.ts"),
  ]);
});

test("files and folders at HEAD, of this task and of dependencies are something", () => {
  const a = task("a", { files: { create: ["made/deep/x.ts"], touch: ["wide/*/y.ts"] } });
  const paths = ["src/a.ts", "docs", "docs/guide/", "app/[id]/page.tsx", "own.ts", "made/deep/x.ts", "made"];
  const checks = [...paths, "wide/1/y.ts", "wide", "src/*.tsx"].map(exists);
  expect(lint([a, task("z", { depends: ["a"], files: { create: ["own.ts"] }, checks })])).toEqual([]);
});

test("a check of the plan may look at what any task makes", () => {
  const tasks = [task("a", { files: { touch: ["new.ts"] } })];
  const checks = [exists("new.ts"), exists("other.ts"), contains("fresh.ts")];
  expect(lint([], { plan: plan(tasks, checks), uncommitted: new Set(["fresh.ts"]) })).toEqual([
    "plans/p/plan.md:9:3: error: check-on-nothing: The exists check looks at other.ts, which neither exists at HEAD nor is in the files of any task. Correct the path, or add it to the files of a task.",
    "plans/p/plan.md:9:3: error: check-on-nothing: The contains check looks at fresh.ts, which is not committed; a run starts from HEAD. Commit it first.",
  ]);
});

const missingInput = (text: string): string =>
  `plans/p/tasks/z.md:3:1: error: missing-input: source_docs names ${text}`;

test("a source document must exist when its task starts", () => {
  expect(lint([task("z", { sourceDocs: ["docs/none.md"] })])).toEqual([
    missingInput(
      "docs/none.md, which neither exists at HEAD nor is created by a dependency. Correct the path, or remove the entry.",
    ),
  ]);
  expect(lint([task("z", { sourceDocs: ["docs/*.pdf"] })])).toHaveLength(1);
  expect(lint([task("z", { sourceDocs: ["new.md"] })], { uncommitted: new Set(["new.md"]) })).toEqual([
    missingInput("new.md, which is not committed; a run starts from HEAD. Commit it first."),
  ]);
});

test("honest: a source document may be a file, a folder, a glob, or what a dependency creates", () => {
  const a = task("a", { files: { create: ["made/spec.md"] } });
  const sourceDocs = ["src/a.ts", "docs/guide/", "docs", "docs/**/*.md", "made/spec.md", "made"];
  expect(lint([a, task("z", { depends: ["a"], sourceDocs })])).toEqual([]);
});

test("forbidden-path: neither secrets nor Stint's own folders may be asked for", () => {
  const strict = { ...defaultRules, forbid: ["vault/**"] };
  const asks = ["keys/*.pem", "vault/a", "{src,plans}/**", ".stint/rules.md"];
  const person = "which no task may change. Remove the entry; only a person may change such a file.";
  const stint = "but no task may change plans/ and .stint/. Remove the entry.";
  expect(lint([task("a", { files: { touch: [...asks, "**", ".env.example"] } })], { rules: strict })).toEqual([
    `plans/p/tasks/a.md:3:1: error: forbidden-path: files names keys/*.pem, ${person}`,
    `plans/p/tasks/a.md:3:2: error: forbidden-path: files names vault/a, ${person}`,
    `plans/p/tasks/a.md:3:3: error: forbidden-path: files names {src,plans}/**, ${stint}`,
    `plans/p/tasks/a.md:3:4: error: forbidden-path: files names .stint/rules.md, ${stint}`,
  ]);
});
