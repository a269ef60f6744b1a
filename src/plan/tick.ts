import { fail, ok, type Failure, type Result } from "../result.ts";
import { splitFrontMatter } from "./document.ts";
import { quoted } from "./problem.ts";
import { findTaskLines } from "./task-lines.ts";
import { decodeText, overwrite } from "./text.ts";

type TickFailure = Failure<"unreadable" | "no-line" | "duplicate-line">;

/** Ticks one task in plan.md by changing one byte, so that comments, spacing and line ends stay as the author left them. */
export function tickTask(planMd: Uint8Array, id: string): Result<Uint8Array, TickFailure> {
  const decoded = decodeText("plan.md", planMd);
  if ("problem" in decoded) return fail("unreadable", `plan.md cannot be ticked: ${decoded.problem.message}`);
  const split = splitFrontMatter(decoded.text);
  if (typeof split === "string") return fail("unreadable", "plan.md cannot be ticked: it has no closed front matter");
  const [line, second] = findTaskLines(split).lines.filter((candidate) => candidate.id === id);
  if (line === undefined) return fail("no-line", `plan.md has no line for the task ${quoted(id)} under "## Tasks"`);
  if (second !== undefined) return fail("duplicate-line", `plan.md lists the task ${quoted(id)} twice`);
  return ok(line.ticked ? planMd : overwrite(planMd, decoded.text, [split.bodyIndex + line.boxIndex], "x"));
}
