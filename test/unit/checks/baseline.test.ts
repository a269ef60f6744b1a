import { expect, test } from "vitest";
import { concludeBaseline } from "../../../src/checks/baseline.ts";
import { checkKey, type MechanicalCheck } from "../../../src/checks/checks.ts";
import type { CheckEvidence } from "../../../src/engine/evidence.ts";

const check = (path: string, red = true): MechanicalCheck => {
  return { kind: "exists", path, red, at: { line: 1, column: 1 } };
};
const shows = (state: CheckEvidence["state"], path: string, more: Partial<CheckEvidence> = {}): CheckEvidence => {
  return { key: checkKey(check(path)), label: path, state, why: "no", tail: "", durationMs: 1, ...more };
};

test("One red check is enough to show progress, and the first one is named.", () => {
  const found = concludeBaseline(
    [check("a"), check("b"), check("c")],
    [shows("green", "a"), shows("red", "b"), shows("red", "c")],
  );
  expect(found).toEqual({ state: "red", why: "fails before the work, as expected: b" });
});

test("A broken check outweighs red ones, because nothing that it says can be trusted.", () => {
  expect(concludeBaseline([check("a"), check("b")], [shows("red", "a"), shows("broken", "b")])).toEqual({
    state: "broken",
    why: "a check cannot be run on the base: b: no",
  });
});

test("Checks that are all green prove nothing, and so does a task without checks.", () => {
  const why = "all checks are green before any work, so they prove nothing";
  expect(concludeBaseline([check("a")], [shows("green", "a")])).toEqual({ state: "green", why });
  expect(concludeBaseline([], [])).toEqual({ state: "green", why });
});

test("A check that should be green, and is the only red one, is broken; beside one that may be red it is not asked.", () => {
  const guard = check("b", false);
  expect(concludeBaseline([check("a"), guard], [shows("green", "a"), shows("red", "b")])).toEqual({
    state: "broken",
    why: "a check marked red: false is red before the work, and nothing else is: b",
  });
  expect(concludeBaseline([check("a"), guard], [shows("red", "a"), shows("red", "b")]).state).toBe("red");
});

test("What a reopened task has to fix may be broken by its own doing, unless set-up failed.", () => {
  const { key = "" } = shows("broken", "a");
  const of = (more: Partial<CheckEvidence>) => concludeBaseline([check("a")], [shows("broken", "a", more)], [key]);
  expect(of({})).toEqual({ state: "red", why: "to be fixed: a" });
  expect(of({ cause: "set-up" }).state).toBe("broken");
});
