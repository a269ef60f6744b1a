import { plural } from "../../base/plural.ts";
import { evidenceLines, type EvidenceLine } from "../evidence-lines.ts";
import { coverOf, difference, type Cover } from "./cover.ts";
import { grouped, noWeight, placesOf, type FileSide, type Place, type Weight } from "./places.ts";
import { absorbed, pairUp, type Pairing } from "./pair.ts";
import { restatedBy, type Restated } from "./restated.ts";
import { frequencyOf, tokensOf } from "./tokens.ts";

/** The tests of all changed files before and after the work. */
export interface TestChange {
  readonly before: readonly FileSide[];
  readonly after: readonly FileSide[];
  /** Names that the task had taken out of the project; tests of them may go. */
  readonly removed: ReadonlySet<string>;
}

/** A test that is worse than it was; `why` reads after "was changed, but". */
export interface Loss {
  readonly path: string;
  readonly why: string;
  readonly evidence: string;
}

/** Compares over the whole change, so that a test may move, be renamed, merged, split or put into a table. */
export function compareTests({ before, after, removed }: TestChange): Loss[] {
  const known = new Set(before.flatMap(({ lines }) => lines.map((line) => line.trim())));
  const old = placesOf(before, () => false);
  const now = placesOf(after, (line) => !known.has(line.trim()));
  const frequency = frequencyOf(old.map(({ tokens }) => tokens));
  const found = pairUp(old, now, frequency);
  const pairing = absorbed(found);
  const { cover, spend } = coverOf(pairing, frequency);
  const kept = new Set(after.map(({ path }) => path));
  const restated = restatedBy(found, { isDeleted: (path) => !kept.has(path), spend });
  const deleted = deletions(pairing, after);
  return [
    ...goneTests(
      pairing.gone.filter((place) => !isExcused(place, removed) && !deleted.has(place.path)),
      { cover, restated },
    ),
    ...pairing.pairs.flatMap(([was, is]) => lossOf(was, is, { cover, restated, removed })),
    ...freshLosses(found.fresh),
  ];
}

/** Finds files that were deleted on purpose; one whose tests are mostly found elsewhere was moved, and owes the rest. */
function deletions({ pairs, gone }: Pairing, after: readonly FileSide[]): ReadonlySet<string> {
  const kept = new Set(after.map(({ path }) => path));
  const paths = new Set(gone.map(({ path }) => path).filter((path) => !kept.has(path)));
  const count = (places: readonly Place[], path: string): number =>
    places.filter((place) => place.path === path && !place.isOutside).length;
  const found = pairs.map(([was]) => was);
  return new Set([...paths].filter((path) => count(found, path) === 0 || count(found, path) < count(gone, path)));
}

const isExcused = ({ tokens }: Pick<Place, "tokens">, removed: ReadonlySet<string>): boolean =>
  [...tokens].some((token) => removed.has(token));

function goneTests(gone: readonly Place[], { cover, restated }: Pick<Judging, "cover" | "restated">): Loss[] {
  const owing = gone.filter(({ isOutside, weight, test }) => (isOutside ? weight.total > 0 : !isNote(test.skipped)));
  // Whoever asserted most chooses first among those that may stand for it.
  const sorted = owing
    .filter((place) => place.isOutside || !restated(place))
    .toSorted((a, b) => b.weight.total - a.weight.total);
  const missed = new Set(
    sorted.filter((place) => !cover({ ...place.weight, tokens: place.tokens, isTest: !place.isOutside }, undefined)),
  );
  const byPath = grouped(
    owing.filter((place) => missed.has(place)),
    ({ path }) => path,
  );
  return [...byPath].flatMap(([path, places]) => {
    const tests = places.filter(({ isOutside }) => !isOutside);
    const rest = places.filter(({ isOutside }) => isOutside);
    const lost = tests.length === 0 ? [] : [{ path, why: goneWhy(tests), evidence: evidenceOf("-", tests) }];
    return [...lost, ...rest.map((place) => outsideLoss(place, noWeight))];
  });
}

/** A test that was only ever announced asserts nothing. */
const isNote = (skipped: string | null): boolean => skipped !== null && /todo|without a body/.test(skipped);

function goneWhy(tests: readonly Place[]): string {
  const names = tests.slice(0, namesMax).map(({ test }) => `"${test.name}"`);
  const more = tests.length - names.length;
  const all = names.join(", ") + (more > 0 ? ` and ${more} more` : "");
  return tests.length === 1 ? `the test ${all} is gone` : `${tests.length} tests are gone: ${all}`;
}

/** One message names this many tests; the evidence has their lines. */
const namesMax = 5;

interface Judging {
  readonly cover: Cover;
  readonly restated: Restated;
  readonly removed: ReadonlySet<string>;
}

function lossOf(was: Place, is: Place, judging: Judging): Loss[] {
  const { skipped, focused, muted, name } = is.test;
  const loss = (why: string): Loss[] => [{ path: is.path, why, evidence: changedLines(was, is) }];
  if (skipped !== null && was.test.skipped === null) return loss(`the test "${name}" is skipped now: ${skipped}`);
  if (focused !== null && was.test.focused === null)
    return loss(`the test "${name}" keeps others from running: ${focused}`);
  if (muted !== null && was.test.muted === null && was.weight.total > 0) {
    return loss(`the test "${name}" can no longer fail: its assertions ${muted}`);
  }
  const missing = missingIn(was, is, judging.removed);
  if (missing.total === 0 && missing.strong === 0) return [];
  if (is.isOutside) return judging.cover(missing, is) ? [] : [outsideLoss(was, is.weight, is)];
  if (is.weight.total === 0) return loss(`the test "${name}" no longer asserts anything`);
  const isRestated = assertsItself(was) && judging.restated(was);
  return isRestated || judging.cover(missing, is) ? [] : loss(`the test "${name}" ${lessWhy(was, is)}`);
}

