import { expect, test } from "vitest";
import { doneText, evidenceText } from "../../../src/report/revision-evidence.ts";
import { spec, usage, World } from "../../rig/world.ts";

const red = { label: "npm test", state: "red", why: "exit 1", tail: "expected 2\nbut was 3\n", durationMs: 5 } as const;
const green = { ...red, label: "npm run build", state: "green", why: "" } as const;

function failing(): World {
  const world = new World([spec("a"), spec("b"), spec("c")]);
  const of = { task: "b", attempt: 1 };
  world.events.push({ type: "attempt-started", ...of, base: "base", role: "executor" });
  const report = {
    status: "infeasible",
    summary: "",
    reason: "there is\n```no API",
    needFiles: [],
    notes: "",
  } as const;
  const ended = { outcome: { kind: "ok" }, reportProblem: null, usage } as const;
  world.events.push({ type: "agent-finished", ...of, ...ended, report });
  const failed = { result: "failed", reason: "check", tip: "base", placed: null, guards: [] } as const;
  world.events.push({ type: "verdict", ...of, ...failed, why: "npm test is red", checks: [red, green] });
  return world;
}

test("a planner is shown why a task could not be done: verdicts, the tails of red checks, the agent's words, its work", () => {
  const { events, state } = failing();
  const work = { text: "+const x = 1;\n", truncated: true };
  const text = evidenceText(state, events, [{ task: "b", why: "3 of 3 attempts failed", work }]);
  expect(text).toContain("## b: b\n\n3 of 3 attempts failed\n");
  expect(text).toContain(
    "### Attempt 1 failed\n\nnpm test is red\n\n```text\nred: npm test (exit 1)\n| expected 2\n| but was 3\n```",
  );
  expect(text).toContain("says: infeasible\n\n````text\nthere is\n```no API\n````");
  expect(text).toContain("```diff\n+const x = 1;\n```\n\nThe change is cut");
  expect(text).not.toContain("npm run build");
  expect(evidenceText(state, events, [{ task: "a", why: "w", work: null }])).not.toContain("npm test");
});

test("ten thousand tasks that ask do not make a text without end", () => {
  const { events, state } = failing();
  const asking = Array.from({ length: 10_000 }, (_, at) => ({ task: `t${at}`, why: "w".repeat(500), work: null }));
  const text = evidenceText(state, events, asking);
  expect(text.length).toBeLessThan(210_000);
  expect(text).toMatch(/… and \d+ more tasks/);
});

test("what is done is named with its commit, also what was satisfied before any work", () => {
  const world = new World([spec("a"), spec("b"), spec("c")]);
  expect(doneText(world.state)).toContain("Nothing is done yet");
  world.add({ type: "attempt-started", task: "a", attempt: 1, base: "base", role: "executor" });
  world.add({ type: "baseline", task: "a", attempt: 1, state: "green", why: "", checks: [] });
  expect(doneText(world.state)).toBe("# What is done\n\n- `a` a: its checks passed before any work\n");
});
