import { expect, test } from "vitest";
import type { RunEvent, RunSettings } from "../../../../src/engine/events.ts";
import type { Report } from "../../../../src/engine/session.ts";
import type { Run } from "../../../../src/run/run.ts";
import { settleScope } from "../../../../src/run/steps/scope.ts";
import { spec, usage, World } from "../../../rig/world.ts";

const of = { task: "a", attempt: 1 };
const files = { create: [], modify: ["a.txt"], delete: [], touch: [] };

/** A session of task `a` asks for more files; returns the event that settles it. */
function settle(policy: RunSettings["scopeRequests"], before: readonly RunEvent[] = []) {
  const world = new World([spec("a", [], files), spec("b", [], { ...files, modify: ["b.txt"] })], {
    scopeRequests: policy,
  });
  for (const event of before) world.add(event);
  world.add({ type: "attempt-started", ...of, base: "base", role: "executor" });
  const report: Report = { status: "done", summary: "I need it", reason: "", needFiles: ["b.txt"], notes: "" };
  world.add({ type: "agent-finished", ...of, outcome: { kind: "ok" }, report, reportProblem: null, usage });
  const task = (id: string) => ({ id, checks: [], files: { ...files, modify: [`${id}.txt`] } });
  const run = {
    plan: { name: "p", tasks: [task("a"), task("b")], checks: [] },
    rules: { protect: [], forbid: [], checks: [] },
    setup: "",
    state: world.state,
    append: (event: RunEvent) => world.add(event),
  } as unknown as Run;
  settleScope(run, "a");
  return world.events.at(-1);
}

test("the settings answer a request for a plain file", () => {
  expect(settle("grant")).toMatchObject({ type: "scope-decided", ...of, files: ["b.txt"], granted: true });
  expect(settle("refuse")).toMatchObject({ type: "scope-decided", granted: false });
});

test("otherwise a person is asked, in the agent's words", () => {
  const event = settle("ask");
  expect(event).toMatchObject({ type: "question", ...of });
  expect(JSON.stringify(event)).toContain("I need it");
});

test("a file of a task that a person does by hand is not granted without asking", () => {
  expect(settle("grant", [{ type: "task-taken", task: "b", command: "1" }])?.type).not.toBe("scope-decided");
});
