import { grouped, type Place, type Weight } from "./places.ts";
import type { Pairing } from "./pair.ts";

/** New tests inside an old one assert for it, as where it became a loop of subtests; they replace no other. */
export function absorbed({ pairs, gone, fresh }: Pairing): Pairing {
  const byPath = grouped(
    fresh.filter(({ isOutside, test }) => !isOutside && test.skipped === null && test.muted === null),
    ({ path }) => path,
  );
  const taken = new Set<Place>();
  const grown = pairs.map(([was, is]): readonly [Place, Place] => {
    if (is.isOutside || is.weight.total >= was.weight.total) return [was, is];
    const inner = (byPath.get(is.path) ?? []).filter((place) => isNestedIn(place, is) && !taken.has(place));
    for (const place of inner) taken.add(place);
    return [was, summed(is, inner)];
  });
  return { pairs: grown, gone, fresh: fresh.filter((place) => !taken.has(place)) };
}

function isNestedIn(inner: Place, outer: Place): boolean {
  const isWithin = outer.test.line <= inner.test.line && inner.test.end <= outer.test.end;
  return isWithin && inner.test.name.startsWith(`${outer.test.name} > `);
}

function summed(place: Place, inner: readonly Place[]): Place {
  const weights = inner.map(({ weight }) => weight);
  return { ...place, once: weights.reduce(add, place.once), weight: weights.reduce(add, place.weight) };
}

const add = (one: Weight, other: Weight): Weight => ({
  strong: one.strong + other.strong,
  total: one.total + other.total,
});
