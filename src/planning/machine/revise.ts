import { splitFrontMatter } from "../../plan/front-matter.ts";
import { planDocuments } from "../../plan/one-file.ts";
import { quoted } from "../../plan/problem.ts";
import { findTaskLines, type FoundTaskLine } from "../../plan/task-lines.ts";
import { decodeText } from "../../plan/text.ts";
import { tickedTasks, tickExactly } from "../../plan/tick.ts";
import type { Plan, PlanFiles } from "../../plan/types.ts";
import type { DraftProblem } from "./assessment.ts";

/** What a planner gets to revise a plan. */
export interface RevisionBriefing {
  /** The current plan, by name inside its folder. */
  readonly plan: ReadonlyMap<string, Uint8Array>;
  /** The tasks that are done, and so stay as they are. */
  readonly done: string;
  /** The attempts so far, and why they failed. */
  readonly evidence: string;
}

/** A plan that is revised, and which of its tasks must not change. */
export interface Standing {
  readonly plan: Plan;
  readonly files: PlanFiles;
  /** Ids of the tasks that are integrated, satisfied, or landing just now. */
  readonly done: ReadonlySet<string>;
}

/** The documents of a plan's folder by name inside it, and what is wrong with them. */
export interface Composed {
  readonly documents: ReadonlyMap<string, Uint8Array>;
  readonly problems: readonly DraftProblem[];
}

/** Composes a new plan, of which nothing is done yet. */
export function composeNew(draft: ReadonlyMap<string, Uint8Array>): Composed {
  return withTicks(draft, new Set(), new Set());
}

/**
 * Composes a revision: a file that the draft does not have stays, a task that its plan.md no longer lists goes, and a task
 * that is done keeps its file and tick, whatever the draft says.
 */
export function composeRevision(draft: ReadonlyMap<string, Uint8Array>, standing: Standing): Composed {
  const old = planDocuments(standing.files, standing.plan.name);
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

/** Returns undefined where no list can be read: then no task counts as removed. */
function listedIn(planMd: Uint8Array | undefined): ReadonlySet<string> | undefined {
  const ids = planMd === undefined ? [] : linesOf(planMd).map(({ id }) => id);
  return ids.length === 0 ? undefined : new Set(ids);
}

function taskOf(name: string): string | undefined {
  return /^tasks\/([^/]+)\.md$/.exec(name)?.[1];
}

function leaveAlone(id: string, file: string, isGone: boolean): DraftProblem {
  const fix = isGone ? ` Keep its line under "## Tasks".` : "";
  return { severity: "error", source: "done", file, line: 1, message: `${id} is done: leave it as it is.${fix}` };
}

/** Ticks exactly the boxes of done tasks; a tick that the planner made is a problem. */
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
