import { exitCodes } from "../../engine/exit-code.ts";
import { cliLimits } from "../limits.ts";
import { idRule, isId } from "../../plan/ids.ts";
import { ok } from "../../base/result.ts";
import { refusal, type Selected } from "./select.ts";

/** What was typed behind `stint plan`. */
export interface PlanOptions {
  readonly input?: readonly string[];
  readonly name?: string;
  readonly headless?: true;
  readonly continue?: true;
  readonly answer?: readonly string[];
  readonly revise?: string;
  readonly drop?: true;
  readonly json?: true;
}

/** What `stint plan` is asked for: a plan for a goal, another version of a plan, to go on with either, or to give it up. */
export type Wanted =
  | { readonly kind: "begin"; readonly goal: string; readonly name?: string; readonly inputs: readonly string[] }
  | {
      readonly kind: "revise";
      readonly words: string;
      readonly plan: string | undefined;
      readonly inputs: readonly string[];
    }
  | { readonly kind: "drop"; readonly plan: string | undefined }
  | { readonly kind: "continue"; readonly plan: string | undefined; readonly answers: ReadonlyMap<string, string> };

/** Says what is wanted, or why that cannot be told from what was typed. */
export function wantedOf(typed: string | undefined, options: PlanOptions): Selected<Wanted> {
  const conflict = conflictIn(options);
  if (conflict !== undefined) return refusal(exitCodes.usage, conflict);
  const { input: inputs = [], name, revise } = options;
  if (options.drop === true) return ok({ kind: "drop", plan: typed });
  if ((revise ?? typed ?? "").length > cliLimits.goalCharsMax) return refusal(exitCodes.usage, tooLong);
  if (options.continue === true) return goOn(typed, options.answer ?? []);
  if (revise !== undefined) {
    if (revise.trim() === "") return refusal(exitCodes.usage, noWords);
    if (typed !== undefined && !isId(typed)) return refusal(exitCodes.usage, twoGoals);
    return ok({ kind: "revise", words: revise.trim(), plan: typed, inputs });
  }
  if (typed === undefined || typed.trim() === "")
    return refusal(exitCodes.usage, inputs.length === 0 ? noGoal : `${noGoal} The goal stands before --input.`);
  if (name !== undefined && !isId(name))
    return refusal(exitCodes.usage, `--name ${name} cannot name a plan: ${idRule}`);
  return ok({ kind: "begin", goal: typed.trim(), inputs, ...(name !== undefined && { name }) });
}

const noGoal = 'say what you want: stint plan "Add a login page". `stint plan --continue` goes on with a planning.';
const tooLong = `that is longer than ${cliLimits.goalCharsMax} characters. Say it in short, and hand the rest in as a document: --input <file>`;
const noWords = 'say what should be different: stint plan --revise "Split the largest task" [plan]';
const twoGoals =
  "--revise takes the name of a plan besides its words, not a goal. For another plan, leave --revise out.";

function conflictIn(options: PlanOptions): string | undefined {
  const { drop, continue: goesOn, revise, answer, name, input } = options;
  if (drop === true && [goesOn, revise, answer, name, input, options.headless].some((given) => given !== undefined))
    return "--drop gives a planning up: besides it stands at most the name of a plan.";
  if (goesOn === true && revise !== undefined)
    return "--continue goes on with a planning and --revise begins one: give one of them.";
  if (goesOn === true && (name !== undefined || input !== undefined))
    return "a planning that goes on has its name and its inputs already: leave --name and --input out.";
  if (goesOn !== true && answer !== undefined)
    return "--answer answers a question of a planning: give it with --continue.";
  if (revise !== undefined && name !== undefined) return "a revision keeps the name of its plan: leave --name out.";
  return undefined;
}

function goOn(plan: string | undefined, typed: readonly string[]): Selected<Wanted> {
  const answers = new Map<string, string>();
  for (const answer of typed) {
    const [, id = "", text = ""] = /^([^=]*)=(.*)$/s.exec(answer) ?? [];
    if (id.trim() === "" || text.trim() === "")
      return refusal(exitCodes.usage, `--answer ${answer} is not of the form <question>=<text>`);
    answers.set(id.trim(), text.trim());
  }
  return ok({ kind: "continue", plan, answers });
}
