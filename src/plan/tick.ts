import { fail, ok, type Failure, type Result } from "../base/result.ts";
import { splitFrontMatter } from "./front-matter.ts";
import { isOneFile } from "./plan-folder.ts";
import { quoted } from "./problem.ts";
import { findBoxes, type FoundTaskLine } from "./task-lines.ts";
import { decodeText, overwrite } from "./text.ts";

type TickFailure = Failure<"unreadable" | "no-line" | "duplicate-line">;

/** Finds the tasks whose boxes are ticked. As below, `path` says which form the plan has. */
export function tickedTasks(planMd: Uint8Array, path = "plan.md"): Set<string> {
  const read = readLines(planMd, path);
  return new Set(read.ok ? read.value.lines.flatMap(({ id, ticked }) => (ticked ? [id] : [])) : []);
}

/** Ticks the boxes of exactly these tasks, as far as the plan has them, and clears all others. */
export function tickExactly(
  planMd: Uint8Array,
  ids: ReadonlySet<string>,
  path = "plan.md",
): Result<Uint8Array, TickFailure> {
  const read = readLines(planMd, path);
  if (!read.ok) return read;
  const { text, bodyIndex, lines } = read.value;
  const boxes = (isTicked: boolean) =>
    lines.filter(({ id }) => ids.has(id) === isTicked).map(({ boxIndex }) => bodyIndex + boxIndex);
  return ok(overwrite(overwrite(planMd, text, boxes(false), " "), text, boxes(true), "x"));
}

/** Ticks one task in plan.md, or in a plan of one file, by changing one byte, so that comments, spacing and line ends stay as the author left them. */
export function tickTask(planMd: Uint8Array, id: string, path = "plan.md"): Result<Uint8Array, TickFailure> {
  const read = readLines(planMd, path);
  if (!read.ok) return read;
  const { text, bodyIndex, lines } = read.value;
  const [line, second] = lines.filter((candidate) => candidate.id === id);
  if (line === undefined) return fail("no-line", noBox(path, id));
  if (second !== undefined) return fail("duplicate-line", `${path} lists the task ${quoted(id)} twice`);
  return ok(line.ticked ? planMd : overwrite(planMd, text, [bodyIndex + line.boxIndex], "x"));
}

function noBox(path: string, id: string): string {
  return isOneFile(path)
    ? `${path} has no heading "## [ ] ${id}"`
    : `${path} has no line for the task ${quoted(id)} under "## Tasks"`;
}

function readLines(planMd: Uint8Array, path: string): Result<Lines, TickFailure> {
  const decoded = decodeText(path, planMd);
  if ("problem" in decoded) return fail("unreadable", `${path} cannot be ticked: ${decoded.problem.message}`);
  const split = splitFrontMatter(decoded.text);
  if (typeof split === "string") return fail("unreadable", `${path} cannot be ticked: it has no closed front matter`);
  return ok({ text: decoded.text, bodyIndex: split.bodyIndex, lines: findBoxes(split, path) });
}

interface Lines {
  readonly text: string;
  readonly bodyIndex: number;
  readonly lines: readonly FoundTaskLine[];
}
