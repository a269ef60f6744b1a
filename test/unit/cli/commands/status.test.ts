import { expect, test } from "vitest";
import { evidenceIn, renderStatus } from "../../../../src/cli/commands/status.ts";
import { summarise } from "../../../../src/engine/summary.ts";
import { honest, spec, World } from "../../../rig/world.ts";

test("each task has a mark, its effort and its commit; one that cannot start says why", () => {
  const world = new World([spec("01-a"), spec("02-bb", ["01-a"]), spec("03-c", ["02-bb"])]);
  world.go(honest((task) => (task === "02-bb" ? { kind: "crashed", detail: "exit 1" } : { kind: "ok" })));
  const lines = renderStatus({ ...summarise(world.state, false), published: false });
  expect(lines.map((line) => line.slice(0, 12))).toEqual(
    expect.arrayContaining(["  [x] 01-a  ", "  [!] 02-bb ", "  [ ] 03-c  "]),
  );
  expect(lines[0]).toMatch(/^run r: /);
  expect(lines.find((line) => line.includes("[!] 02-bb"))).toMatch(/3 attempts/);
  expect(lines[lines.findIndex((line) => line.includes("[ ] 03-c")) + 1]).toMatch(/^ {13}\S.*02-bb/);
  expect(lines).toContain(`branch stint/p is not at the run's tip ${world.state.tip.slice(0, 12)}`);
});

test("attempts that do not count are not counted with those that do, and a blocked task that asks has the mark of a question", () => {
  const world = new World([spec("01-a"), spec("02-b")]);
  const attempts = { usd: 0, input_tokens: 0, output_tokens: 0 };
  const summary = summarise(world.state, false);
  const [first, second] = summary.tasks;
  const question = { id: "02-b", task: "02-b", about: "blocked", question: "Which?", options: [], files: [] } as const;
  const tasks = [
    { ...first!, state: "blocked", attempts: 7, uncounted: 4, cost: { ...attempts, usd: 0.5 } } as const,
    { ...second!, state: "blocked", attempts: 1, uncounted: 1, reason: "two\nlines" } as const,
  ];
  const evidence = (task: string) =>
    task === "01-a" ? ["red: npm test (exit 1)", "| 1 failed", "log: /x/check-1.log"] : [];
  const lines = renderStatus({ ...summary, tasks, questions: [question] }, { evidence });
  expect(lines.slice(1, 8)).toEqual([
    "  [!] 01-a  01-a (3 attempts, 4 more not counted, 0.50 USD · 0 tokens in, 0 out)",
    "            red: npm test (exit 1)",
    "            | 1 failed",
    "            log: /x/check-1.log",
    "  [?] 02-b  02-b (1 attempt not counted)",
    "            two",
    "            lines",
  ]);
});

test("what runs now is shown with its clock and last words: tasks, and a planner besides them", () => {
  const { state } = new World([spec("01-a")]);
  const row = { title: "a planner revises the plan", tokens: 0, estimateMs: null, elapsedMs: 70_000 };
  const running = [
    { ...row, id: "01-a", attempt: 1, phase: "verifying", line: "npm test, 0:10, last: adds" },
    { ...row, id: "revision 1", attempt: 0, phase: "planning", line: "draft: Two tasks." },
  ];
  expect(renderStatus(summarise(state, true), { running }).slice(1, 5)).toEqual([
    "  [ ] 01-a        01-a",
    "                  verifying, 1:10: npm test, 0:10, last: adds",
    "  [>] revision 1  a planner revises the plan",
    "                  planning, 1:10: draft: Two tasks.",
  ]);
});

test("a run that waits for a time names it where the reader is; as JSON it stays as it was", () => {
  const { state } = new World([spec("01-a")]);
  const until = "2026-11-17T18:52:27.000Z";
  const waits = { ...summarise(state, false), state: "waiting", reason: `limit until ${until}: soon`, until } as const;
  expect(renderStatus(waits)[0]).toBe("run r: waiting (limit until 2026-11-17 18:52:27 +00:00: soon)");
});

test("before a task has landed there is no branch to look at", () => {
  const { state } = new World([spec("01-a")]);
  expect(renderStatus(summarise(state, true))).toContain("nothing on branch stint/p yet");
});

test("the final checks that failed are shown with the end of what they printed and their log, and only while the tip is theirs", () => {
  const world = new World([spec("01-a")]);
  world.go(honest());
  const { tip } = world.state;
  const check = {
    key: "k",
    label: "npm test",
    state: "red",
    why: "exit 1",
    tail: "1 failed\n",
    durationMs: 1,
  } as const;
  const event = {
    type: "final-verified",
    tip,
    ok: false,
    tree: "t",
    checks: [{ ...check, log: "/x/check-1.log" }],
  } as const;
  const shown = (on: string) =>
    renderStatus(summarise(world.state, false), evidenceIn([], { ...world.state, finalVerified: event, tip: on }));
  const lines = shown(tip);
  const at = lines.indexOf("final checks failed:");
  expect(lines.slice(at + 1, at + 4)).toEqual([
    "    red: npm test (exit 1)",
    "    | 1 failed",
    "    log: /x/check-1.log",
  ]);
  expect(shown("another")).not.toContain("final checks failed:");
});
