import { expect, test } from "vitest";
import { renderProgress } from "../../../src/report/progress.ts";
import { honest, spec, World } from "../../rig/world.ts";

test("progress has a line for each task: done with its commit, blocked with why, others with what they wait for", () => {
  const world = new World([spec("a"), spec("bad"), spec("after", ["bad"])]);
  world.go(honest((task) => (task === "bad" ? { kind: "crashed", detail: "exit [1]" } : { kind: "ok" })));
  const lines = renderProgress(world.state, "2026-11-16T12:00:00Z").split("\n");
  expect(lines).toEqual([
    "# p",
    "",
    "Plan `p`, run `r`, `2026-11-16 12:00:00 +00:00`: waiting: blocked: bad",
    "",
    "1 of 3 tasks on `stint/p`, 1 blocked.",
    "",
    `- [x] \`a\` a: \`${world.state.tip.slice(0, 12)}\``,
    "- [ ] `bad` bad: **blocked**: 3 of 3 attempts failed; the last: the session crashed: exit \\[1\\]",
    "- [ ] `after` after: waits for bad (blocked)",
    "",
  ]);
});

test("a task that has not started and waits for nothing has no reason", () => {
  const { state } = new World([spec("a")]);
  expect(renderProgress(state, "now").split("\n")).toContain("- [ ] `a` a");
});
