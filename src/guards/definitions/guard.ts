import { posix } from "node:path";
import type { GuardEvidence } from "../../engine/evidence.ts";
import { definesCommands } from "../../plan/definitions.ts";
import { protectedKind } from "../../plan/protected.ts";
import type { ChangedText, ContentGuard } from "../content-guard.ts";
import { evidenceLines } from "../evidence-lines.ts";
import { dependencyFindings } from "./dependencies.ts";
import { lineFindings } from "./lines.ts";
import { programFileFindings } from "./program-files.ts";
import { makefileFindings, upToDateTargets } from "./makefiles.ts";
import { scriptFindings } from "./scripts.ts";
import { settingsFindings } from "./settings.ts";
import { shadowFindings } from "./shadows.ts";
import type { DefinitionRule, Finding, Subject } from "./subject.ts";
import { anywhere, judgingLines, usesOf, type ReadText, type Use, type Uses } from "./uses.ts";

const rules: readonly DefinitionRule[] = [
  scriptFindings,
  makefileFindings,
  lineFindings,
  shadowFindings,
  dependencyFindings,
  settingsFindings,
];

/** Compares definition files that a task may change with its base: what a check or set-up uses must stay. */
export const guardDefinitions: ContentGuard = async ({ task, checks, setup, changes }, readBase) => {
  if (changes.length === 0) return [];
  const changed = changes.filter(({ path }) => isDefinition(path));
  const once = remembering(readBase);
  const [before, after] = [readerOf(changes, "before", once), readerOf(changes, "after", once)];
  const lines = judgingLines(checks, setup);
  const [was, is] = await Promise.all([usesOf(lines, before), usesOf(lines, after)]);
  const deleted = new Set(changes.filter(({ status }) => status === "D").map(({ path }) => path));
  const isDeleted = (path: string): boolean => deleted.has(path);
  const found = await Promise.all(
    changed.map(async (change) => {
      if (change.tooLarge) return [tooLarge(change)];
      const [wasHere, isHere] = await Promise.all([withPackage(was, change, before), withPackage(is, change, after)]);
      return await findingsIn({ ...change, task, was: wasHere, is: isHere, read: before, isDeleted });
    }),
  );
  return [
    ...found.flat(),
    ...programFileFindings({ task, changes }, was, is),
    ...(await upToDateTargets({ task, changes }, was, before)),
  ];
};

/** Reads each file once, since the same few are asked for again and again. */
function remembering(read: ReadText): ReadText {
  const known = new Map<string, Promise<string | null>>();
  return (path) => {
    const text = known.get(path) ?? read(path);
    known.set(path, text);
    return text;
  };
}

/** Whether a file is one that the plan's guards protect, or one that pip installs from, which honest tasks may change under any glob. */
function isDefinition(path: string): boolean {
  if (/(?:^|\/)requirements[^/]*\.txt$/i.test(path)) return true;
  return definesCommands(path) || protectedKind(path, []) === "runner-config";
}

async function findingsIn(subject: Subject): Promise<GuardEvidence[]> {
  const findings = await Promise.all(rules.map(async (rule) => await rule(subject)));
  const byReason = new Map(findings.flat().map((finding) => [finding.why, finding]));
  return [...byReason.values()].map((finding) => evidenceOf(subject.path, finding));
}

function evidenceOf(path: string, { why, lines }: Finding): GuardEvidence {
  return { guard: "definition", path, why, ...(lines.length > 0 && { evidence: evidenceLines(lines) }) };
}

function tooLarge({ path }: ChangedText): GuardEvidence {
  return {
    guard: "definition",
    path,
    why: "was changed, but it can decide what a check runs and is too large to read. Put it back.",
  };
}

function readerOf(changes: readonly ChangedText[], side: "before" | "after", readBase: ReadText): ReadText {
  const texts = new Map(changes.map((change) => [change.path, change[side]]));
  return async (path) => (texts.has(path) ? (texts.get(path) ?? null) : await readBase(path));
}

/** A script that is run in every package of a workspace is followed through the changed package, too. */
async function withPackage(uses: Uses, { path }: ChangedText, read: ReadText): Promise<Uses> {
  const shared = uses.entries.get(anywhere(posix.basename(path)));
  if (shared === undefined) return uses;
  const own = await usesOf(
    [...shared.keys()].map((name) => ({ line: `npm run ${name}`, cwd: posix.dirname(path) })),
    read,
  );
  const by = [...shared.values()][0]?.by ?? "";
  const named = [...(own.entries.get(path) ?? [])].map(([name, use]): [string, Use] => [
    name,
    shared.get(name) ?? { ...use, by },
  ]);
  return {
    ...uses,
    programs: new Map(
      [...own.programs.keys(), ...uses.programs.keys()].map((program) => [program, uses.programs.get(program) ?? by]),
    ),
    entries: new Map([...uses.entries, [path, new Map([...named, ...(uses.entries.get(path) ?? [])])]]),
  };
}
