import type { RevisionBriefing } from "../machine/revise.ts";
import { planningLimits } from "../limits.ts";
import { shortened } from "../../base/visible.ts";
import { problemLine, type DraftProblem } from "../machine/assessment.ts";
import type { PlanningPhase } from "../machine/events.ts";
import type { Finding } from "../machine/session-output.ts";
import { answeredQuestions, isGrave, type PlanningState } from "../machine/state.ts";
import type { PlanningVariable } from "../../prompts/built-in-planner.ts";
import type { Prompts } from "../../prompts/overrides.ts";
import { planFormat } from "./plan-format.ts";
import { renderTemplate } from "../../prompts/template.ts";

/** All that the prompt and the inbox of a planning's session are made from. */
export interface PlannerBriefing {
  readonly phase: PlanningPhase;
  readonly state: PlanningState;
  readonly prompts: Prompts;
  readonly map: string;
  /** What the project is made of and how it is tested. */
  readonly project: string;
  readonly rules: string;
  /** By their place next to the plan, such as `inputs/login.png`. */
  readonly inputs: ReadonlyMap<string, Uint8Array>;
  /** Documents by name inside the plan's folder; empty where there is no draft yet. */
  readonly draft: ReadonlyMap<string, Uint8Array>;
  readonly revision: RevisionBriefing | null;
}

/** What a planner or its critic is told. It points to what is long, so it stays short whatever the inputs are. */
export function plannerPrompt(briefing: PlannerBriefing): string {
  const { phase, state, prompts, revision } = briefing;
  const values: Record<PlanningVariable, string> = {
    goal: state.goal,
    answers: answersText(state),
    inbox: inboxText(briefing),
    mend: phase === "draft" ? mendText(state) : "",
    revision: revision === null ? "" : revisionText(state),
  };
  return renderTemplate(prompts[`plan-${phase}`].text, values);
}

/** Everything that a session of a planning finds in its inbox. */
export function plannerInbox(briefing: PlannerBriefing): Map<string, Uint8Array> {
  return new Map(filesOf(briefing).map(({ name, content }) => [name, content]));
}

interface InboxFile {
  readonly name: string;
  readonly content: Uint8Array;
  /** Empty where the line of another file speaks of this one. */
  readonly about: string;
}

function inboxText(briefing: PlannerBriefing): string {
  const told = filesOf(briefing).filter(({ about }) => about !== "");
  return told.map(({ name, about }) => `- ${name}: ${about}`).join("\n");
}

function filesOf(briefing: PlannerBriefing): InboxFile[] {
  const { phase, state, map, project, rules, inputs, draft, revision } = briefing;
  const isDraft = phase === "draft";
  const problems = isDraft ? (state.draft?.problems ?? []) : [];
  const findings = isDraft && state.draft?.stale === true ? (state.findings ?? []) : [];
  return [
    ...textFile("map.md", map, "what the code consists of, the most important first"),
    ...textFile("project.md", project, "what the project is made of, and how it is built and tested"),
    ...textFile("rules.md", rules, "the rules of the project, which hold for every task"),
    ...textFile("format.md", isDraft ? planFormat : "", "how plan.md, scope.md and tasks/<id>.md are written"),
    ...textFile("answers.md", answersText(state), "what was asked so far, and what was answered"),
    ...folder("draft", draft, "the draft as it stands"),
    ...textFile("problems.md", problemsText(problems), "what was found wrong with the draft when it was tried"),
    ...textFile("findings.md", findingsText(findings), "what a reviewer of the draft found"),
    ...textFile("words.md", isDraft ? state.words : "", "what the person says about the draft"),
    ...folder("plan", revision?.plan ?? new Map(), "the plan that is revised"),
    ...textFile("done.md", revision?.done ?? "", "which of its tasks are done"),
    ...textFile("evidence.md", revision?.evidence ?? "", "what was tried, and why it failed"),
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

/** The person may hand in a folder of hundreds; the prompt names the first few. */
function inputFiles(inputs: ReadonlyMap<string, Uint8Array>, plan: string): InboxFile[] {
  const rest = inputs.size - planningLimits.inputsNamedMax;
  return [...inputs].map(([name, content], at) => {
    const about =
      at < planningLimits.inputsNamedMax ? `handed in by the person; source_docs call it plans/${plan}/${name}` : "";
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
    return `- ${id}: ${question}\n  ${how}${assumed && answer !== "" ? " (assumed: nobody was asked)" : ""}`;
  });
  return said.join("\n");
}

/** Why there is to be another draft; empty for the first one. */
function mendText(state: PlanningState): string {
  const { draft, findings, words } = state;
  if (draft === null) return "";
  const errors = (draft.problems ?? []).filter(({ severity }) => severity === "error").length;
  const grave = (findings ?? []).filter(isGrave).length;
  return [
    `The draft as it stands is in "$STINT_INBOX/draft". Leave plan.md, and all files that change; a task that plan.md still names and that you do not leave stays as it is.`,
    words === "" ? "" : `The person wants it otherwise. What they say, or changed themselves, is in words.md.`,
    draft.stale && grave > 0
      ? `A reviewer found ${grave} grave faults, in findings.md. Mend what is right about them; where one is wrong, leave it.`
      : "",
    errors > 0 ? `${errors} errors were found when it was tried, in problems.md. Mend all of them.` : "",
  ]
    .filter((line) => line !== "")
    .join("\n");
}

function revisionText({ revises }: PlanningState): string {
  const words =
    revises === null || revises.words === ""
      ? ""
      : `\n\nWhat is wanted: ${shortened(revises.words, planningLimits.inquiryCharsMax)}`;
  return `The plan is in "$STINT_INBOX/plan", what is done in done.md, what was tried in evidence.md. Leave the whole plan as it is to be from now on. Files of tasks that are done stay as they are, to the letter; tasks that nothing speaks against stay too. A task that failed is split, changed or replaced, so that the next attempt does not fail likewise.${words}`;
}

function problemsText(problems: readonly DraftProblem[]): string {
  return problems.map((problem) => `- ${problemLine(problem)}`).join("\n");
}

function findingsText(findings: readonly Finding[]): string {
  return findings
    .map(({ severity, file, line, title, why, fix }) => {
      const place = [file, line].filter((part) => part !== null && part !== "").join(":");
      return [`## ${severity}: ${title}`, place, why, fix === "" ? "" : `What would be right: ${fix}`]
        .filter((part) => part !== "")
        .join("\n\n");
    })
    .join("\n\n");
}
