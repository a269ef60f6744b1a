import { expect, test } from "vitest";
import { noSpending } from "../../../src/engine/spending.ts";
import { prose } from "../../../src/report/markdown.ts";
import { renderMarkdown } from "../../../src/report/render-markdown.ts";
import { reportOf } from "../../../src/report/report-of.ts";
import { factsOf, journaled } from "../../rig/report.ts";
import { spec, World } from "../../rig/world.ts";

const world = new World([spec("a")]);
world.events.push({ type: "attempt-started", task: "a", attempt: 1, base: "base", role: "executor" });
world.events.push({ type: "task-blocked", task: "a", attempt: 1, kind: "exhausted", why: "it crashed: exit 1" });
const entries = journaled(world.events);
const report = reportOf(entries, factsOf(entries));

test("why a task is blocked is a sentence of its own, before what to do", () => {
  expect(renderMarkdown(report)).toContain(
    "- Task a is blocked: it crashed: exit 1. See the evidence; then give it new attempts, or do it yourself.\n",
  );
});

test("a moment without a driver is no wait; a second is, and so is whatever a person or a limit caused", () => {
  const undriven = { kind: "undriven", why: "not running", from: 0 };
  const waits = [
    { ...undriven, to: 999 },
    { ...undriven, to: 1000 },
    { kind: "limit", why: "the usage limit", from: 0, to: 10 },
    { kind: "paused", why: "paused by a person", from: 0, to: 20 },
  ];
  const lines = renderMarkdown({ ...report, waits }).split("\n");
  const at = lines.indexOf("## Waits");
  expect(lines.slice(at + 2, at + 6).map((line) => line.replace(/`.*?` [\d.]+ s/, "when"))).toEqual([
    "- when: not running",
    "- when: limit: the usage limit",
    "- when: paused by a person",
    "",
  ]);
  expect(renderMarkdown({ ...report, waits: waits.slice(0, 1) })).not.toContain("## Waits");
});

test("a number is escaped only where it would begin a list", () => {
  expect(["0.02 USD", "1. one", "2)", "3) x"].map((text) => prose(text))).toEqual([
    "0.02 USD",
    "1\\. one",
    "2\\)",
    "3\\) x",
  ]);
});

test("A revision is told with why, which tasks, and by whose word; a new task has its attempts, and one taken out keeps its own.", () => {
  const revised = new World([spec("a"), spec("b")]);
  const started = { attempt: 1, base: "base", role: "executor" } as const;
  const revision = { commit: "c", planHash: "h2", changes: [] };
  const changes = [
    { id: "c", change: "added" },
    { id: "b", change: "removed" },
  ] as const;
  const second = { ...revision, revision: 2, tasks: [spec("a"), spec("c")], changes };
  revised.add({ type: "attempt-started", task: "b", ...started });
  revised.add({ type: "task-blocked", task: "b", attempt: 1, kind: "exhausted", why: "no *speaker*" });
  revised.add({ type: "replan-started", revision: 1, tasks: ["b"] });
  revised.add({ type: "replan-failed", revision: 1, why: "it crashed", outcome: null, usage: noSpending });
  revised.add({ type: "revision-accepted", ...second, by: "Ada" });
  expect(textOf(revised)).toContain(
    "\n- Revision 2, requested by a person: `c` added, `b` removed. Accepted by Ada; it takes effect once",
  );
  expect(textOf(revised)).not.toContain("stint requeue b");
  revised.add({ type: "plan-revised", ...second, by: "Ada" });
  revised.add({ type: "attempt-started", task: "c", ...started });
  revised.add({ type: "replan-proposed", ...second, revision: 3, usage: noSpending });
  revised.add({ type: "revision-dropped", revision: 3, why: "a person refused it" });

  const lines = textOf(revised).split("\n");

  const at = lines.indexOf("## Revisions of the plan");
  expect(lines.slice(at + 2, at + 6).map((line) => line.replace(/ \(`2.*`\)$/, ""))).toEqual([
    "- Revision 1, requested because of `b` (no \\*speaker\\*): Replanning failed: it crashed",
    "- Revision 2, requested by a person: `c` added, `b` removed. Accepted by Ada; in effect",
    "- Revision 3, requested by a person: `c` added, `b` removed. Not in effect: a person refused it",
    "- `b` is no longer part of the plan; it had 1 attempt: `stint log b`",
  ]);
  expect(lines.find((line) => line.startsWith("| ▸ | `c`"))).toMatch(/\| 1 \| [\d.]+ s \|/);
});

test("A run whose plan was not revised has no word of revisions.", () => {
  expect(renderMarkdown(report)).not.toMatch(/revision/i);
});

function textOf({ events }: World): string {
  const journal = journaled(events);
  return renderMarkdown(reportOf(journal, factsOf(journal)));
}
