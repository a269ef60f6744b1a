import { expect, test } from "vitest";
import { changesInWords, diffTasks } from "../../../src/plan/diff.ts";
import type { Plan } from "../../../src/plan/types.ts";

/** A plan of tasks with these texts, by id. */
function planOf(texts: Readonly<Record<string, string>>): Pick<Plan, "tasks"> {
  return { tasks: Object.entries(texts).map(([id, text]) => ({ id, text })) as unknown as Plan["tasks"] };
}

test("tasks are added, changed or removed, in the order of the newer plan with removed ones last", () => {
  const changes = diffTasks(planOf({ gone: "x", same: "y", b: "1" }), planOf({ b: "2", new: "z", same: "y" }));
  expect(changes).toEqual([
    { id: "b", change: "changed" },
    { id: "new", change: "added" },
    { id: "gone", change: "removed" },
  ]);
  expect(changesInWords(changes)).toBe("b changed, new added, gone removed");
});

test("another order of the same tasks changes nothing", () => {
  const changes = diffTasks(planOf({ a: "1", b: "2" }), planOf({ b: "2", a: "1" }));
  expect(changes).toEqual([]);
  expect(changesInWords(changes)).toBe("no task changes");
});
