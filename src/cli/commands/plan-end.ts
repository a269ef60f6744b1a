import { join } from "node:path";
import { exitCodes } from "../../engine/exit-code.ts";
import type { Outcome } from "../../engine/session.ts";
import type { OpenedPlanning } from "../../planning/open-planning.ts";
import type { PlanningEnd } from "../../planning/planning-session.ts";
import { openQuestions } from "../../planning/machine/state.ts";
import { plural } from "../../base/plural.ts";
import { unreachable } from "../../base/result.ts";
import { refuse, type Io } from "../io.ts";
import { questionFacts } from "../dialog/ask.ts";
import { lay, linesLookOf } from "../text-layout.ts";
import { problemItem } from "../approval-page/draft.ts";
import { problemCount } from "../render-planning.ts";

interface Ended {
  readonly opened: OpenedPlanning;
  readonly end: PlanningEnd;
  /** Prints what a person should do next. */
  readonly tell: (line: string) => void;
}

/** Prints where a planning session stopped and what to type next, and returns the exit code. */
export function concludePlanning(io: Io, ended: Ended): number {
  const { opened, end } = ended;
  const resume = `stint plan --continue ${opened.plan}`;
  switch (end.kind) {
    case "handed-over":
      return handedOver(io, ended, end);
    case "waits":
      return end.for === "answers" ? waitsForAnswers(io, opened, resume) : waitsForWord(io, opened, resume);
    case "rejected":
      return refuse(
        io,
        exitCodes.person,
        `the draft was rejected, and no plan was written. It is still in ${opened.folder}.`,
      );
    case "interrupted":
      return refuse(io, exitCodes.interrupted, `interrupted; nothing is lost. Resume: \`${resume}\``);
    case "failed":
      return refuse(
        io,
        failureCode(end.outcome),
        `no plan: ${sentence(end.why)}\nEverything so far is in ${opened.folder}. Resume: \`${resume}\``,
      );
    default:
      return unreachable(end);
  }
}

function handedOver(io: Io, { opened, tell }: Ended, end: Extract<PlanningEnd, { kind: "handed-over" }>): number {
  const { plan } = opened;
  if ((opened.state.revises?.run ?? null) !== null) {
    tell(`The run of ${plan} has the revised plan. If it is not running: \`stint resume ${plan}\``);
    return exitCodes.done;
  }
  const errors = end.problems.filter(({ severity }) => severity === "error");
  for (const line of lay(end.problems.map(problemItem), linesLookOf(io))) io.err(line);
  tell(`The plan is in plans/${plan} (not committed).`);
  const open = end.problems.filter(({ source }) => source === "open");
  if (errors.length === 0 && open.length > 0) return leftOpen(io, plan, open.length);
  if (errors.length === 0) {
    tell(`Read and approve it: \`stint approve ${plan}\``);
    return exitCodes.done;
  }
  const cure = `Fix ${errors.length === 1 ? "it" : "them"}, or let the planner do it: \`stint plan --revise "…" ${plan}\`. Then: \`stint approve ${plan}\``;
  return refuse(io, exitCodes.person, `${problemCount(errors)} left in the plan. ${cure}`);
}

/** Such a plan cannot be approved, and nothing can be assumed without a recommendation or an option. */
function leftOpen(io: Io, plan: string, count: number): number {
  const cure = `Give ${count === 1 ? "it" : "each"} an answer in plans/${plan}/plan.md. Then: \`stint approve ${plan}\``;
  return refuse(io, exitCodes.person, `${plural(count, "decision")} left open that only you can make. ${cure}`);
}

function waitsForAnswers(io: Io, { state, folder }: OpenedPlanning, resume: string): number {
  const open = openQuestions(state);
  for (const line of lay(open.flatMap(questionFacts), linesLookOf(io))) io.err(line);
  const message = [
    `${plural(open.length, "question")} for you, in ${join(folder, "questions.json")}`,
    `Answer in a terminal: \`${resume}\``,
    `or one by one: \`${resume} --answer ${open[0]?.id ?? "<id>"}="…"\``,
    `or let the planner decide: \`${resume} --headless\``,
  ];
  return refuse(io, exitCodes.person, message.join("\n"));
}

function waitsForWord(io: Io, { folder }: OpenedPlanning, resume: string): number {
  const message = [
    `the draft is waiting for your review: ${join(folder, "draft")}`,
    `Review it in a terminal: \`${resume}\``,
    `or accept it as it is: \`${resume} --headless\``,
  ];
  return refuse(io, exitCodes.person, message.join("\n"));
}

/** Reasons come as phrases or as whole sentences. */
function sentence(why: string): string {
  return /[.!?…]$/.test(why.trimEnd()) ? why.trimEnd() : `${why}.`;
}

/** A limit passes by itself; everything else needs a person. */
function failureCode(outcome: Outcome | null): number {
  if (outcome?.kind === "budget") return exitCodes.budget;
  return outcome?.kind === "limit" || outcome?.kind === "overloaded" ? exitCodes.limit : exitCodes.person;
}
