import type { Pairing } from "./pair.ts";
import { likenessMin } from "./pair.ts";
import type { Place, Weight } from "./places.ts";
import { share, type Frequency } from "./tokens.ts";

/** Assertions that are missing in one place, and what they were about. */
export interface Missing extends Weight {
  readonly tokens: ReadonlySet<string>;
  /** It is a whole test, which only another test can replace. */
  readonly isTest: boolean;
}

/** Tells whether something missing has come up in another test that is about the same; what covers one loss covers no other. */
export type Cover = (missing: Missing, from: Place | undefined) => boolean;

/** Notes that assertions of a test already replace something else. */
export type Spend = (place: Place, weight: Weight) => void;

/** Each question looks at every test; a rewrite of more than this at once is refused. */
const askedMax = 1000;

interface Spare {
  readonly place: Place;
  strong: number;
  total: number;
}

/** Finds where a test was merged, split, renamed or put into a table: new assertions stand where the old ones were dropped. */
export function coverOf({ pairs, fresh }: Pairing, frequency: Frequency): { cover: Cover; spend: Spend } {
  const spares = [
    ...fresh.map((place): Spare => ({ place, ...place.weight })),
    ...pairs.map(([before, place]): Spare => ({ place, ...difference(place.weight, before.weight) })),
  ].filter(({ place }) => place.test.skipped === null && place.test.muted === null);
  const bySpender = new Map(spares.map((spare) => [keyOf(spare.place), spare]));
  const spend: Spend = (place, { strong, total }) => {
    const spare = bySpender.get(keyOf(place));
    if (spare === undefined) return;
    spare.strong -= strong;
    spare.total -= total;
  };
  let asked = 0;
  const cover: Cover = (missing, from) => {
    asked += 1;
    if (asked > askedMax) return false;
    const able = spares
      .filter(
        ({ place, total }) =>
          place !== from && !(missing.isTest && place.isOutside) && (total > 0 || missing.total === 0),
      )
      .map((spare) => ({ spare, likeness: share(missing.tokens, spare.place.tokens, frequency) }))
      .filter(({ likeness }) => likeness >= likenessMin)
      .toSorted((a, b) => b.likeness - a.likeness)
      .map(({ spare }) => spare);
    return able.length > 0 && take(able, missing);
  };
  return { cover, spend };
}

/** The same test may be at hand with what it took over from those inside it. */
const keyOf = ({ path, test }: Place): string => `${test.line} ${test.name} ${path}`;

/** Returns what one has more than the other; never negative. */
export function difference(one: Weight, other: Weight): Weight {
  return { strong: Math.max(0, one.strong - other.strong), total: Math.max(0, one.total - other.total) };
}

function take(spares: readonly Spare[], { strong, total }: Weight): boolean {
  const sum = (pick: (spare: Spare) => number): number =>
    spares.reduce((all, spare) => all + Math.max(0, pick(spare)), 0);
  if (sum((spare) => spare.strong) < strong || sum((spare) => spare.total) < total) return false;
  let [needStrong, needTotal] = [strong, total];
  for (const spare of spares) {
    const taken = Math.min(spare.total, Math.max(needTotal, needStrong));
    needStrong -= Math.min(spare.strong, taken);
    needTotal -= taken;
    spare.strong -= taken;
    spare.total -= taken;
  }
  return true;
}
