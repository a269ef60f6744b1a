import type { Spending } from "../engine/session.ts";
import { add } from "../engine/spending.ts";
import { checksLimits } from "../checks/limits.ts";
import { cliLimits } from "./limits.ts";
import { problemLine, type DraftProblem } from "../planning/machine/assessment.ts";
import { roleOf, type PlanningEvent } from "../planning/machine/events.ts";
import { aboutDuration } from "../base/duration.ts";
import { plural } from "../base/plural.ts";
import { usageText } from "../report/render-cost.ts";
import { unreachable } from "../base/result.ts";
import { outcomeText } from "./render-event.ts";
import { lay, type Item, type Look } from "./text-layout.ts";

type EventOf<T extends PlanningEvent["type"]> = Extract<PlanningEvent, { readonly type: T }>;
type Entry = PlanningEvent & { readonly at: string };

/** Renders the events of a planning session one after another, because some make sense only with those before. */
export function planningTeller(
  look: Look,
  {
    agentOf,
    before,
  }: Pick<Known, "agentOf"> & { /** What was used by earlier processes. */ readonly before: Spending },
) {
  let usage = before;
  /** What the next draft has to take into account. */
  let back = "";
  return (entry: Entry): string[] => {
    const time = new Date(entry.at).toTimeString().slice(0, 8);
    if (entry.type === "session-ended") usage = add(usage, entry.usage);
    const told = describe(entry, { usage, back, agentOf, at: Date.parse(entry.at) });
    back = goesBack(entry) ?? back;
    const [first = "", ...more] = lay(
      told.map((item) => ({ ...item, indent: timeColumns })),
      look,
    );
    return [`${time}  ${first.slice(timeColumns)}`, ...more];
  };
}

/** The width of a time and the gap after it; further lines are indented by as much. */
const timeColumns = 10;

interface Known {
  readonly at: number;
  readonly usage: Spending;
  readonly back: string;
  readonly agentOf: (role: "planner" | "reviewer") => string | null;
}

function describe(event: PlanningEvent, known: Known): Pick<Item, "text" | "style">[] {
  switch (event.type) {
    case "planning-started":
      return [{ text: beginText(event) }];
    case "planning-continued":
      return [{ text: `resumed (pid ${event.pid})${event.headless ? " (headless: no questions)" : ""}` }];
    case "mapped":
      return [{ text: `code mapped: ${plural(event.files, "file")}, ${plural(event.symbols, "definition")}` }];
    case "session-started":
      return [{ text: startText(event, known) }];
    case "session-ended":
      return endItems(event, known);
    case "questions-answered":
      return event.answers.map(({ id, answer, assumed }) => {
        const word = answer === "" ? "left open" : answer;
        return { text: `${id}: ${word}${assumed ? " (assumed, not asked)" : ""}` };
      });
    case "draft-assessed":
      return assessedItems(event.problems);
    case "draft-judged":
      return [{ text: judgedTexts[event.word] }];
    case "hand-over-refused":
      // The reason is printed at the end.
      return [{ text: "the plan could not be handed over", style: "red" }];
    case "handed-over":
      return [{ text: handedText(event), style: "green" }];
    case "planning-ended":
      return [{ text: `planning session ended: ${event.words === "" ? event.why : event.words}`, style: "red" }];
    default:
      return unreachable(event);
  }
}

/** A revised plan of a run is written to the run only. */
function handedText({ paths }: EventOf<"handed-over">): string {
  return paths.length === 0 ? "the run has the revised plan" : `written: ${named(paths)}`;
}

const judgedTexts = {
  accept: "draft accepted",
  revise: "your request goes back to the planner",
  edit: "your edit goes back to the planner",
  reject: "draft rejected",
} as const;

function beginText({ plan, base, headless, revises }: EventOf<"planning-started">): string {
  const what = revises === null ? plan : `a revision of ${plan}`;
  return `planning ${what} at ${base.slice(0, 12)}${headless ? " (headless: no questions)" : ""}`;
}

