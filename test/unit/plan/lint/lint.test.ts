import { describe, expect, test } from "vitest";
import { lintPlan, type LintInput } from "../../../../src/plan/lint/lint.ts";
import type { Check, Plan, Problem, Rules, Task, TaskFiles } from "../../../../src/plan/types.ts";

const at = { line: 9, column: 3 };

function task(id: string, some: Partial<Omit<Task, "files">> & { files?: Partial<TaskFiles> } = {}): Task {
  return {
    ...{ id, file: `plans/p/tasks/${id}.md`, title: id, depends: [], estimateMs: undefined, complexity: "medium" },
    ...{ skills: [], role: "executor", sourceDocs: [], checks: [], sections: { Goal: "" }, text: "" },
    at: (key) => ({ line: key.length + 1, column: Number(key.at(-1)) + 1 || 1 }),
    ...some,
    files: { create: [], modify: [], delete: [], touch: [], ...some.files },
  };
}

function plan(tasks: readonly Task[], checks: readonly Check[] = []): Plan {
  return {
    ...{ name: "p", dir: "plans/p", title: "P", goal: "P", checks, prerequisites: [], decisions: [], edgeCases: [] },
    ...{ taskLines: [], tasks, at: () => at },
  };
}

const rules: Rules = {
  ...{ protect: [], forbid: [], checks: [], branch: "stint/{plan}", push: "never", remote: "origin" },
  ...{ maxChangedLines: 2000, prose: "" },
};

const exists = (path: string): Check => ({ kind: "exists", path, red: true, at });
const contains = (path: string): Check => ({ kind: "contains", path, text: "x", red: true, at });
const absent = (path: string): Check => ({ kind: "absent", path, red: true, at });
const run = (cwd: string): Check => ({
  ...{ kind: "run", run: "true", timeoutMs: 1, env: {}, cwd, network: false, red: true, at },
});

const repoFiles = new Set(["src/a.ts", "src/b.ts", "app/[id]/page.tsx", "docs/guide/x.md"]);

function lint(tasks: readonly Task[], some: Partial<LintInput> = {}): string[] {
  return lintPlan({ plan: plan(tasks), rules, repoFiles, ...some }).map(show);
}

function show({ file, line, column, severity, code, message }: Problem): string {
  return `${file}:${line}:${column}: ${severity}: ${code}: ${message}`;
}

describe("dependencies", () => {
  test("an unknown id is reported with the nearest one", () => {
    expect(lint([task("01-deps"), task("02-b", { depends: ["01-deps", "01-dep"] })])).toEqual([
      "plans/p/tasks/02-b.md:3:2: error: unknown-dependency: No task has the id 01-dep. Did you mean 01-deps?",
    ]);
    expect(lint([task("a", { depends: ["something-else"] })])).toEqual([
      "plans/p/tasks/a.md:3:1: error: unknown-dependency: No task has the id something-else. Add the task, or remove it from depends.",
    ]);
  });

  test("a task that depends on itself is reported, and the longer cycle beside it", () => {
    expect(lint([task("a", { depends: ["a", "b"] }), task("b", { depends: ["a"] })])).toEqual([
      "plans/p/tasks/a.md:3:1: error: self-dependency: Task a depends on itself. Remove it from depends.",
      "plans/p/tasks/a.md:3:2: error: cycle: Tasks wait for each other: a -> b -> a. Remove one of these dependencies.",
    ]);
  });

  test("a diamond is fine", () => {
    const tasks = [task("a"), task("b", { depends: ["a"] }), task("c", { depends: ["a"] })];
    expect(lint([...tasks, task("d", { depends: ["b", "c"] })])).toEqual([]);
  });

  test("in a cycle, nothing is said about files that might exist by then", () => {
    const a = task("a", { depends: ["b"], files: { modify: ["new.ts"] }, checks: [exists("new.ts")] });
    expect(lint([a, task("b", { depends: ["a"] })])).toHaveLength(1);
  });
});

