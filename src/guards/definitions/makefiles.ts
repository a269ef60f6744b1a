import { posix } from "node:path";
import type { GuardEvidence } from "../../engine/evidence.ts";
import type { Contents } from "../content-guard.ts";
import { reachedFrom, readMakefile, type Makefile } from "./read-makefile.ts";
import { lineWith, linesOfBoth, runnerOf, usesIn, type Finding, type Subject } from "./subject.ts";
import type { ReadText, Use, Uses } from "./uses.ts";
import { isTidying, whyVacuous } from "./vacuous.ts";

/** Compares targets and variables of makefiles and justfiles that a check or set-up reaches. */
export function makefileFindings(subject: Subject): Finding[] {
  const uses = usedEntries(subject);
  const by = [...uses.values()][0]?.by;
  if (by === undefined) return [];
  const [was, is] = [readMakefile(subject.before ?? ""), readMakefile(subject.after ?? "")];
  const entries = [...uses].flatMap(([name, use]) => whyNot({ name, use, was, is, subject }));
  return subject.before === null ? entries : [...entries, ...general(subject, { was, is, by })];
}

/** An included file has no targets of its own that a check asks for: all it says may be used. */
function usedEntries(subject: Subject): ReadonlyMap<string, Use> {
  if (!/\.mk$/i.test(subject.path)) return isMakefile(subject.path) ? usesIn(subject) : new Map();
  const by = runnerOf(subject, /^(?:g|gnu)?make$/);
  if (by === undefined) return new Map();
  const { rules, variables } = readMakefile(subject.before ?? "");
  const own = [...rules.keys(), ...[...variables.keys()].map((name) => `$${name}`)];
  const others = [...subject.was.entries]
    .filter(([path]) => isMakefile(path))
    .flatMap(([, entries]) => [...entries.keys()]);
  return new Map([...others, ...own].map((name) => [name, { by, hookOf: null }]));
}

function isMakefile(path: string): boolean {
  return /^(?:(?:gnu)?makefile|\.?justfile)$/i.test(posix.basename(path)) || /\.(?:mk|mak|make|just)$/i.test(path);
}

interface Entry {
  readonly name: string;
  readonly use: Use;
  readonly was: Makefile;
  readonly is: Makefile;
  readonly subject: Subject;
}

function whyNot({ name, use, was, is, subject }: Entry): Finding[] {
  const isVariable = name.startsWith("$");
  const [old, now] = [was, is].map((file) =>
    isVariable ? file.variables.get(name.slice(1)) : file.rules.get(name)?.text,
  );
  if (old === now) return [];
  const what = isVariable ? `variable ${name.slice(1)}` : `target "${name}"`;
  const lines = isVariable ? linesOfBoth(subject, name.slice(1), "=") : evidenceOf(subject, name);
  const decides = `decides what \`${use.by}\` runs`;
  if (old === undefined) {
    if (isVariable && subject.before !== null && isNamedByOld(name.slice(1), { was, is }))
      return [
        {
          why: `was changed, but its new ${what} ${decides}, and the check was approved without it. Remove it.`,
          lines,
        },
      ];
    const vacuous = isVariable ? undefined : whyIdle(is, name);
    return vacuous === undefined
      ? []
      : [
          {
            why: `was changed, but its new ${what} ${decides} and ${vacuous}. Make it run what the check is for.`,
            lines,
          },
        ];
  }
  if (!isVariable && now !== undefined && onlyDemandsMore(old, now)) return [];
  const approved = old === "" ? "" : `; the check was approved as \`${old.split("\n").join("; ")}\``;
  return [{ why: `was changed, but its ${what} ${decides}${approved}. Put it back.`, lines }];
}

/** A new variable that only new rules name changes nothing that was approved. */
function isNamedByOld(variable: string, { was, is }: Pick<Entry, "was" | "is">): boolean {
  const old = [...was.rules.keys()];
  return old.length > 0 && reachedFrom({ ...is, rules: was.rules }, old).variables.has(variable);
}

/** Make stops at the first line that fails, unless it begins with a dash. A target without a recipe is as good as what it needs. */
function whyIdle({ rules }: Makefile, name: string): string | undefined {
  const rule = rules.get(name);
  if (rule === undefined || rule.recipe.length === 0) return rule?.needs.length === 0 ? "does nothing" : undefined;
  const lines = rule.recipe
    .filter((line) => !/^[@+]*-/.test(line) || isTidying(line.replace(/^[@+-]+/, "")))
    .map((line) => line.replace(/^[@+-]+/, ""));
  return whyVacuous(lines.join(" && "));
}

/** Whether a recipe only gets further lines, each of which must pass as well. */
function onlyDemandsMore(was: string, is: string): boolean {
  if (was === "" || !is.startsWith(`${was}\n`)) return false;
  return is
    .slice(was.length + 1)
    .split("\n")
    .every((line) => !line.startsWith("-") && /^@?[\w./]+\s/.test(line));
}

