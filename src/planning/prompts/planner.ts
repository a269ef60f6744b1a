import type { RevisionBriefing } from "../machine/revise.ts";
import { planningLimits } from "../limits.ts";
import { plural } from "../../base/plural.ts";
import { shortened } from "../../base/visible.ts";
import { problemLine, type DraftProblem } from "../machine/assessment.ts";
import type { PlanningPhase } from "../machine/events.ts";
import type { Finding } from "../machine/session-output.ts";
import { answeredQuestions, isGrave, type PlanningState } from "../machine/state.ts";
import type { PlanningVariable } from "../../prompts/built-in-planner.ts";
import type { Prompts } from "../../prompts/overrides.ts";
import { planFormat } from "./plan-format.ts";
import { renderTemplate } from "../../prompts/template.ts";

/** All that the prompt and the inbox of a session are made from. */
export interface PlannerBriefing {
  readonly phase: PlanningPhase;
  readonly state: PlanningState;
  readonly prompts: Prompts;
  readonly map: string;
  /** What the project is made of and how it is tested. */
  readonly project: string;
  readonly rules: string;
  /** The inputs, by their path next to the plan, such as `inputs/login.png`. */
  readonly inputs: ReadonlyMap<string, Uint8Array>;
  /** Documents by name inside the plan's folder; empty where there is no draft yet. */
  readonly draft: ReadonlyMap<string, Uint8Array>;
  readonly revision: RevisionBriefing | null;
}

/** Makes the prompt of a planner or critic. It refers to long texts by file, so it stays short whatever the inputs are. */
export function plannerPrompt(briefing: PlannerBriefing): string {
  const { phase, state, prompts, revision } = briefing;
  const values: Record<PlanningVariable, string> = {
    goal: state.goal,
    answers: answersText(state),
    inbox: inboxText(briefing),
    problems: phase === "draft" ? anotherDraftText(state) : "",
    revision: revision === null ? "" : revisionText(state),
  };
  return renderTemplate(prompts[`plan-${phase}`].text, values);
}

/** Makes the files that a session finds in its inbox. */
export function plannerInbox(briefing: PlannerBriefing): Map<string, Uint8Array> {
  return new Map(filesOf(briefing).map(({ name, content }) => [name, content]));
}

interface InboxFile {
  readonly name: string;
  readonly content: Uint8Array;
  /** Empty where the line of another file describes this one, too. */
  readonly about: string;
}

function inboxText(briefing: PlannerBriefing): string {
  const described = filesOf(briefing).filter(({ about }) => about !== "");
  return described.map(({ name, about }) => `- ${name}: ${about}`).join("\n");
}

function filesOf(briefing: PlannerBriefing): InboxFile[] {
  const { phase, state, map, project, rules, inputs, draft, revision } = briefing;
  const isDraft = phase === "draft";
  const problems = isDraft ? (state.draft?.problems ?? []) : [];
  const findings = isDraft && state.draft?.stale === true ? (state.findings ?? []) : [];
  return [
    ...textFile("map.md", map, "what the code consists of, the most important first"),
    ...textFile("project.md", project, "what the project is made of, and how it is built and tested"),
    ...textFile("rules.md", rules, "the rules of the project, which apply to every task"),
    ...textFile("format.md", isDraft ? planFormat : "", "how plan.md, scope.md and tasks/<id>.md are written"),
    ...textFile("answers.md", answersText(state), "the questions so far, and their answers"),
    ...folder("draft", draft, "the current draft"),
    ...textFile("problems.md", problemsText(problems), "the problems that lint and the checks found in the draft"),
    ...textFile("findings.md", findingsText(findings), "the findings of a reviewer"),
    ...textFile("words.md", isDraft ? state.words : "", "what the person says about the draft"),
    ...folder("plan", revision?.plan ?? new Map(), "the plan that is revised"),
    ...textFile("done.md", revision?.done ?? "", "which of its tasks are done"),
    ...textFile("evidence.md", revision?.evidence ?? "", "the attempts so far, and why they failed"),
    ...inputFiles(inputs, state.plan),
  ];
}

function textFile(name: string, text: string, about: string): InboxFile[] {
  return text.trim() === "" ? [] : [{ name, content: Buffer.from(text), about }];
}

function folder(name: string, files: ReadonlyMap<string, Uint8Array>, about: string): InboxFile[] {
  return [...files].map(([path, content], at) => ({
    name: `${name}/${path}`,
    content,
    about: at === 0 ? `${about}; with all in ${name}/` : "",
  }));
}

/** A folder of inputs may have hundreds of files; the prompt names the first few. */
function inputFiles(inputs: ReadonlyMap<string, Uint8Array>, plan: string): InboxFile[] {
  const rest = inputs.size - planningLimits.inputsNamedMax;
  return [...inputs].map(([name, content], at) => {
    const about =
      at < planningLimits.inputsNamedMax ? `an input from the person; in source_docs write plans/${plan}/${name}` : "";
    return {
      name,
      content,
      about: at === 0 && rest > 0 ? `${about}, and so on for all ${inputs.size} files in inputs/` : about,
    };
  });
}

function answersText(state: PlanningState): string {
  const said = answeredQuestions(state).map(({ id, question, answer, assumed }) => {
    const how = answer === "" ? "left open: choose, and say what you chose in scope.md" : answer;
    return `- ${id}: ${question}\n  ${how}${assumed && answer !== "" ? " (assumed: the person was not asked)" : ""}`;
  });
  return said.join("\n");
}

/** Says why another draft is needed; empty for the first one. */
function anotherDraftText(state: PlanningState): string {
  const { draft, findings, words } = state;
  if (draft === null) return "";
  const errors = (draft.problems ?? []).filter(({ severity }) => severity === "error").length;
  const grave = (findings ?? []).filter(isGrave).length;
  return [
    `The current draft is in "$STINT_INBOX/draft". Write plan.md, and all files that change; a task that plan.md still names and that you do not write stays as it is.`,
    words === "" ? "" : `The person wants changes. What they say, or changed themselves, is in words.md.`,
    draft.stale && grave > 0
      ? `A reviewer reported ${plural(grave, "serious fault")}, in findings.md. Fix those that are right; ignore one that is wrong.`
      : "",
    errors > 0 ? `It has ${plural(errors, "error")}, listed in problems.md. Fix all of them.` : "",
  ]
    .filter((line) => line !== "")
    .join("\n");
}

function revisionText({ revises }: PlanningState): string {
  const words =
    revises === null || revises.words === ""
      ? ""
      : `\n\nWhat is wanted: ${shortened(revises.words, planningLimits.inquiryCharsMax)}`;
  return `The plan is in "$STINT_INBOX/plan", what is done in done.md, the attempts so far in evidence.md. Write the whole plan as it should be from now on. Files of tasks that are done must not change at all; keep other tasks unless there is a reason to change them. Split, change or replace a task that failed, so that the next attempt does not fail the same way.${words}`;
}

function problemsText(problems: readonly DraftProblem[]): string {
  return problems.map((problem) => `- ${problemLine(problem)}`).join("\n");
}

function findingsText(findings: readonly Finding[]): string {
  return findings
    .map(({ severity, file, line, title, why, fix }) => {
      const place = [file, line].filter((part) => part !== null && part !== "").join(":");
      return [`## ${severity}: ${title}`, place, why, fix === "" ? "" : `How to fix it: ${fix}`]
        .filter((part) => part !== "")
        .join("\n\n");
    })
    .join("\n\n");
}
