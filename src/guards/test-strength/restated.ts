import { guardsLimits } from "../limits.ts";
import { claimsOf, exampleValuesMax, subjectsOf, withoutTitle, writtenIn, type Claim, type Literal } from "./claims.ts";
import type { Spend } from "./cover.ts";
import type { Pairing } from "./pair.ts";
import { hasTable, type Place } from "./places.ts";

/** Tells whether all that a test claimed is claimed by other tests now, with the same inputs and expected values. */
export type Restated = (place: Place) => boolean;

/** Values that stand together in one assertion, or in one row of a table. */
interface Example {
  readonly by: Candidate;
  readonly values: ReadonlySet<string>;
  /** Keys are not counted, since they are no part of an example. */
  readonly size: number;
  readonly isStrong: boolean;
  readonly raises: boolean;
}

interface Candidate {
  readonly place: Place;
  readonly values: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
}

/**
 * Finds examples again in tests that were merged or put into a table. One example may stand for several that are the same.
 * Tests that the work left alone stand for none but those of a file that was to be deleted: they were there before.
 */
export function restatedBy({ pairs, fresh }: Pairing, { isDeleted, spend }: Means): Restated {
  const changed = pairs.filter(([was, is]) => was.path !== is.path || was.body !== is.body).map(([, is]) => is);
  const anew = lookUpIn([...fresh, ...changed], spend);
  const anyhow = lookUpIn([...fresh, ...pairs.map(([, is]) => is)], spend);
  return (place) => (isDeleted(place.path) ? anyhow(place) : anew(place));
}

interface Means {
  readonly isDeleted: (path: string) => boolean;
  readonly spend: Spend;
}

function lookUpIn(places: readonly Place[], spend: Spend): Restated {
  const able = places.filter(({ isOutside, test }) => !isOutside && test.skipped === null && test.muted === null);
  const index = new Map<string, Example[]>();
  let read = false;
  let looks = 0;
  const spent = new Set<string>();
  const spendOnce = (claim: Claim, by: Place | undefined): void => {
    const key = JSON.stringify([by?.path, by?.test.line, by?.test.name, claim.values.map(({ value }) => value)]);
    if (by !== undefined && !spent.has(key)) spend(by, { strong: claim.force === "strong" ? 1 : 0, total: 1 });
    spent.add(key);
  };
  const lookUp = (claim: Claim, subjects: ReadonlySet<string>): Candidate | undefined => {
    const values = [...new Set(claim.values.map(({ value }) => value))];
    const lists = values.map((value) => index.get(value) ?? []);
    const rarest = lists.toSorted((a, b) => a.length - b.length)[0] ?? [];
    looks += rarest.length;
    if (looks > guardsLimits.exampleLooksMax) return undefined;
    const size = claim.values.filter(({ isKey }) => !isKey).length;
    return rarest.find((example) => isSame(example, { ...claim, size, values }) && hasAll(example.by.words, subjects))
      ?.by;
  };
  return (place) => {
    const claims = claimsOf(place);
    if (hasTable(place.test) || !claims.every(isSpecific)) return false;
    if (!read)
      for (const example of able.flatMap(examplesOf)) for (const value of example.values) put(index, value, example);
    read = true;
    const subjects = subjectsOf(place);
    const found = claims.map((claim) => lookUp(claim, subjects));
    const there = new Set(found.flatMap((candidate) => [...(candidate?.values ?? [])]));
    const all = writtenIn(withoutTitle(place), place.path).literals;
    if (claims.length === 0 || found.includes(undefined) || !all.every(({ value }) => there.has(value))) return false;
    claims.forEach((claim, at) => spendOnce(claim, found[at]?.place));
    return true;
  };
}

function put(index: Map<string, Example[]>, value: string, example: Example): void {
  const known = index.get(value);
  if (known === undefined) index.set(value, [example]);
  else known.push(example);
}

interface Wanted extends Omit<Claim, "values"> {
  readonly values: readonly string[];
  readonly size: number;
}

