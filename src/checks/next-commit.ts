/** What a check said of a commit; `unknown` means that it could not be asked there. */
export type Answer = "green" | "red" | "unknown";

/** Which commit to ask next, or between which two the check turned red; only neighbours name a culprit. */
export type Search =
  | { readonly kind: "ask"; readonly at: number }
  | { readonly kind: "ended"; readonly green: number; readonly red: number };

/**
 * Takes one step of a binary search for the commit that turned a check red. Commits are known by their place in the run;
 * the answers have a green one and a later red one. Where a commit cannot be asked, the nearest one that can is.
 */
export function nextToAsk(answers: ReadonlyMap<number, Answer>): Search {
  const green = Math.max(...placesOf(answers, "green"));
  const red = Math.min(...placesOf(answers, "red").filter((at) => at > green));
  if (!Number.isFinite(green) || !Number.isFinite(red)) {
    throw new Error("Internal error: expected a green commit and a red one after it, but one of them is missing");
  }
  const middle = (green + red) / 2;
  const open = Array.from({ length: red - green - 1 }, (_, index) => green + 1 + index);
  const [at] = open.filter((place) => !answers.has(place)).toSorted((a, b) => far(a, middle) - far(b, middle));
  return at === undefined ? { kind: "ended", green, red } : { kind: "ask", at };
}

function placesOf(answers: ReadonlyMap<number, Answer>, wanted: Answer): number[] {
  return [...answers].filter(([, answer]) => answer === wanted).map(([at]) => at);
}

function far(place: number, middle: number): number {
  return Math.abs(place - middle);
}
