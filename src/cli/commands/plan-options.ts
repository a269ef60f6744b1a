import { exitCodes } from "../../engine/exit-code.ts";
import { cliLimits } from "../limits.ts";
import { idRule, isId } from "../../plan/ids.ts";
import { ok } from "../../base/result.ts";
import { refusal, type Selected } from "./select.ts";

/** The options of `stint plan`. */
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

/** What `stint plan` should do: plan a goal, revise a plan, resume either, or abandon it. */
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

/** Works out what is wanted, or why the command line does not say. */
export function wantedOf(typed: string | undefined, options: PlanOptions): Selected<Wanted> {
  const conflict = conflictIn(options);
  if (conflict !== undefined) return refusal(exitCodes.usage, conflict);
  const { input: inputs = [], name, revise } = options;
  if (options.drop === true) return ok({ kind: "drop", plan: typed });
  if ((revise ?? typed ?? "").length > cliLimits.goalCharsMax) return refusal(exitCodes.usage, tooLong);
  if (options.continue === true) return wantedAnswers(typed, options.answer ?? []);
  if (revise !== undefined) {
    if (revise.trim() === "") return refusal(exitCodes.usage, noWords);
    if (typed !== undefined && !/^\S*$/.test(typed)) return refusal(exitCodes.usage, twoGoals);
    return ok({ kind: "revise", words: revise.trim(), plan: typed, inputs });
  }
  if (typed === undefined || typed.trim() === "")
    return refusal(exitCodes.usage, inputs.length === 0 ? noGoal : `${noGoal} The goal comes before --input.`);
  if (name !== undefined && !isId(name))
    return refusal(exitCodes.usage, `--name ${name} cannot name a plan: ${idRule}`);
  return ok({ kind: "begin", goal: typed.trim(), inputs, ...(name !== undefined && { name }) });
}

const noGoal = 'say what you want: stint plan "Add a login page". `stint plan --continue` resumes a planning session.';
const tooLong = `that is longer than ${cliLimits.goalCharsMax} characters. Keep it short, and put the rest in a document: --input <file>`;
const noWords = 'say what should change: stint plan --revise "Split the largest task" [plan]';
const twoGoals = "--revise takes a plan name as its argument, not a goal. To plan a new goal, leave --revise out.";

function conflictIn(options: PlanOptions): string | undefined {
  const { drop, continue: continued, revise, answer, name, input } = options;
  if (drop === true && [continued, revise, answer, name, input, options.headless].some((given) => given !== undefined))
    return "--drop abandons a planning session and takes no other option, only a plan name.";
  if (continued === true && revise !== undefined)
    return "--continue resumes a planning session and --revise starts one: use only one of them.";
  if (continued === true && (name !== undefined || input !== undefined))
    return "a planning session that is resumed already has its name and inputs: leave --name and --input out.";
  if (continued !== true && answer !== undefined)
    return "--answer answers a question of a planning session: use it with --continue.";
  if (revise !== undefined && name !== undefined) return "a revision keeps the name of its plan: leave --name out.";
  return undefined;
}

function wantedAnswers(plan: string | undefined, typed: readonly string[]): Selected<Wanted> {
  const answers = new Map<string, string>();
  for (const answer of typed) {
    const [, id = "", text = ""] = /^([^=]*)=(.*)$/s.exec(answer) ?? [];
    if (id.trim() === "" || text.trim() === "")
      return refusal(exitCodes.usage, `--answer ${answer} does not have the form <question>=<text>`);
    answers.set(id.trim(), text.trim());
  }
  return ok({ kind: "continue", plan, answers });
}
