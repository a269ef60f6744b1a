import { describe, expect, test } from "vitest";
import { adviceOn, type AdvisedTask } from "../../../../rig/advice.ts";

const repoFiles = new Set(["src/index.ts", "src/a.ts", "src/b.ts", "lib/x.ts"]);
const touching = (files: unknown, depends: readonly string[] = []): AdvisedTask => ({ files, depends });
const shared = (tasks: Readonly<Record<string, AdvisedTask>>): string[] => adviceOn({ tasks }, { repoFiles });

describe("shared-files", () => {
  test("two tasks that nothing orders and that touch the same file are named, at the entry of the later one", () => {
    const tasks = {
      a: touching({ create: ["a.ts"], modify: ["src/Index.ts"] }),
      b: touching({ modify: ["src/b.ts", "src/index.ts"] }),
    };
    expect(shared(tasks)).toEqual([
      "b:6:7: shared-files: Tasks a and b may be ready at the same time and both touch src/Index.ts, so one will wait for the other. Add one to depends of the other to choose which comes first.",
    ]);
  });

  test("honest: with a dependency between them, at any distance, nothing is said", () => {
    const index = { modify: ["src/index.ts"] };
    expect(shared({ a: touching(index), b: touching(["b.ts"], ["a"]), c: touching(index, ["b"]) })).toEqual([]);
  });

  test("honest: neighbours in a folder do not meet", () => {
    expect(shared({ a: touching({ modify: ["src/a.ts"] }), b: touching(["src/a.tsx", "src/b.test.ts"]) })).toEqual([]);
  });

  test("several files of the same tasks are one warning, and several tasks of the same file too", () => {
    const both = { modify: ["src/index.ts", "src/a.ts", "src/b.ts", "lib/x.ts"] };
    expect(shared({ a: touching(both), b: touching(both) })).toEqual([
      "b:8:7: shared-files: Tasks a and b may be ready at the same time and both touch lib/x.ts, src/a.ts, src/b.ts and 1 more, so one will wait for the other. Add one to depends of the other to choose which comes first.",
    ]);
    const index = touching({ modify: ["src/index.ts"] });
    expect(shared({ a: index, b: index, c: index, d: index })).toEqual([
      "b:5:7: shared-files: Tasks a, b, c and 1 more may be ready at the same time and all touch src/index.ts, so they will wait for one another. Choose their order with depends.",
    ]);
  });

  test("of a diamond only the sides are named", () => {
    const index = { modify: ["src/index.ts"] };
    const tasks = {
      a: touching(index),
      b: touching(index, ["a"]),
      c: touching(index, ["a"]),
      d: touching(index, ["b", "c"]),
    };
    expect(shared(tasks)).toEqual([expect.stringContaining("Tasks b and c may be ready")]);
  });

  test("a task that claims a folder is warned of everyone who works in it", () => {
    const tasks = {
      wide: touching({ create: ["src/**"] }),
      a: touching(["src/a.ts"]),
      b: touching(["src/b.ts"]),
      c: touching(["lib/c.ts"]),
    };
    expect(shared(tasks)).toEqual([
      "wide:5:7: shared-files: Task wide may touch all of src/, and a and b may be ready at the same time and work there, so they will wait for one another. Name the files, or choose the order with depends.",
    ]);
    expect(shared({ all: touching(["**"]), a: touching(["x.ts"]) })).toEqual([
      "all:4:5: shared-files: Task all may touch everything, and a may be ready at the same time and works there, so they will wait for one another. Name the files, or choose the order with depends.",
    ]);
  });

  test("honest: a glob for files that exist means those that exist", () => {
    expect(shared({ a: touching({ modify: ["src/*.ts"] }), b: touching({ create: ["src/new.ts"] }) })).toEqual([]);
  });

  test("honest: tasks in a cycle, which is an error, and ticked ones never meet", () => {
    const index = { modify: ["src/index.ts"] };
    expect(shared({ a: touching(index, ["b"]), b: touching(index, ["a"]) })).toEqual([]);
    const tasks = { a: touching(index), b: touching(index) };
    expect(adviceOn({ tasks, ticked: ["a"] }, { repoFiles })).toEqual([]);
  });
});
