import { expect, test } from "vitest";
import { foresee, type World } from "../../../../src/plan/lint/world.ts";
import type { Task } from "../../../../src/plan/types.ts";
import { task } from "../../../rig/lint.ts";

const head = new Set(["src/a.ts", "docs/guide/x.md"]);
const worldOf = (...tasks: readonly Task[]): World => foresee(tasks, head, new Set(["fresh.ts"]));

test("without tasks, what HEAD has exists, and nothing else", () => {
  const alone = task("z");
  const world = worldOf(alone);
  expect(world.fate(alone, "src/a.ts")).toEqual({ exists: "yes", by: undefined });
  expect(world.fate(alone, "fresh.ts")).toEqual({ exists: "no", by: undefined });
  expect(world.isUncommitted("fresh.ts")).toBe(true);
  expect(["docs", "docs/guide", "docs/guide/x.md", "doc"].map((path) => world.mayExistBefore(alone, path))).toEqual([
    ...[true, true, true, false],
  ]);
});

test("the last task in order decides, and is named", () => {
  const removes = task("a", { files: { delete: ["src/a.ts"] } });
  const makes = task("b", { depends: ["a"], files: { create: ["src/a.ts"] } });
  const last = task("z", { depends: ["b"] });
  const world = worldOf(removes, makes, last);
  expect(world.fate(makes, "src/a.ts")).toEqual({ exists: "no", by: "a" });
  expect(world.fate(last, "src/a.ts")).toEqual({ exists: "yes", by: "b" });
});

test("two tasks that nothing orders leave it open, and so does one that only may write", () => {
  const removes = task("a", { files: { delete: ["src/a.ts"] } });
  const makes = task("b", { files: { create: ["src/a.ts"], touch: ["maybe.ts"] } });
  const last = task("z", { depends: ["a", "b"] });
  const world = worldOf(removes, makes, last);
  expect(world.fate(last, "src/a.ts")).toEqual({ exists: "maybe", by: undefined });
  expect(world.fate(last, "maybe.ts")).toEqual({ exists: "maybe", by: undefined });
});

test("globs that make files count for paths and globs in their folder, and those that only modify do not", () => {
  const makes = task("a", { files: { create: ["new/**/*.ts"] } });
  const modifies = task("b", { files: { modify: ["other/**"] } });
  const last = task("z", { depends: ["a", "b"] });
  const world = worldOf(makes, modifies, last);
  expect(world.fate(last, "new/deep/x.ts").exists).toBe("maybe");
  expect(world.fate(last, "new/deep/x.py").exists).toBe("no");
  expect(world.fate(last, "other/x.ts").exists).toBe("no");
  expect(["new/sub/*.md", "new/**", "other/*"].map((glob) => world.globFinds(last, glob))).toEqual([true, true, false]);
  expect(world.mayExistAfter(makes, "new")).toBe(true);
});

test("at the end of the plan everything that any task may write may exist", () => {
  const world = worldOf(task("a", { files: { create: ["made/x.ts"] } }), task("z"));
  expect(world.mayExistAfter(undefined, "made/x.ts")).toBe(true);
  expect(world.mayExistAfter(undefined, "made")).toBe(true);
  expect(world.mayExistAfter(task("z"), "made/x.ts")).toBe(false);
  expect(world.mayExistAfter(undefined, "made/y.ts")).toBe(false);
});

test("the creator of a file is suggested unless it comes later, and tasks in a cycle are not ordered", () => {
  const first = task("a");
  const later = task("b", { depends: ["a"], files: { create: ["new.ts"] } });
  const world = worldOf(first, later, task("c"));
  expect(world.creatorOf("new.ts", first)).toBeUndefined();
  expect(world.creatorOf("new.ts", task("c"))).toBe("b");
  const loop = [task("x", { depends: ["y"] }), task("y", { depends: ["x"] })];
  expect(loop.map((one) => worldOf(...loop).isOrdered(one))).toEqual([false, false]);
  expect(world.isOrdered(first)).toBe(true);
});
