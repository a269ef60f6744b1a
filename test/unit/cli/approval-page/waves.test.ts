import { expect, test } from "vitest";
import { plain } from "../../../../src/cli/paint.ts";
import { renderPage } from "../../../../src/cli/approval-page/render.ts";
import { pageFor } from "../../../rig/page.ts";
import { idOf, manyTasks } from "../../../rig/page-plans.ts";

const look = { width: 80, paint: plain, isUnicode: true };

function graphOf(files: Record<string, string>, lines = renderPage(pageFor({ files }), look)): string[] {
  const from = lines.findIndex((line) => line.startsWith("Waves:"));
  return lines.slice(from, lines.indexOf("", from));
}

test("a plan of one task is a graph of one line", () => {
  expect(graphOf(manyTasks(1, () => []))).toEqual([
    "Waves: 1 task in 1 wave; ◆ is the critical path, 15m",
    "  wave 1  ── ◆ t000     15m",
  ]);
});

test("a hundred tasks are folded to a bar for each wave, and still every command is shown", () => {
  const files = manyTasks(100, (at) => (at < 60 ? [] : [idOf(at - 40)]));
  const lines = renderPage(pageFor({ files }), look);
  expect(graphOf(files, lines)).toEqual([
    "Waves: 100 tasks in 2 waves; ◆ is the critical path, 30m",
    "  wave 1  ████████████████████  60 tasks, 15h  ◆ t020",
    "  wave 2  █████████████         40 tasks, 10h  ◆ t060",
  ]);
  expect(lines.filter((line) => line.startsWith("  runs: grep -q ready"))).toHaveLength(100);
});

test("a long chain is folded to thirty lines", () => {
  const graph = graphOf(manyTasks(118, (at) => (at === 0 ? [] : [idOf(at - 1)])));
  expect(graph).toHaveLength(31);
  expect(graph[1]).toBe("  waves 1-4      ████████████████████  4 tasks, 1h  ◆ t000 … t003 (4)");
  expect(graph.at(-1)).toBe("  waves 117-118  ██████████            2 tasks, 30m  ◆ t116 … t117 (2)");
});

test("a task that waits for many names some in the graph, and all with its own lines", () => {
  const files = manyTasks(8, (at) => (at < 7 ? [] : [0, 1, 2, 3, 4, 5, 6].map(idOf)));
  expect(graphOf(files).at(-1)).toBe("  wave 2  ── ◆ t007     15m  ← t000, t001, t002, t003 and 3 more");
  const lines = renderPage(pageFor({ files }), { ...look, width: 120 });
  expect(lines).toContain("  wave 2, critical path; 15m; after t000, t001, t002, t003, t004, t005, t006");
});