/** Whether a test asserts all by itself: helpers may have changed while their calls did not. */
function assertsItself({ test, once }: Place): boolean {
  return test.assertions.filter(({ force }) => force !== "vacuous").length === once.total;
}

/** Compares row by row where the table is not seen to shrink, so that more rows do not make up for a lost assertion. */
function missingIn(was: Place, is: Place, removed: ReadonlySet<string>) {
  const kept = new Set(is.lines.map((line) => line.trim()));
  const dropped = was.lines.filter((line) => !kept.has(line.trim()));
  const excused = dropped.filter((line) => isExcused({ tokens: tokensOf(line) }, removed)).length;
  const tokens = dropped.length > 0 ? tokensOf(dropped.join("\n")) : was.tokens;
  const isSmaller = is.test.cases !== null && is.test.cases < (was.test.cases ?? 1);
  const isWhole = isSmaller || becameTable(was, is, tokens);
  const gap = isWhole ? difference(was.weight, is.weight) : difference(was.once, is.once);
  return { ...difference(gap, { strong: excused, total: excused }), tokens, isTest: false };
}

/** Whether a test keeps its name and puts all that its lines said into rows. */
function becameTable(was: Place, is: Place, dropped: ReadonlySet<string>): boolean {
  return was.test.cases === 1 && (is.test.cases ?? 1) > 1 && [...dropped].every((token) => is.tokens.has(token));
}

function lessWhy(was: Place, is: Place): string {
  if (is.weight.total < was.weight.total) {
    return `asserts less: ${is.weight.total} of ${plural(was.weight.total, "assertion")} left`;
  }
  if (is.weight.strong < was.weight.strong) {
    return `asserts less: ${is.weight.strong} of ${plural(was.weight.strong, "specific assertion")} left`;
  }
  return `asserts less: ${is.once.total} of ${plural(was.once.total, "assertion")} left in each of its cases`;
}

function outsideLoss(was: Place, left: Weight, is?: Place): Loss {
  const where = was.test.name === "" ? "outside its tests" : `in ${was.test.name}()`;
  const why = `it asserts less ${where}: ${left.total} of ${plural(was.weight.total, "assertion")} left`;
  return { path: was.path, why, evidence: is === undefined ? evidenceOf("-", [was]) : changedLines(was, is) };
}

function freshLosses(fresh: readonly Place[]): Loss[] {
  const tests = fresh.filter(({ isOutside }) => !isOutside);
  const focused = tests.filter(({ test }) => test.focused !== null);
  const skipped = tests.filter(({ test }) => test.skipped !== null && !isConditional(test.skipped));
  const all = skipped.length === tests.length ? skipped : [];
  return [
    ...focused.map((place) => freshLoss(place, `keeps others from running: ${place.test.focused}`)),
    ...all.map((place) => freshLoss(place, `is skipped: ${place.test.skipped}`)),
  ];
}

/** Whether a test is skipped on one system or without one tool; where that is missing, no other way is left. */
function isConditional(skipped: string): boolean {
  const bare = skipped.replaceAll(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`[^`]*`/g, "");
  return /\bif\b|if\(|If\b|unless|Unless|OnOs/.test(bare) && !/If\((?:true|!0|!false|[1-9]\d*)\)/.test(bare);
}

function freshLoss(place: Place, what: string): Loss {
  return { path: place.path, why: `the new test "${place.test.name}" ${what}`, evidence: evidenceOf("+", [place]) };
}

/** Shows the first lines of some tests. */
function evidenceOf(sign: "-" | "+", places: readonly Place[]): string {
  return evidenceLines(places.flatMap((place) => numbered(sign, place, () => true)));
}

/** Shows the lines in which two versions of a test differ; where they do not, those of the helpers around it. */
function changedLines(was: Place, is: Place): string {
  const [old, now] = [was, is].map(({ lines }) => new Set(lines.map((line) => line.trim())));
  const removed = numbered("-", was, (line) => now?.has(line) !== true);
  const added = numbered("+", is, (line) => old?.has(line) !== true);
  const found = [...removed, ...added];
  return evidenceLines(found.length > 0 ? found : helperLines(was.side, is.side));
}

function helperLines({ file, lines }: FileSide, after: FileSide): EvidenceLine[] {
  const kept = new Set(after.lines.map((line) => line.trim()));
  const asserting = file.helpers.flatMap(({ assertions }) => assertions.map(({ line }) => line));
  const lost = asserting.map((line) => ({ sign: "-" as const, line, text: lines[line - 1] ?? "" }));
  return lost.filter(({ text }) => !kept.has(text.trim()));
}

function numbered(
  sign: "-" | "+",
  { lines, test, isOutside }: Place,
  isShown: (line: string) => boolean,
): EvidenceLine[] {
  const numbers = lines.map((text, at) => ({
    sign,
    text,
    line: isOutside ? (test.assertions[at]?.line ?? 1) : test.line + at,
  }));
  return numbers.filter(({ text }) => isShown(text.trim()));
}
