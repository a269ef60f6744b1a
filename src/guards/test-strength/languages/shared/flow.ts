import type { Node } from "../../../../syntax/parse.ts";
import type { Place, Step } from "./found.ts";

/** Makes the place of code in a branch whose condition is always false. */
export function neverRuns(place: Place): Place {
  return { ...place, unreached: place.unreached ?? "are in a branch that never runs" };
}

/** Makes the place of code in a loop over an empty list. */
export function overNothing(place: Place): Place {
  return { ...place, unreached: place.unreached ?? "are in a loop over an empty list" };
}

/** Makes the place of code in a branch that may not run. */
export function underCondition(place: Place): Place {
  return { ...place, doubtful: place.doubtful ?? "are all conditional" };
}

/** Makes the place of code after a return that is always taken, or only under a condition. */
export function afterReturn(place: Place, always: boolean): Place {
  const why = "come after a return";
  return always ? { ...place, unreached: place.unreached ?? why } : { ...place, doubtful: place.doubtful ?? why };
}

/** Visits the statements of a block, each at the place that those in front of it leave. */
export function oneAfterAnother(
  statements: readonly Node[],
  place: Place,
  placeAfter: (statement: Node, place: Place) => Place,
): Step[] {
  let at = place;
  return statements.map((statement) => {
    const here = at;
    at = placeAfter(statement, at);
    return [statement, here];
  });
}
