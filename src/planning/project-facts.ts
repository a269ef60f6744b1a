import { listPaths, readBlobs } from "../git/objects.ts";
import { guardsLimits } from "../guards/limits.ts";
import { planLimits } from "../plan/limits.ts";
import { writeDuration } from "../base/duration.ts";
import { parseRules } from "../plan/rules.ts";
import type { Check, Rules } from "../plan/types.ts";
import { shortened, visible } from "../base/visible.ts";
import { taskExamples, type ExampleKind } from "./prompts/task-examples.ts";
import { readCommittedSettings } from "../approval/committed-plan.ts";
import { detect, type Detected } from "../upkeep/init/detect.ts";
import { manifestsOf, type Survey } from "../upkeep/init/survey.ts";
import type { Project } from "../project/project.ts";
import { readSettings } from "../project/settings.ts";

/** Describes the project at a commit, as Markdown for the inbox: what a planner must know to write checks that work there. */
export async function projectFacts(project: Project, base: string): Promise<string> {
  const settings = await readCommittedSettings(project, base);
  const { config } = readSettings(project, settings);
  const { rules } = parseRules(settings);
  const detected = detect(await surveyAt(project, base));
  const kinds = detected.projects.length === 0 ? (["unknown"] as const) : detected.projects.map(({ kind }) => kind);
  return [
    "# The project, as far as Stint knows it\n",
    ...projectLines(detected),
    ...roomLines(config.workspace.setup),
    ...ruleLines(rules),
    ...[...new Set<ExampleKind>(kinds)].flatMap(exampleLines),
  ].join("\n");
}

/** Surveys the commit alone: a run does not start from uncommitted files. */
async function surveyAt({ control }: Project, base: string): Promise<Survey> {
  const files = await listPaths(control, base);
  const blobs = await readBlobs(control, base, manifestsOf(files));
  const texts = [...blobs]
    .filter(([, bytes]) => bytes.length <= planLimits.planFileBytesMax)
    .map(([path, bytes]) => [path, bytes.toString("utf8")] as const);
  return { files, texts: new Map(texts), unread: [], ignored: new Set(), hooks: { path: null, names: [] } };
}

function projectLines({ projects, checks }: Detected): string[] {
  const found = projects.map(({ kind, dir, evidence }) => {
    const where = dir === "" ? "at the root" : `in ${code(`${dir}/`)}`;
    return `- ${kind}, ${where} (${evidence.map(code).join(", ")})`;
  });
  const commands = checks.map(({ command, dir, says, doubt }) => {
    const inDir = dir === "" ? "" : ` in ${code(`${dir}/`)}`;
    const remarks = [...(says === undefined ? [] : [`runs ${code(says)}`]), ...(doubt === undefined ? [] : [doubt])];
    return `- ${code(command)}${inDir}${remarks.length === 0 ? "" : `: ${remarks.join("; ")}`}`;
  });
  return [
    ...section("What it is", found, "No kind of project that Stint knows: look for yourself."),
    ...section("Commands that it has", commands, "None was found."),
  ];
}

function roomLines(setup: string | undefined): string[] {
  return section(
    "Where checks run",
    [
      "In a fresh checkout of the committed files: nothing that is untracked, or ignored by git, is there.",
      setup === undefined
        ? "No set-up is configured: nothing is installed before a check."
        : `After set-up, which has network access: ${code(setup)}`,
      "Without network access, unless the check says `network: true`. While a draft is assessed no check has it.",
      "With a HOME that has nothing of yours, an empty /tmp, and PATH as on this machine.",
      `Ended after ${writeDuration(planLimits.checkTimeoutMs)}, unless the check has its own \`timeout\`.`,
    ].map((line) => `- ${line}`),
  );
}

function ruleLines({ checks, protect, forbid, maxChangedLines }: Rules): string[] {
  return section(
    "Rules in effect",
    [
      checks.length === 0
        ? "No checks after every task."
        : `Must be green after every task, besides the task's own checks: ${checks.map(labelOf).map(code).join(", ")}`,
      ...(protect.length === 0
        ? []
        : [`May change only where a task's files name it: ${protect.map(code).join(", ")}`]),
      "The same applies to tests, settings of test runners and CI, and lock files, wherever they are.",
      ...(forbid.length === 0 ? [] : [`May never change: ${forbid.map(code).join(", ")}`]),
      `A task may change at most ${maxChangedLines} lines, lock files not counted.`,
    ].map((line) => `- ${line}`),
  );
}

function labelOf(check: Check): string {
  if (check.kind === "run") return check.run;
  return check.kind === "judge" ? `judge: ${check.question}` : `${check.kind}: ${check.path}`;
}

function exampleLines(kind: ExampleKind): string[] {
  const { checks, task } = taskExamples[kind];
  const title = kind === "unknown" ? "Good checks" : `Good checks in a project of kind ${kind}`;
  return [`## ${title}\n`, `${checks}\n`, `A worked task:\n\n\`\`\`\`markdown\n${task}\`\`\`\`\n`];
}

function section(title: string, lines: readonly string[], none = ""): string[] {
  return [`## ${title}\n`, ...(lines.length === 0 ? [none] : lines), ""];
}

/** Quotes text of the repository on one line, so that it cannot pass for ours. */
function code(text: string): string {
  return `\`${visible(shortened(text, guardsLimits.quotedCharsMax)).replaceAll("`", "'")}\``;
}
