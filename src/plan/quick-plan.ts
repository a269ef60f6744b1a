import { fail, ok, type Failure, type Result } from "../base/result.ts";
import { idRule, isId, slugOf } from "./ids.ts";
import { planLimits } from "./limits.ts";
import { definesCommands } from "./definitions.ts";
import { shortHash } from "./hash.ts";
import { isGlob, pathProblem } from "./paths.ts";
import { sortedPaths } from "./sorted-paths.ts";

/** What a person types after `stint do`, and the commit to do it on. */
export interface QuickRequest {
  readonly goal: string;
  readonly checks: readonly string[];
  /** Paths and globs; none = everything that is not protected. */
  readonly files: readonly string[];
  readonly head: { readonly commit: string; readonly files: ReadonlySet<string> };
}

/** A plan of one task that is in no work tree. */
export interface QuickPlan {
  /** The same request on the same commit has the same name, and so resumes the same run. */
  readonly name: string;
  readonly taskFile: string;
  /** Text by path. */
  readonly files: ReadonlyMap<string, string>;
}

/** Makes the documents of a plan from a goal and checks; whatever the goal says, lint finds nothing wrong with them. */
export function quickPlan(request: QuickRequest): Result<QuickPlan, Failure<"goal" | "check" | "files">> {
  const { goal, checks, head } = request;
  if (!isLegible(goal)) {
    return fail("goal", 'the goal is empty: say what to do, as in stint do "<goal>" --check <command>');
  }
  if (checks.length === 0)
    return fail("check", "no --check: give at least one command that fails until the goal is reached");
  if (checks.some((check) => check.trim() === "")) {
    return fail(
      "check",
      "a --check is empty, which would always pass: give a command that fails until the goal is reached",
    );
  }
  const files = [...new Set(request.files.map((entry) => entry.replace(/^(?:\.\/+)+/, "")))].toSorted();
  const known = sortedPaths(head.files);
  const problem = files.map((entry) => whyUnfit(entry, known.hasFolder)).find((why) => why !== undefined);
  if (problem !== undefined) return fail("files", problem);
  const slug = slugOf(goal);
  const name = `do-${slug === "" ? "" : `${slug}-`}${shortHash([goal, checks, files, head.commit])}`;
  const dir = `plans/${name}`;
  const taskFile = `${dir}/tasks/${quickTask}.md`;
  const touched = filesOf(files.length === 0 ? everything(head.files) : files, known.hasMatch);
  const texts = [
    [`${dir}/plan.md`, planText(goal)],
    [`${dir}/scope.md`, scopeText(goal)],
    [taskFile, taskText({ goal, checks, files: touched })],
  ] as const;
  return ok({ name, taskFile, files: new Map(texts) });
}

/** Whether `quickPlan` made this name: such a plan is approved and changed by typing, not in the work tree. */
export function isQuickPlan(name: string): boolean {
  return /^do-(?:[a-z0-9][a-z0-9-]*-)?[0-9a-f]{8}$/.test(name);
}

/** Says why a plan in the work tree cannot have this name. */
export function whyNotPlanName(name: string): string | undefined {
  const why = isQuickPlan(name)
    ? "names from do- to eight digits or letters a-f are for `stint do`"
    : isId(name)
      ? undefined
      : idRule;
  return why && `${JSON.stringify(name)} cannot be the name of a plan: ${why}`;
}

const quickTask = "do";

/** Whether there is something to read: blanks and invisible marks do not count. */
export function isLegible(words: string): boolean {
  return legible.test(words);
}

const legible = /[\p{L}\p{N}\p{P}\p{S}]/u;

function whyUnfit(entry: string, isFolder: (path: string) => boolean): string | undefined {
  const problem = pathProblem(entry);
  if (problem !== undefined) return `--files ${JSON.stringify(entry)} ${problem}`;
  return isFolder(entry) ? `--files ${entry} is a folder; write '${entry}/**' for everything inside` : undefined;
}

/** Where no file defines commands yet, the task may have to add one, in the root. */
function everything(there: ReadonlySet<string>): string[] {
  return [...there].some(definesCommands) ? ["**"] : ["**", "*"];
}

type Touched = Readonly<Record<"create" | "modify" | "delete", readonly string[]>>;

/** Allows every change that is possible: what does not exist can only be created, and a path that exists cannot. */
function filesOf(entries: readonly string[], exists: (entry: string) => boolean): Touched {
  const there = entries.filter(exists);
  return { create: entries.filter((entry) => isGlob(entry) || !exists(entry)), modify: there, delete: there };
}

function planText(goal: string): string {
  const title = titleOf(goal);
  const front = ["stint: 1", `title: ${yamlText(title)}`, `goal: ${yamlText(goal)}`];
  const overview = "## Overview\n\nOne task, as it was typed after `stint do`.";
  return documentOf(front, `${overview}\n\n## Tasks\n\n- [ ] [${quickTask}](tasks/${quickTask}.md) ${title}`);
}

function scopeText(goal: string): string {
  const sections = [
    "## Understanding\n\nThe goal as it was typed.",
    `## Goals\n\n${quoted(goal)}`,
    "## Gaps\n\nNot analysed: `stint do` made this plan.",
  ];
  return `# Scope\n\n${sections.join("\n\n")}\n`;
}

function taskText({ goal, checks, files }: { goal: string; checks: readonly string[]; files: Touched }): string {
  const lists = Object.entries(files).map(([list, entries]) => `  ${list}: [${entries.map(yamlText).join(", ")}]`);
  const runs = checks.map((check) => `  - run: ${yamlText(check)}`);
  const front = [`title: ${yamlText(titleOf(goal))}`, "files:", ...lists, "checks:", ...runs];
  return documentOf(front, `## Goal\n\n${quoted(goal)}`);
}

function documentOf(front: readonly string[], body: string): string {
  return `---\n${front.join("\n")}\n---\n${body}\n`;
}

/** A title is the first words of the goal, because it becomes the subject of a commit. */
function titleOf(goal: string): string {
  const [first = ""] = goal
    .split(lineEnd)
    .map((line) => line.replace(/[\s\p{Cc}]+/gu, " ").trim())
    .filter((line) => legible.test(line));
  if (first.length <= planLimits.quickTitleCharsMax) return first;
  // A pair of units that is one character is not cut in two.
  const start = first.slice(0, planLimits.quickTitleCharsMax - 1).replace(/[\ud800-\udbff]$/, "");
  return `${start.trimEnd()}…`;
}

const lineEnd = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

/** Nothing in a quotation is a heading, a fence or the end of front matter. */
function quoted(text: string): string {
  const lines = text.trim().split(lineEnd);
  return lines.map((line) => `> ${line.replace(/(?!\t)\p{Cc}/gu, "")}`.trimEnd()).join("\n");
}

/** Writes a text as YAML on one line. JSON is YAML; invisible characters are escaped, and NUL, which YAML cannot express, is left out. */
export function yamlText(text: string): string {
  return JSON.stringify(text.replaceAll("\0", "")).replace(/(?! )[\p{C}\p{Z}]/gu, (char) => {
    const code = char.codePointAt(0) ?? 0;
    return code > 0xffff ? `\\U${code.toString(16).padStart(8, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
  });
}