describe("bad-path", () => {
  test("is found wherever a path may stand", () => {
    const bad = task("a", {
      files: { create: ["/etc/x"], modify: ["../x"], delete: ["src\\x"], touch: ["src/", ".git/config"] },
      sourceDocs: ["docs/guide/", "/tmp/spec.md"],
      checks: [exists("/x"), absent("../y"), contains("a\0"), run("../elsewhere"), run(""), run("."), run("./src/")],
    });
    expect(lint([bad])).toEqual([
      'plans/p/tasks/a.md:3:1: error: bad-path: files: "src/" ends with a slash; write src/** for everything inside.',
      'plans/p/tasks/a.md:3:2: error: bad-path: files: ".git/config" is inside .git, which no task may touch.',
      'plans/p/tasks/a.md:3:2: error: bad-path: source_docs: "/tmp/spec.md" is absolute; write it relative to the repo root.',
      'plans/p/tasks/a.md:4:1: error: bad-path: files.create: "/etc/x" is absolute; write it relative to the repo root.',
      'plans/p/tasks/a.md:4:1: error: bad-path: files.modify: "../x" leaves the repo; a plan may only name files inside it.',
      'plans/p/tasks/a.md:4:1: error: bad-path: files.delete: "src\\x" contains a backslash; separate folders with /.',
      'plans/p/tasks/a.md:9:3: error: bad-path: exists: "/x" is absolute; write it relative to the repo root.',
      'plans/p/tasks/a.md:9:3: error: bad-path: absent: "../y" leaves the repo; a plan may only name files inside it.',
      'plans/p/tasks/a.md:9:3: error: bad-path: contains: "a\0" contains a control character or line separator; remove it.',
      'plans/p/tasks/a.md:9:3: error: bad-path: cwd: "../elsewhere" leaves the repo; a plan may only name files inside it.',
    ]);
  });

  test("is found in the rules and in the checks of the plan", () => {
    const strict = { ...rules, protect: ["/legacy/**", "legacy/**"], forbid: ["!src/**"], checks: [run("/")] };
    expect(lint([], { rules: strict, plan: plan([], [run("..")]) })).toEqual([
      '.stint/rules.md:1:1: error: bad-path: protect: "/legacy/**" is absolute; write it relative to the repo root.',
      '.stint/rules.md:1:1: error: bad-path: forbid: "!src/**" starts with !, which would mean everything else; list the files you mean.',
      '.stint/rules.md:9:3: error: bad-path: cwd: "/" is absolute; write it relative to the repo root.',
      'plans/p/plan.md:9:3: error: bad-path: cwd: ".." leaves the repo; a plan may only name files inside it.',
    ]);
  });
});

describe("missing-file", () => {
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
});

describe("file-exists", () => {
  test("what exists cannot be created", () => {
    expect(lint([task("a", { files: { create: ["src/a.ts", "src/**", "src/new.ts"] } })])).toEqual([
      "plans/p/tasks/a.md:4:1: error: file-exists: files.create names src/a.ts, which already exists at HEAD. Put it under modify.",
    ]);
  });

  test("nor what a dependency creates", () => {
    const tasks = [task("a", { files: { create: ["x.ts"] } }), task("b", { files: { create: ["x.ts"] } })];
    expect(lint(tasks)).toEqual([]);
    expect(lint([...tasks, task("c", { depends: ["a"], files: { create: ["x.ts"] } })])).toEqual([
      "plans/p/tasks/c.md:4:1: error: file-exists: files.create names x.ts, which dependency a already creates. Put it under modify.",
    ]);
  });

  test("what a dependency deletes, or only may have created, can be", () => {
    const a = task("a", { files: { delete: ["src/a.ts"], touch: ["maybe.ts"] } });
    expect(lint([a, task("b", { depends: ["a"], files: { create: ["src/a.ts", "maybe.ts"] } })])).toEqual([]);
  });
});

describe("check-on-nothing", () => {
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
});

test("forbidden-path: neither secrets nor Stint's own folders may be asked for", () => {
  const strict = { ...rules, forbid: ["vault/**"] };
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

test("unknown-role: a role must be one of the roles", () => {
  expect(lint([task("a", { role: "executer" as Task["role"] }), task("b", { role: "judge" })])).toEqual([
    "plans/p/tasks/a.md:2:1: error: unknown-role: No role is called executer. Did you mean executor?",
  ]);
});

test("a plan of 10,000 tasks in a chain is no trouble", () => {
  const tasks = Array.from({ length: 10_000 }, (_, index) =>
    task(`t${index}`, {
      depends: index === 0 ? [] : [`t${index - 1}`],
      files: {
        create: [`src/m${index}/a.ts`, `lib/m${index}/**`],
        modify:
          index === 0 ? ["src/a.ts"] : ["src/a.ts", `src/m${index - 1}/a.ts`, `lib/m${index - 1}/x.ts`, `src/m0/*`],
      },
      checks: [exists(`src/m${index}/a.ts`), contains("src/m0/a.ts")],
    }),
  );
  expect(lint(tasks)).toEqual([]);
});
