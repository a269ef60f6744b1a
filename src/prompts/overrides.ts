import { unknownNameMessage } from "../plan/nearest.ts";
import { problemAt } from "../plan/problem.ts";
import { decodeText } from "../plan/text.ts";
import type { PlanFile, PlanFiles, Problem } from "../plan/types.ts";
import { builtInPrompts, promptNames, type PromptName } from "./built-in.ts";
import { templateProblems } from "./template.ts";

export interface Prompt {
  readonly text: string;
  /** Where an override was read, as shown in messages; null for the built-in one. */
  readonly file: string | null;
}

export type Prompts = Readonly<Record<PromptName, Prompt>>;

/** Files that may override prompts: those below `folder`, by whole path. */
export interface PromptFolder {
  readonly folder: string;
  readonly files: PlanFiles;
}

/** The project's file wins over the user's, and the user's over the built-in one; each must be free of errors. */
export function choosePrompts(folders: { readonly project: PromptFolder; readonly user: PromptFolder }): {
  readonly prompts: Prompts;
  readonly problems: Problem[];
} {
  const weakestFirst = [readFolder(folders.user), readFolder(folders.project)];
  const overrides = Object.assign({}, ...weakestFirst.map(({ prompts }) => prompts)) as Partial<Prompts>;
  const chosen = promptNames.map((name) => [name, overrides[name] ?? { text: builtInPrompts[name].text, file: null }]);
  return {
    prompts: Object.fromEntries(chosen) as Prompts,
    problems: weakestFirst.flatMap(({ problems }) => problems),
  };
}

/** The prompts without any override. */
export const defaultPrompts: Prompts = choosePrompts({
  project: { folder: "", files: new Map() },
  user: { folder: "", files: new Map() },
}).prompts;

/** Writes the built-in prompts as files to start an override from, each with a comment that explains it. */
export function promptFiles(): ReadonlyMap<string, string> {
  return new Map(promptNames.map((name) => [`${name}.md`, `${commentOn(name)}\n${builtInPrompts[name].text}`]));
}

interface FolderReading {
  readonly prompts: Partial<Prompts>;
  readonly problems: readonly Problem[];
}

function readFolder({ folder, files }: PromptFolder): FolderReading {
  const prefix = `${folder}/`;
  const found = [...files].filter(([path]) => path.startsWith(prefix) && path.endsWith(".md"));
  const read = found.map(([path, file]) => readOverride(path, path.slice(prefix.length, -".md".length), file));
  return {
    prompts: Object.assign({}, ...read.map(({ prompts }) => prompts)) as Partial<Prompts>,
    problems: read.flatMap(({ problems }) => problems),
  };
}

function readOverride(path: string, name: string, file: PlanFile): FolderReading {
  if (!isPromptName(name))
    return refused(problemAt(path, "unknown-prompt", unknownNameMessage("prompt", name, promptNames)));
  // The reader of the files reports it.
  if ("unreadable" in file) return refused();
  const decoded = decodeText(path, file.bytes);
  if ("problem" in decoded) return refused(decoded.problem);
  const { required, variables } = builtInPrompts[name];
  const problems = templateProblems(path, decoded.text, { known: Object.keys(variables), required });
  return problems.length > 0
    ? refused(...problems)
    : { prompts: { [name]: { text: decoded.text, file: path } }, problems };
}

function refused(...problems: readonly Problem[]): FolderReading {
  return { prompts: {}, problems };
}

function isPromptName(name: string): name is PromptName {
  return (promptNames as readonly string[]).includes(name);
}

function commentOn(name: PromptName): string {
  const { about, variables, required } = builtInPrompts[name];
  const list = Object.entries(variables).map(([variable, meaning]) => `  {{${variable}}}  ${meaning}`);
  const must = required.map((variable) => `It must contain {{${variable}}}. `).join("");
  return `<!--
The built-in prompt "${name}": ${about}.
To override it, put your version into .stint/prompts/${name}.md (for a project, committed and approved)
or $XDG_CONFIG_HOME/stint/prompts/${name}.md (for yourself). This comment is never sent.

${must}It may contain:
${list.join("\n")}

A section, from one line that starts with "# " to the next, is left out if all variables in it are empty.
Check it with \`stint lint\`.
-->`;
}
