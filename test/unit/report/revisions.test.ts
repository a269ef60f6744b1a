import { expect, test } from "vitest";
import { noSpending } from "../../../src/engine/spending.ts";
import { renderMarkdown } from "../../../src/report/render-markdown.ts";
import { reportOf } from "../../../src/report/report-of.ts";
import { factsOf, journaled } from "../../rig/report.ts";
import { spec, World } from "../../rig/world.ts";

test("A revision is listed with why, which tasks, and who accepted it; a new task has its attempts, and one taken out keeps its own.", () => {
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
  expect(lines.find((line) => line.startsWith("| > | `c`"))).toMatch(/\| 1 \| [\d.]+ s \|/);
});

function textOf({ events }: World): string {
  const journal = journaled(events);
  return renderMarkdown(reportOf(journal, factsOf(journal)));
}