/** One value more may be the example's name. */
function isSame({ values, size, isStrong, raises }: Example, wanted: Wanted): boolean {
  if (wanted.force === "strong" && !isStrong) return false;
  return raises === wanted.raises && size <= wanted.size + 1 && wanted.values.every((value) => values.has(value));
}

/** True, false and nothing are expected everywhere; they alone do not tell one claim from another. */
function isSpecific({ values }: Claim): boolean {
  return (
    values.length <= exampleValuesMax && values.some(({ value }) => !/^(?:true|false|null|\[\]|\{\})$/.test(value))
  );
}

const hasAll = (words: ReadonlySet<string>, wanted: ReadonlySet<string>): boolean =>
  [...wanted].every((word) => words.has(word));

function examplesOf(place: Place): Example[] {
  const claims = claimsOf(place).map((claim): Claim => (place.once.strong > 0 ? claim : { ...claim, force: "weak" }));
  const helpers = place.side.file.helpers.filter(
    ({ name }) => name !== "" && place.test.calls.some((call) => call.name === name),
  );
  const helped = helpers.map(({ line, end }) => place.side.lines.slice(line - 1, end).join("\n")).join("\n");
  const tables = hasTable(place.test) ? tablesFor(place) : [];
  const body = writtenIn(place.body, place.path);
  const words = new Set([
    ...body.words,
    ...writtenIn(helped, place.path).words,
    ...tables.flatMap((table) => [...table.words]),
  ]);
  const values = new Set([...body.literals, ...tables.flatMap(({ literals }) => literals)].map(({ value }) => value));
  const by = { place, words, values };
  const rows = hasTable(place.test)
    ? [body, ...tables].flatMap(({ groups, literals }) => [...groups, ...literals.map((one) => [one])])
    : [];
  return claims.flatMap((claim) => [example(by, claim, []), ...rows.map((row) => example(by, claim, row))]);
}

/** A row is one example together with what the assertion itself says. */
function example(by: Candidate, claim: Claim, row: readonly Literal[]): Example {
  const all = [...claim.values, ...row];
  const size = (row.length === 0 ? claim.values : row).filter(({ isKey }) => !isKey).length;
  return {
    by,
    values: new Set(all.map(({ value }) => value)),
    size,
    isStrong: claim.force === "strong",
    raises: claim.raises,
  };
}

/** Reads what stands outside tests in lists that a loop, or the test itself, names. */
function tablesFor({ side, test }: Place) {
  const inside = new Set(
    side.file.tests.flatMap(({ line, end }) => Array.from({ length: end - line + 1 }, (_, at) => line + at)),
  );
  const outside = side.lines.map((line, at) => (inside.has(at + 1) ? "" : line));
  const above = outside.slice(Math.max(0, test.line - 4), test.line).filter((line) => loop.test(line));
  const around = [...above, ...side.lines.slice(test.line - 1, test.end)].join("\n");
  const named = writtenIn(around, side.path).words;
  const starts = outside.flatMap((line, at) => {
    const name =
      /^\s*(?:export\s+|const\s+|let\s+|var\s+|static\s+|final\s+|private\s+)*([\p{L}_$][\p{L}\p{N}_$]*)\b[^=]*=(?!=)/u.exec(
        line,
      )?.[1];
    return name !== undefined && named.has(name) ? [at] : [];
  });
  const loops = outside.flatMap((line, at) => (at >= test.line - 4 && at < test.line && loop.test(line) ? [at] : []));
  return [...starts, ...loops].map((at) =>
    writtenIn(balanced(outside.slice(at, at + guardsLimits.tableLinesMax)), side.path),
  );
}

/** The head of a loop or of a table, which may stand a few lines above the test. */
const loop = /\b(?:for|each|forEach|parametrize|case|CsvSource|ValueSource)\b/;

/** Returns the statement from its first line until its brackets are closed. */
function balanced(lines: readonly string[]): string {
  let depth = 0;
  const end = lines.findIndex((line) => {
    const bare = line.replaceAll(/"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g, "");
    depth += (bare.match(/[([{]/g)?.length ?? 0) - (bare.match(/[)\]}]/g)?.length ?? 0);
    return depth <= 0;
  });
  return lines.slice(0, end === -1 ? lines.length : end + 1).join("\n");
}
