import { guardsLimits } from "../limits.ts";
import { assertsByName, type Asserting, type Helper, type TestCase, type TestFile } from "./model.ts";
import { tokensOf } from "./tokens.ts";

/** Assertions that can fail, weak ones included, and those of them that demand something specific. */
export interface Weight {
  readonly strong: number;
  readonly total: number;
}

/** The weight of what asserts nothing. */
export const noWeight: Weight = { strong: 0, total: 0 };

/** One file of one side of the change, as read. */
export interface FileSide {
  readonly path: string;
  readonly lines: readonly string[];
  readonly file: TestFile;
  /** Its place says that it is there for tests. */
  readonly isTest: boolean;
}

/** A test at its place, with what it asserts through all its helpers. */
export interface Place {
  readonly path: string;
  readonly side: FileSide;
  readonly test: TestCase;
  /** It is no test, but hooks, a plain script or a helper, whose assertions count all the same. */
  readonly isOutside: boolean;
  readonly lines: readonly string[];
  /** Its text, cut where it is very long. */
  readonly body: string;
  readonly tokens: ReadonlySet<string>;
  /** The weight of one row, and of all rows of its table. */
  readonly once: Weight;
  readonly weight: Weight;
}

/** Lists the tests of one side; lines that are new by `isNew` count with all that they compare at once. */
export function placesOf(sides: readonly FileSide[], isNew: (line: string) => boolean): Place[] {
  const weigh = scales(sides, isNew);
  return sides.flatMap((side) => {
    const tables = tokensOf(linesOutside(side).join("\n"));
    const place = (test: TestCase, isOutside: boolean): Place => {
      const once = weigh(test, side);
      const lines = isOutside
        ? test.assertions.map(({ line }) => side.lines[line - 1] ?? "")
        : side.lines.slice(test.line - 1, test.end);
      const weight = multiplied(once, test.cases ?? 1);
      const body = bodyOf(lines);
      const own = tokensOf(body);
      const tokens = hasTable(test) ? new Set([...own, ...tables]) : own;
      return { path: side.path, side, test, isOutside, lines, body, tokens, once, weight };
    };
    return [...side.file.tests.map((test) => place(test, false)), ...outside(side).map((test) => place(test, true))];
  });
}

function bodyOf(lines: readonly string[]): string {
  return lines.slice(0, guardsLimits.testBodyCharsMax).join("\n").slice(0, guardsLimits.testBodyCharsMax);
}

/** Whether its rows may be elsewhere in the file, with the words that single tests had before. */
export function hasTable({ cases, assertions }: TestCase): boolean {
  return cases !== 1 || assertions.some(({ times }) => times > 1);
}

function linesOutside({ lines, file }: FileSide): readonly string[] {
  const inside = new Set(file.tests.flatMap(({ line, end }) => lines.slice(line - 1, end).map((_, at) => line + at)));
  return lines.filter((_, at) => !inside.has(at + 1));
}

const plain = { cases: 1, skipped: null, focused: null, muted: null } as const;

/** Finds hooks and plain scripts, and helpers that only files beyond the change can call. */
function outside({ file, isTest }: FileSide): TestCase[] {
  const called = new Set([...file.tests, ...file.helpers].flatMap(({ calls }) => calls.map(({ name }) => name)));
  const alone = file.helpers.filter(({ name }) => (isTest || file.tests.length > 0) && !called.has(name));
  return alone.map((helper) => ({ ...helper, ...plain }));
}

const multiplied = ({ strong, total }: Weight, by: number): Weight => ({ strong: strong * by, total: total * by });

/** Weighs with helpers: those of the same file first, then those of other changed test files. */
function scales(sides: readonly FileSide[], isNew: (line: string) => boolean) {
  const elsewhere = sides.filter(({ isTest, file }) => isTest || file.tests.length > 0).map(helpersOf);
  const known = new Map<Asserting, Weight>();
  const weigh = (subject: Asserting, side: FileSide, depth = 0): Weight => {
    const before = known.get(subject);
    if (before !== undefined) return before;
    if (depth > guardsLimits.syntaxDepthMax) return noWeight;
    // A helper that calls itself adds nothing by that.
    known.set(subject, noWeight);
    const called = subject.calls.flatMap((call) => {
      const { name, times } = call;
      const found = helpersOf(side).get(name) ?? elsewhere.find((helpers) => helpers.has(name))?.get(name);
      if (found !== undefined)
        return found.map(({ helper, side: at }) => {
          const repeated = helper.assertions.map((one) => multiplied(weightOf(one, at, isNew), rowsOf(one, call) - 1));
          return multiplied(added([weigh(helper, at, depth + 1), ...repeated]), times);
        });
      return assertsByName.test(name) ? [{ strong: times, total: times }] : [];
    });
    const sum = added([...subject.assertions.map((one) => weightOf(one, side, isNew)), ...called]);
    known.set(subject, sum);
    return sum;
  };
  return weigh;
}

/** Counts how often a call has a helper make one of its assertions. */
function rowsOf({ over }: Asserting["assertions"][number], { given }: Asserting["calls"][number]): number {
  if (over === undefined || given === undefined) return 1;
  const rows = over.isRest ? given.length - over.at : (given[over.at] ?? 1);
  return Math.min(Math.max(0, rows), guardsLimits.testRowsMax);
}

interface HelperAt {
  readonly helper: Helper;
  readonly side: FileSide;
}

const helpersBySide = new WeakMap<FileSide, ReadonlyMap<string, readonly HelperAt[]>>();

function helpersOf(side: FileSide): ReadonlyMap<string, readonly HelperAt[]> {
  const known = helpersBySide.get(side);
  if (known !== undefined) return known;
  const found = grouped(
    side.file.helpers.filter(({ name }) => name !== "").map((helper) => ({ helper, side })),
    ({ helper }) => helper.name,
  );
  helpersBySide.set(side, found);
  return found;
}

function weightOf(one: Asserting["assertions"][number], side: FileSide, isNew: (line: string) => boolean): Weight {
  if (one.force === "vacuous") return noWeight;
  const parts = isNew(side.lines[one.line - 1] ?? "") ? (one.parts ?? 1) : 1;
  const total = one.times * parts;
  return { strong: one.force === "strong" ? total : 0, total };
}

/** Sums up weights. */
export function added(weights: readonly Weight[]): Weight {
  return weights.reduce(
    (sum, { strong, total }) => ({ strong: sum.strong + strong, total: sum.total + total }),
    noWeight,
  );
}

/** Puts items with the same key together, in the order of their coming. */
export function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
