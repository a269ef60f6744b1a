import { languageOf } from "../../syntax/language.ts";
import { withTree } from "../../syntax/parse.ts";
import type { GuardEvidence } from "../../engine/evidence.ts";
import { guardsLimits } from "../limits.ts";
import { isGlob } from "../../plan/paths.ts";
import { protectedKind, type ChangeStatus } from "../../plan/protected.ts";
import type { Task } from "../../plan/types.ts";
import { did, type ChangedText, type ContentGuard } from "../content-guard.ts";
import { compareTests, type Loss } from "./compare.ts";
import { emptyTests } from "./created.ts";
import { withFeatures } from "./features.ts";
import { mockedSubjects } from "./mocked.ts";
import type { FileSide } from "./places.ts";
import { readers } from "./languages/readers.ts";
import { skippedRows } from "./skipped-rows.ts";

/** Guard G3 finds tests that the work touched and that became weaker. */
export const guardTests: ContentGuard = async ({ task, changes }, readBase) => {
  const known = changes.filter(({ path }) => readerOf(path) !== undefined);
  const [before, read] = await Promise.all([sidesOf(known, "before"), sidesOf(known, "after")]);
  const after = await withFeatures(read, async (path) => {
    const change = changes.find((one) => one.path === path);
    return change === undefined ? await readBase(path) : change.after;
  });
  const isTesting = testingPaths([...before, ...after]);
  const sources = known.filter(({ path }) => !isTesting.has(path));
  const removed = removedSubjects(
    task,
    sources,
    known.filter(({ path }) => isTesting.has(path)),
  );
  const tests = {
    before: before.filter(({ path }) => isTesting.has(path)),
    after: after.filter(({ path }) => isTesting.has(path)),
  };
  const created = tests.after.filter(({ path }) =>
    changes.some((change) => change.path === path && change.status === "A"),
  );
  const losses = [
    ...compareTests({ ...tests, removed }),
    ...emptyTests(created, tests.after),
    ...(await skippedRows(known.filter(({ path }) => isTesting.has(path)))),
    ...mockedSubjects(tests.before, tests.after, [...sources.map(({ path }) => path), ...sourcesOf(task.files)]),
  ];
  const status = new Map(changes.map((change) => [change.path, change.status]));
  return [
    ...changes.flatMap((change) => unreadable(change, { before, after })),
    ...losses.map((loss) => violation(loss, status.get(loss.path) ?? "M")),
  ];
};

const readerOf = (path: string) => {
  const language = languageOf(path);
  return language === undefined ? undefined : readers[language];
};

const isTestPath = (path: string): boolean => protectedKind(path, []) === "test";

/** Finds names that the work took out of the project's own sources because the task says so: their tests may go with them. */
function removedSubjects(
  task: Pick<Task, "text">,
  sources: readonly Sides[],
  tests: readonly Sides[],
): ReadonlySet<string> {
  if (!/\b(?:remov|delet|drop|retir|eliminat)\w*|\bget rid of\b|\bno longer\b/i.test(task.text)) return new Set();
  const named = namesIn(task.text);
  const before = namesIn(sources.map(({ before: text }) => text ?? "").join("\n"));
  const after = namesIn([...sources, ...tests].map(({ after: text }) => text ?? "").join("\n"));
  return new Set([...named].filter((name) => name.length >= nameCharsMin && before.has(name) && !after.has(name)));
}

/** A file before and after the work; null where it was or is none. */
interface Sides {
  readonly before: string | null;
  readonly after: string | null;
}

/** Shorter names are words of any sentence. */
const nameCharsMin = 3;

function namesIn(text: string): ReadonlySet<string> {
  return new Set(text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu));
}

/** What the task is about is under test, even where the work left it as it was; globs name nothing in particular. */
function sourcesOf({ create, modify, touch }: Task["files"]): string[] {
  return [...create, ...modify, ...touch].filter((entry) => !isGlob(entry) && !isTestPath(entry));
}

/** Finds files that are where tests are, and those with tests inside. */
function testingPaths(sides: readonly FileSide[]): ReadonlySet<string> {
  const testing = sides.filter(({ isTest, file }) => isTest || file.tests.length > 0);
  return new Set(
    testing.filter(({ file }) => file.tests.length <= guardsLimits.testsPerFileMax).map(({ path }) => path),
  );
}

async function sidesOf(changes: readonly ChangedText[], side: "before" | "after"): Promise<FileSide[]> {
  const read = await Promise.all(changes.map((change) => sideOf(change.path, change[side])));
  return read.flatMap((found) => found ?? []);
}

/** Returns undefined where there is no text, no reader, or more to parse than code has. */
async function sideOf(path: string, text: string | null): Promise<FileSide | undefined> {
  const language = languageOf(path);
  const reader = readerOf(path);
  if (text === null || language === undefined || reader === undefined) return undefined;
  const file = await withTree(text, language, (root) => reader.read(root, text));
  if (file === undefined) return undefined;
  return { path, lines: text.split(/\r?\n/), file: reader.withName?.(path, file) ?? file, isTest: isTestPath(path) };
}

/** Refuses a file that cannot be read, because a test in it could have become weaker. */
function unreadable(
  change: ChangedText,
  sides: { readonly before: readonly FileSide[]; readonly after: readonly FileSide[] },
): GuardEvidence[] {
  const { path, status, tooLarge } = change;
  const isTest = isTestPath(path) && readerOf(path) !== undefined;
  const its = [...sides.before, ...sides.after].filter((side) => side.path === path);
  const isFull = its.some(({ file }) => file.tests.length > guardsLimits.testsPerFileMax);
  const hasBoth = its.length === [change.before, change.after].filter((text) => text !== null).length;
  if (status === "D" || (!isFull && (!isTest || (!tooLarge && hasBoth)))) return [];
  const how = isFull || tooLarge ? "large" : "tangled";
  return [
    {
      guard: "tests",
      path,
      why: `${did[status]}, but it is too ${how} to compare its tests with what they were. Split it into smaller files.`,
    },
  ];
}

/** How to fix a loss, by what became of its file. */
const fix = {
  A: "Write tests that run and can fail.",
  M: "Make its tests demand at least what they demanded before.",
  D: "Put its tests back, or move them.",
} as const;

function violation({ path, why, evidence }: Loss, status: ChangeStatus): GuardEvidence {
  return { guard: "tests", path, why: `${did[status]}, but ${why}. ${fix[status]}`, evidence };
}
