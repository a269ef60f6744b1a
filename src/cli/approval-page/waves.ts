import { cliLimits } from "../limits.ts";
import { estimateOf } from "../../plan/shape.ts";
import { aboutDuration } from "../../base/duration.ts";
import { plural } from "../../base/plural.ts";
import { gap, heading, type Item, type Look } from "../text-layout.ts";
import type { Page, PageTask } from "./model.ts";

/** The part of a page that the graph needs. */
export interface Drawn extends Pick<Page, "waves" | "critical_path" | "tasks"> {
  readonly estimate: { readonly time: Pick<Page["estimate"]["time"], "critical_path_ms"> };
}

/** Draws the plan as a small graph: a line for each task below those it waits for, or a bar for each wave where there are many. */
export function waveItems(page: Drawn, { isUnicode }: Pick<Look, "isUnicode">): Item[] {
  const { waves, tasks, estimate } = page;
  if (tasks.length === 0) return [];
  const signs = isUnicode ? drawn : typed;
  const critical = aboutDuration(estimate.time.critical_path_ms);
  const title = `Waves: ${plural(tasks.length, "task")} in ${plural(waves.length, "wave")}; ${signs.critical} is the critical path, ${critical}`;
  const isFolded = tasks.length > cliLimits.wavesTasksShownMax;
  const graph = isFolded ? foldedWaves(page, signs) : taskLines(page, signs);
  return [heading(title), ...graph, gap];
}

interface Signs {
  readonly critical: string;
  readonly other: string;
  readonly only: string;
  readonly first: string;
  readonly middle: string;
  readonly last: string;
  readonly down: string;
  readonly from: string;
  readonly bar: string;
  readonly to: string;
}

const drawn: Signs = {
  critical: "\u25c6",
  other: "\u25cb",
  only: "\u2500\u2500",
  first: "\u250c\u2500",
  middle: "\u251c\u2500",
  last: "\u2514\u2500",
  down: "\u25bc",
  from: "\u2190",
  bar: "\u2588",
  to: "\u2026",
};
const typed: Signs = {
  critical: "*",
  other: "o",
  only: "--",
  first: ",-",
  middle: "|-",
  last: "`-",
  down: "v",
  from: "<-",
  bar: "#",
  to: "...",
};

function taskLines({ waves, tasks }: Drawn, signs: Signs): Item[] {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const idColumns = Math.max(...tasks.map(({ id }) => id.length));
  const wavesColumns = `wave ${waves.length}`.length;
  return waves.flatMap((ids, at) => {
    const title = `wave ${at + 1}`.padEnd(wavesColumns);
    const lines = ids.map((id, row) => {
      const before = row === 0 ? title : " ".repeat(wavesColumns);
      return taskLine(byId.get(id)!, { before: `${before}  ${branch(signs, row, ids.length)} `, idColumns, signs });
    });
    const arrow: Item = { indent: 2, text: `${" ".repeat(wavesColumns)}  ${signs.down}`, style: "dim", ours: true };
    return at === 0 ? lines : [arrow, ...lines];
  });
}

function branch(signs: Signs, row: number, count: number): string {
  if (count === 1) return signs.only;
  if (row === 0) return signs.first;
  return row === count - 1 ? signs.last : signs.middle;
}

function taskLine(
  task: PageTask,
  { before, idColumns, signs }: { readonly before: string; readonly idColumns: number; readonly signs: Signs },
): Item {
  const { id, critical, depends } = task;
  const [shown, others] = [depends.slice(0, dependsShownMax), depends.length - dependsShownMax];
  const more = others > 0 ? ` and ${others} more` : "";
  const from = depends.length === 0 ? "" : `${signs.from} ${shown.join(", ")}${more}`;
  const name = `${critical ? signs.critical : signs.other} ${id.padEnd(idColumns)}`;
  const text = `${before}${name}  ${estimateText(task).padStart(6)}  ${from}`;
  return { indent: 2, text, hang: before.length + 2, ours: true, ...(critical && { style: "bold" as const }) };
}

/** The task's own lines have all of them. */
const dependsShownMax = 4;

/** Writes the estimate of a task; a missing one is assumed, and marked. */
function estimateText({ estimate_ms }: Pick<PageTask, "estimate_ms">): string {
  return estimate_ms === null ? `~${aboutDuration(estimateOf({ estimateMs: undefined }))}` : aboutDuration(estimate_ms);
}

interface Fold {
  readonly name: string;
  readonly count: number;
  readonly ms: number;
  readonly critical: readonly string[];
}

function foldedWaves({ waves, critical_path, tasks }: Drawn, signs: Signs): Item[] {
  const lengthOf = new Map(
    tasks.map(({ id, estimate_ms }) => [id, estimateOf({ estimateMs: estimate_ms ?? undefined })]),
  );
  const onPath = new Set(critical_path);
  const each = Math.ceil(waves.length / cliLimits.wavesLinesMax);
  const folds = Array.from({ length: Math.ceil(waves.length / each) }, (_, at): Fold => {
    const [from, to] = [at * each, Math.min(waves.length, (at + 1) * each)];
    const ids = waves.slice(from, to).flat();
    const ms = ids.reduce((sum, id) => sum + (lengthOf.get(id) ?? 0), 0);
    const name = to - from === 1 ? `wave ${to}` : `waves ${from + 1}-${to}`;
    return { name, count: ids.length, ms, critical: ids.filter((id) => onPath.has(id)) };
  });
  const nameColumns = Math.max(...folds.map(({ name }) => name.length));
  const countMax = Math.max(...folds.map(({ count }) => count));
  return folds.map((fold) => foldLine(fold, { nameColumns, countMax, signs }));
}

function foldLine(
  { name, count, ms, critical }: Fold,
  { nameColumns, countMax, signs }: { readonly nameColumns: number; readonly countMax: number; readonly signs: Signs },
): Item {
  const bar = signs.bar.repeat(Math.max(1, Math.round((count / countMax) * barColumns))).padEnd(barColumns);
  const [first = "", last = first] = [critical[0], critical.at(-1)];
  const path = critical.length < 2 ? first : `${first} ${signs.to} ${last} (${critical.length})`;
  const marked = critical.length === 0 ? "" : `  ${signs.critical} ${path}`;
  const before = `${name.padEnd(nameColumns)}  ${bar}  `;
  const text = `${before}${plural(count, "task")}, ${aboutDuration(ms)}${marked}`;
  return { indent: 2, text, hang: before.length, ours: true };
}

const barColumns = 20;
