import { reportLimits } from "./limits.ts";
import type { AttemptOutcome, RunReport, Span } from "./model.ts";

/** One attempt, or several that are too short to draw separately, in milliseconds since the run started. */
export interface Bar {
  readonly from: number;
  readonly to: number;
  readonly spans: readonly Span[];
  readonly label: string;
  readonly title: string;
  readonly outcome: AttemptOutcome;
  /** How many attempts it stands for. */
  readonly count: number;
}

/** Bars one after another, without overlap. */
export type Lane = readonly Bar[];

/** Puts attempts into as few lanes as they need; those shorter than `shortMs` that follow each other become one bar. */
export function lanesOf({ tasks }: { readonly tasks: RunReport["retired"] }, shortMs: number): readonly Lane[] {
  const bars = tasks.flatMap(({ id, attempts }) =>
    attempts.map((attempt): Bar => {
      const { spans, outcome, attempt: number, why } = attempt;
      const [from, to] = [spans[0]?.from ?? Number.NaN, spans.at(-1)?.to ?? 0];
      const title = `${id}, attempt ${number}${attempt.byHand ? " by hand" : ""}: ${outcomeText(outcome)}${why === "" ? "" : `: ${why}`}`;
      return { from, to, spans, label: id, title, outcome, count: 1 };
    }),
  );
  const lanes: Bar[][] = [];
  for (const bar of bars.filter(({ from }) => !Number.isNaN(from)).toSorted((a, b) => a.from - b.from)) {
    const free = lanes.find((lane) => (lane.at(-1)?.to ?? 0) <= bar.from);
    if (free !== undefined) free.push(bar);
    else if (lanes.length < reportLimits.timelineLanesMax) lanes.push([bar]);
    else lanes.at(-1)?.push(bar);
  }
  return lanes.map((lane) => merged(lane, shortMs));
}

/** Attempts that cannot be drawn separately become one bar, with the worst outcome among them. */
function merged(lane: Lane, shortMs: number): Lane {
  const bars: Bar[] = [];
  for (const bar of lane) {
    const last = bars.at(-1);
    const isShort = last !== undefined && bar.to - last.from < shortMs;
    if (isShort || (last !== undefined && bar.from < last.to)) bars.splice(-1, 1, together(last, bar));
    else bars.push(bar);
  }
  return bars;
}

function together(a: Bar, b: Bar): Bar {
  const [from, to, count] = [Math.min(a.from, b.from), Math.max(a.to, b.to), a.count + b.count];
  const outcome = worst.indexOf(a.outcome) <= worst.indexOf(b.outcome) ? a.outcome : b.outcome;
  const [first = ""] = a.label.split(" … ");
  const title = `${count} attempts, ${first} to ${b.label}; the worst: ${outcomeText(outcome)}`;
  return { from, to, count, outcome, title, label: `${first} … ${b.label}`, spans: [{ kind: "session", from, to }] };
}

const worst: readonly AttemptOutcome[] = [
  "broken check",
  "blocked",
  "failed",
  "conflict",
  "ended",
  "under way",
  "satisfied",
  "integrated",
];

/** The outcome of an attempt as people read it; the value itself is part of `stint report --json`. */
export function outcomeText(outcome: AttemptOutcome): string {
  return outcome === "under way" ? "in progress" : outcome;
}
