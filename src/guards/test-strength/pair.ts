import { added, grouped, type Place } from "./places.ts";
import { share, shapeOf, type Frequency } from "./tokens.ts";

/** Tests before and after the work, each with its counterpart. */
export interface Pairing {
  readonly pairs: readonly (readonly [Place, Place])[];
  readonly gone: readonly Place[];
  readonly fresh: readonly Place[];
}

/** Finds each test again: by title and body, by title, by body; in its file first, then in any other. */
export function pairUp(before: readonly Place[], after: readonly Place[], frequency: Frequency): Pairing {
  const pairs: (readonly [Place, Place])[] = [];
  let [gone, fresh] = [before, after];
  for (const { key, isAlike } of stages(frequency)) {
    const waiting = grouped(fresh, key);
    const left = gone.filter((place) => {
      const same = waiting.get(key(place));
      const at = same?.findIndex((other) => isAlike(place, other)) ?? -1;
      const [found] = at < 0 ? [] : (same?.splice(at, 1) ?? []);
      if (found !== undefined) pairs.push([place, found]);
      return found === undefined;
    });
    gone = left;
    fresh = [...waiting.values()].flat();
  }
  return { pairs, gone, fresh };
}

interface Stage {
  readonly key: (place: Place) => string;
  readonly isAlike: (before: Place, after: Place) => boolean;
}

/** Orders the signs from the surest to the least sure: a title alone may have been given to something else. */
function stages(frequency: Frequency): readonly Stage[] {
  const always = (): boolean => true;
  const likeness = (before: Place, after: Place): number => share(before.tokens, after.tokens, frequency);
  const isAlike = (before: Place, after: Place): boolean => likeness(before, after) >= likenessMin;
  const isLonger = (before: Place, after: Place): boolean =>
    extendsTitle(before, after) && likeness(before, after) >= likenessMin / 2;
  const anywhere: readonly Stage[] = [
    { key: ({ test, body }) => JSON.stringify([test.name, body]), isAlike: always },
    { key: (place) => JSON.stringify([place.test.name, shape(place)]), isAlike: always },
    { key: ({ test }) => test.name, isAlike: always },
    { key: shape, isAlike: always },
    { key: ({ test }) => lastTitle(test.name), isAlike },
  ];
  const longer: Stage = { key: ({ isOutside, path }) => `${isOutside} ${path}`, isAlike: isLonger };
  // What stands outside tests has no title: its place is what tells it apart.
  const apart = ({ path, isOutside }: Place): string => JSON.stringify([isOutside, isOutside ? path : ""]);
  const found = anywhere.flatMap((stage): Stage[] => [
    { ...stage, key: (place) => `${place.isOutside} ${place.path} ${stage.key(place)}` },
    { ...stage, key: (place) => `${apart(place)} ${stage.key(place)}` },
  ]);
  return [...found, longer];
}

/** This much of a test must be found in another one for it to be the same under a new name. */
export const likenessMin = 0.5;

/** Whether a title says more because the test does: "far" and "far is refused". */
function extendsTitle(before: Place, after: Place): boolean {
  const [old, now] = [lastTitle(before.test.name), lastTitle(after.test.name)];
  return (
    !before.isOutside &&
    old.length > 0 &&
    now.startsWith(old) &&
    /^(?:[^\p{L}\p{N}]|\p{Lu})/u.test(now.slice(old.length))
  );
}

/** Returns the title without the suites around it; what a table or a loop fills in is the same however it is written. */
function lastTitle(name: string): string {
  return (name.split(" > ").at(-1) ?? "").replaceAll(/%[a-z]|\$\{[^}]*\}|\$[\w.]+|#\{[^}]*\}/gi, "%");
}

const shapes = new WeakMap<Place, string>();

function shape(place: Place): string {
  const known = shapes.get(place) ?? shapeOf(place.body);
  shapes.set(place, known);
  return known;
}

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
  return { ...place, once: added([place.once, ...weights]), weight: added([place.weight, ...weights]) };
}
