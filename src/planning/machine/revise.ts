import { splitFrontMatter } from "../../plan/document.ts";
import { readableIn } from "../../plan/plan-folder.ts";
import { quoted } from "../../plan/problem.ts";
import { findTaskLines, type FoundTaskLine } from "../../plan/task-lines.ts";
import { decodeText } from "../../plan/text.ts";
import { tickedTasks, tickExactly } from "../../plan/tick.ts";
import type { Plan, PlanFiles } from "../../plan/types.ts";
import type { DraftProblem } from "./assessment.ts";

/** What a planner gets that revises a plan. */
export interface RevisionBriefing {
  /** As it stands, by name inside its folder. */
  readonly plan: ReadonlyMap<string, Uint8Array>;
  /** Which tasks are done, and so stay as they are. */
  readonly done: string;
  /** What was tried, and why it failed. */
  readonly evidence: string;
}

/** A plan that is revised, and what of it must be left alone. */
export interface Standing {
  readonly plan: Plan;
  readonly files: PlanFiles;
  /** Ids of the tasks that are integrated, satisfied, or landing just now. */
  readonly done: ReadonlySet<string>;
}

/** The documents of a plan's folder by name inside it, and what must not be so. */
export interface Composed {
  readonly documents: ReadonlyMap<string, Uint8Array>;
  readonly problems: readonly DraftProblem[];
}

/** The draft of a new plan: nothing of it is done yet. */
export function composeNew(draft: ReadonlyMap<string, Uint8Array>): Composed {
  return withTicks(draft, new Set(), new Set());
}

/**
 * A revision: what the draft does not have stands as it is, a task that its plan.md does not list any more is gone, and
 * whatever is done stays, file and tick, whatever the draft says.
 */
export function composeRevision(draft: ReadonlyMap<string, Uint8Array>, standing: Standing): Composed {
  const old = readableIn(standing.files, standing.plan.dir);
  const merged = new Map([...old, ...draft]);
  const listed = listedIn(draft.get("plan.md"));
  const problems: DraftProblem[] = [];
  for (const [name, bytes] of old) {
    const id = taskOf(name);
    if (id === undefined) continue;
    const isGone = listed !== undefined && !listed.has(id);
    const isChanged = !Buffer.from(bytes).equals(Buffer.from(merged.get(name) ?? bytes));
    if (standing.done.has(id)) {
      if (isGone || isChanged) problems.push(leaveAlone(id, isGone ? "plan.md" : name, isGone));
      merged.set(name, bytes);
    } else if (isGone && !draft.has(name)) merged.delete(name);
  }
  const ticked = tickedTasks(old.get("plan.md") ?? new Uint8Array());
  const boxes = withTicks(merged, ticked, standing.done);
  return { documents: boxes.documents, problems: [...problems, ...boxes.problems] };
}

/** Undefined where no list can be read: then nothing is taken for removed. */
function listedIn(planMd: Uint8Array | undefined): ReadonlySet<string> | undefined {
  const ids = planMd === undefined ? [] : linesOf(planMd).map(({ id }) => id);
  return ids.length === 0 ? undefined : new Set(ids);
}

function taskOf(name: string): string | undefined {
  return /^tasks\/([^/]+)\.md$/.exec(name)?.[1];
}

function leaveAlone(id: string, file: string, isGone: boolean): DraftProblem {
  const cure = isGone ? ` Keep its line under "## Tasks".` : "";
  return { severity: "error", source: "done", file, line: 1, message: `${id} is done: leave it as it is.${cure}` };
}

/** Makes the boxes of plan.md say what is done, and nothing else; a tick of a planner's own is told back. */
function withTicks(
  documents: ReadonlyMap<string, Uint8Array>,
  ticked: ReadonlySet<string>,
  done: ReadonlySet<string>,
): Composed {
  const planMd = documents.get("plan.md");
  if (planMd === undefined) return { documents, problems: [] };
  const lines = linesOf(planMd);
  const wrong = lines.filter((line) => line.ticked && !ticked.has(line.id) && !done.has(line.id));
  const exact = tickExactly(planMd, ticked);
  const bytes = exact.ok ? exact.value : planMd;
  const problems = wrong.map((line): DraftProblem => {
    const message = `the box of ${quoted(line.id)} is ticked, but it is not done. Write "[ ]": only Stint ticks.`;
    return { severity: "error", source: "done", file: "plan.md", line: line.fileLine, message };
  });
  return { documents: new Map([...documents, ["plan.md", bytes]]), problems };
}

function linesOf(planMd: Uint8Array): (FoundTaskLine & { readonly fileLine: number })[] {
  const decoded = decodeText("plan.md", planMd);
  const split = "text" in decoded ? splitFrontMatter(decoded.text) : "none";
  if (typeof split === "string") return [];
  return findTaskLines(split).lines.map((line) => ({ ...line, fileLine: split.bodyLine + line.number - 1 }));
}

/**
 * Merges the output of a session into the draft that it corrects: a file it wrote replaces the old one, and a task it did
 * not write stays as long as the plan still names it.
 */
export function mergeDraft(
  before: ReadonlyMap<string, Uint8Array>,
  written: ReadonlyMap<string, Uint8Array>,
): ReadonlyMap<string, Uint8Array> {
  const plan = written.get("plan.md");
  const index = plan === undefined ? null : new TextDecoder().decode(plan);
  const kept = [...before].filter(([name]) => index === null || !name.startsWith("tasks/") || index.includes(name));
  return new Map([...kept, ...written]);
}