function evidenceOf(subject: Subject, name: string) {
  const heads = [lineWith(subject.before, "-", `${name}:`), lineWith(subject.after, "+", `${name}:`)].flat();
  const changed = heads[0]?.text === heads[1]?.text ? [] : heads;
  return changed.length > 0
    ? changed
    : heads.map((head) => nextLine(head, head.sign === "-" ? subject.before : subject.after));
}

function nextLine(head: Finding["lines"][number], text: string | null) {
  return { ...head, line: head.line + 1, text: text?.split(/\r?\n/)[head.line] ?? "" };
}

const powerful =
  /^(?:SHELL|\.SHELLFLAGS|MAKEFLAGS|GNUMAKEFLAGS|MAKEFILES|\.DEFAULT_GOAL|\.RECIPEPREFIX|PATH|NODE_OPTIONS|PYTEST_ADDOPTS|PYTHONPATH|GOFLAGS|RUSTFLAGS|CARGO_\w+|NODE_PATH)$/;

/** Finds what changes the meaning of every rule in the file. */
function general(subject: Subject, { was, is, by }: { was: Makefile; is: Makefile; by: string }): Finding[] {
  const found = (what: string, ...words: string[]): Finding => {
    return {
      why: `was changed, but ${what} decides what \`${by}\` runs. Put it back.`,
      lines: linesOfBoth(subject, ...words),
    };
  };
  const directives = differing(was.directives, is.directives).map((line) => found(`its line \`${line}\``, line));
  const variables = [...is.variables.keys()].filter(
    (name) => powerful.test(name) && is.variables.get(name) !== was.variables.get(name),
  );
  const special = [".IGNORE", ".ONESHELL", ".DEFAULT"].filter(
    (name) => is.rules.get(name)?.text !== was.rules.get(name)?.text,
  );
  const lost = [...reachedBefore(subject)].filter(
    (target) => was.rules.has(target) && subject.is.entries.get(subject.path)?.has(target) !== true,
  );
  const phony = [...usesIn(subject).keys()].filter((target) => isPhony(was, target) && !isPhony(is, target));
  return [
    ...directives,
    ...variables.map((name) => found(`its variable ${name}`, name)),
    ...special.map((name) => found(name, name)),
    ...(lost.length > 0
      ? [found(`which target comes first: "${lost[0]}" is no longer reached. That`, `${lost[0]}:`)]
      : []),
    ...phony.map((target) => found(`.PHONY, from which "${target}" is gone,`, ".PHONY")),
  ];
}

function reachedBefore({ was, path }: Subject): Iterable<string> {
  return was.entries.get(path)?.keys() ?? [];
}

function isPhony({ rules }: Makefile, target: string): boolean {
  return rules.get(".PHONY")?.needs.includes(target) === true;
}

function differing(was: readonly string[], is: readonly string[]): string[] {
  return [...was.filter((line) => !is.includes(line)), ...is.filter((line) => !was.includes(line))];
}

/**
 * Finds new files or folders that are called like a target: make would find the target made, and run nothing. A folder may have been
 * there before, but not where a check was red on the base.
 */
export async function upToDateTargets(
  { task, changes }: Pick<Contents, "task" | "changes">,
  was: Uses,
  read: ReadText,
): Promise<GuardEvidence[]> {
  const goals = new Set(task.checks.flatMap((check) => (check.kind === "run" && check.red ? [check.run] : [])));
  const created = changes.filter(({ status }) => status === "A").map(({ path }) => path);
  const takes = (made: string, by: string) => (path: string) =>
    path === made || (goals.has(by) && path.startsWith(`${made}/`));
  const found: GuardEvidence[] = [];
  for (const [file, uses] of created.length === 0 ? [] : was.entries) {
    if (!/makefile$/i.test(file)) continue;
    const makeable = makeableIn((await read(file)) ?? "");
    for (const [target, { by }] of uses) {
      const path = makeable(target) ? created.find(takes(posix.join(posix.dirname(file), target), by)) : undefined;
      if (path !== undefined) found.push({ guard: "definition", path, why: whyUpToDate(target, by) });
    }
  }
  return found;
}

/** Whether a target counts as made as soon as a file has its name. */
function makeableIn(makefile: string): (target: string) => boolean {
  const { rules } = readMakefile(makefile);
  const phony = new Set(rules.get(".PHONY")?.needs);
  return (target) => {
    const rule = rules.get(target);
    return rule !== undefined && rule.recipe.length > 0 && rule.needs.length === 0 && !phony.has(target);
  };
}

function whyUpToDate(target: string, by: string): string {
  return `was created, but make would consider the target "${target}" up to date, so \`${by}\` would run nothing. Rename the file, or have a plan add the target to .PHONY first.`;
}