function startText({ phase, session }: EventOf<"session-started">, { back, agentOf }: Known): string {
  const agent = agentOf(roleOf[phase]);
  const given = phase === "draft" && back !== "" ? `, with ${back}` : "";
  return `${phase}: ${roleOf[phase]}${agent === null ? "" : ` (${agent})`} started, session ${session}${given}`;
}

function endItems(event: EventOf<"session-ended">, { usage, at }: Known): Pick<Item, "text" | "style">[] {
  const { phase, outcome, durationMs, problems, dirty } = event;
  const cost = usageText(usage);
  const parts = [
    endText(event, at),
    `after ${aboutDuration(Math.max(1_000, durationMs))}`,
    ...(cost === "" ? [] : [`so far ${cost}`]),
  ];
  const who = roleOf[phase];
  return [
    { text: `${phase}: ${parts.join("; ")}`, ...(outcome.kind !== "ok" && { style: "yellow" as const }) },
    ...problems.map((problem) => ({ text: `ignored: ${problem}`, style: "yellow" as const })),
    ...(dirty.length === 0
      ? []
      : [
          {
            text: `the ${who} changed ${named(dirty)} in its clone; the changes were discarded`,
            style: "yellow" as const,
          },
        ]),
  ];
}

function endText(event: EventOf<"session-ended">, at: number): string {
  const { phase, outcome, questions, hasScope, hasDraft, findings } = event;
  if (outcome.kind !== "ok") return outcomeText(outcome, at, event.program);
  if (phase === "critique")
    return findings === null
      ? "no findings.json, so there is no critique"
      : findings.length === 0
        ? "no findings"
        : plural(findings.length, "finding");
  const left = [
    ...(questions.length === 0 ? [] : [plural(questions.length, "question")]),
    ...(hasScope ? ["scope.md"] : []),
    ...(hasDraft ? ["a draft"] : []),
  ];
  return left.length === 0 ? "produced nothing" : `produced ${left.join(", ")}`;
}

function assessedItems(problems: readonly DraftProblem[]): Pick<Item, "text" | "style">[] {
  if (problems.length === 0) return [{ text: "draft checked: no problems", style: "green" }];
  return [
    { text: `draft checked: ${problemCount(problems)}`, style: "yellow" },
    ...problems.slice(0, cliLimits.draftProblemsShownMax).map((problem) => ({ text: problemLine(problem) })),
    ...(problems.length > cliLimits.draftProblemsShownMax
      ? [{ text: `and ${problems.length - cliLimits.draftProblemsShownMax} more` }]
      : []),
  ];
}

/** Counts problems: "2 errors, 1 warning". */
export function problemCount(problems: readonly DraftProblem[]): string {
  const errors = problems.filter(({ severity }) => severity === "error").length;
  const warnings = problems.length - errors;
  return [
    ...(errors > 0 ? [plural(errors, "error")] : []),
    ...(warnings > 0 ? [plural(warnings, "warning")] : []),
  ].join(", ");
}

/** Says what the next draft is given to work on; undefined if the event does not change that. */
function goesBack(event: PlanningEvent): string | undefined {
  if (event.type === "draft-assessed")
    return event.problems.length === 0 ? "" : `${problemCount(event.problems)} to fix`;
  if (event.type === "draft-judged") return wordsBack[event.word];
  if (event.type !== "session-ended") return undefined;
  if (event.phase !== "critique") return event.hasDraft ? "" : undefined;
  const count = event.findings?.length ?? 0;
  return count === 0 ? undefined : `${plural(count, "finding")} to address`;
}

const wordsBack = { accept: undefined, reject: undefined, revise: "your request", edit: "your edit" } as const;

function named(paths: readonly string[]): string {
  const shown = paths.slice(0, checksLimits.pathsNamedMax);
  return shown.join(", ") + (paths.length > shown.length ? ` and ${paths.length - shown.length} more` : "");
}
