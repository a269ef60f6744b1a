import { expect, test } from "vitest";
import { taskFile, usePlan, type Run } from "../../../src/run/run.ts";
import type { Regression } from "../../../src/engine/evidence.ts";
import { spec, World } from "../../rig/world.ts";

const files = { create: [], modify: ["a.txt"], delete: [], touch: [] };

function staged() {
  const world = new World([spec("a")]);
  const plan = { name: "p", tasks: [{ id: "a", files }] };
  return { world, run: { plan, documents: new Map(), state: world.state } as unknown as Run };
}

test("a task is worked on with its own files", () => {
  expect(taskFile(staged().run, "a").files).toBe(files);
});

test("a task that was reopened may also undo what it made", () => {
  const { run, world } = staged();
  world.state.tasks.get("a")!.regressions = [{ key: "k", paths: ["made.txt"] } as unknown as Regression];
  expect(taskFile(run, "a").files).toEqual({
    ...{ create: ["made.txt"], modify: ["a.txt", "made.txt"], delete: ["made.txt"], touch: [] },
  });
});

test("a task that the plan does not have is an internal error that names it", () => {
  expect(() => taskFile(staged().run, "z")).toThrow("expected a task of plan p, but was z");
});

test("another plan takes effect with its documents", () => {
  const { run } = staged();
  const other = { plan: { name: "q", tasks: [] }, documents: new Map([["x", {}]]) } as unknown as Run;
  usePlan(run, other);
  expect([run.plan, run.documents]).toEqual([other.plan, other.documents]);
});
