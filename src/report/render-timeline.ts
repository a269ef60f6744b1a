import { shortened, visible } from "../base/visible.ts";
import { durationText } from "../base/duration.ts";
import { localStamp } from "../base/local-time.ts";
import type { AttemptOutcome, RunReport, SpanKind, Wait, Span } from "./model.ts";
import { reportLimits } from "./limits.ts";

/** This file beside the report shows its attempts over time. */
export const timelineFile = "timeline.svg";

const [left, right, top, laneHeight, barHeight, legendHeight, width] = [60, 20, 56, 30, 20, 64, 1100];
const plotWidth = width - left - right;

/** Below this many pixels bars cannot be distinguished. */
const shortPixels = 3;

/** One attempt, or several that are too short to draw separately, in milliseconds since the run started. */
interface Bar {
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
type Lane = readonly Bar[];

/** Draws the attempts of a run by lane over time, as a picture that needs nothing but itself and runs nothing. */
export function renderTimeline(report: RunReport): string {
  const wallMs = Math.max(1, report.time.wallMs);
  const scale = plotWidth / wallMs;
  const lanes = lanesOf({ tasks: [...report.tasks, ...report.retired] }, shortPixels / scale);
  const bottom = top + Math.max(1, lanes.length) * laneHeight;
  const height = bottom + legendHeight;
  const at = (ms: number) => round(left + ms * scale);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="12" role="img">`,
    `<title>${xml(`Run ${report.name}: attempts over time`)}</title>`,
    `<style>${style}</style>`,
    hatch,
    `<rect class="paper" width="${width}" height="${height}"/>`,
    `<text class="ink" x="${left}" y="20" font-size="14">${xml(shortened(report.title, 90))}</text>`,
    `<text class="faint" x="${width - right}" y="20" text-anchor="end">${xml(`from ${localStamp(report.time.startedAt)}`)}</text>`,
    ...ticks(wallMs, { wallMs, at, bottom }),
    ...report.waits.map((wait) => waitBand(wait, { wallMs, at, bottom })),
    ...lanes.flatMap((lane, index) => laneParts(lane, { index, at })),
    ...legend(bottom + 20),
    "</svg>",
    "",
  ].join("\n");
}

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

/** Names the outcome of an attempt for people; the value itself is part of `stint report --json`. */
export function outcomeText(outcome: AttemptOutcome): string {
  return outcome === "under way" ? "in progress" : outcome;
}

interface Plot {
  readonly wallMs: number;
  readonly at: (ms: number) => number;
  readonly bottom: number;
}

const steps = [1, 2, 5, 10, 15, 30].flatMap((count) => [count * 1_000, count * 60_000, count * 3_600_000]);

/** Marks round times since the start, as few as a person reads at once. */
function ticks(wallMs: number, { at, bottom }: Plot): string[] {
  const step = steps.toSorted((a, b) => a - b).find((ms) => wallMs / ms <= 10) ?? Math.ceil(wallMs / 10);
  return Array.from({ length: Math.floor(wallMs / step) + 1 }, (_, index) => {
    const x = at(index * step);
    const word = index === 0 ? "0" : durationText(index * step);
    return `<path class="grid" d="M${x} ${top - 6}V${bottom}"/><text class="faint" x="${x}" y="${top - 12}" text-anchor="middle">${word}</text>`;
  });
}

function waitBand({ kind, why, from, to }: Wait, { wallMs, at, bottom }: Plot): string {
  const [x, end] = [at(from), at(to ?? wallMs)];
  const says = `${kind === "undriven" ? "" : `${kind}: `}${why} (${to === null ? "and since" : durationText(to - from)})`;
  const look = kind === "undriven" || kind === "stopped" ? "undriven" : "parked";
  return `<rect class="${look}" x="${x}" y="${top - 6}" width="${round(Math.max(1, end - x))}" height="${bottom - top + 6}">${hover(says)}</rect>`;
}

function laneParts(lane: Lane, { index, at }: { readonly index: number; readonly at: Plot["at"] }): string[] {
  const y = top + index * laneHeight + (laneHeight - barHeight) / 2;
  return [
    `<text class="faint" x="${left - 8}" y="${y + 14}" text-anchor="end">row ${index + 1}</text>`,
    ...lane.map((bar) => barParts(bar, y, at)),
  ];
}

const labelPixels = 7;

/** Draws what was done one after another, and at its end what became of it. */
function barParts(bar: Bar, y: number, at: Plot["at"]): string {
  const [x, end] = [at(bar.from), at(bar.to)];
  const spans = bar.spans.flatMap(({ kind, from, to }) => {
    const spanWidth = round(at(to) - at(from));
    if (spanWidth < 0.3 && bar.spans.length > 1) return [];
    return [
      `<rect class="${classOf[kind]}" x="${at(from)}" y="${y}" width="${Math.max(0.5, spanWidth)}" height="${barHeight}"/>`,
    ];
  });
  const capWidth = Math.min(5, Math.max(1, end - x));
  const cap = `<rect class="${capOf[bar.outcome]}" x="${round(Math.max(x, end - capWidth))}" y="${y}" width="${round(capWidth)}" height="${barHeight}"/>`;
  const fits = end - x - 14 > bar.label.length * labelPixels;
  const label = fits ? `<text class="on" x="${round(x + 5)}" y="${y + 14}">${xml(bar.label)}</text>` : "";
  return `<g>${hover(`${bar.title} (${durationText(bar.to - bar.from)})`)}${spans.join("")}${cap}${label}</g>`;
}

const classOf: Record<SpanKind, string> = {
  preparing: "preparing",
  session: "session",
  "by hand": "hand",
  waiting: "waiting",
  verification: "verification",
};

const capOf: Record<AttemptOutcome, string> = {
  integrated: "good",
  satisfied: "good",
  failed: "bad",
  blocked: "bad",
  "broken check": "bad",
  conflict: "met",
  ended: "free",
  "under way": "free",
};

const legendRows = [
  [
    ["preparing", "preparing"],
    ["session", "session"],
    ["verification", "verification"],
    ["waiting", "waiting"],
    ["hand", "by hand"],
  ],
  [
    ["good", "ends: integrated"],
    ["bad", "failed or blocked"],
    ["met", "conflict"],
    ["free", "not counted, or in progress"],
    ["parked", "run waiting"],
    ["undriven", "not running"],
  ],
] as const;

function legend(y: number): string[] {
  return legendRows.flatMap((row, line) => {
    let x = left;
    return row.map(([look, word]) => {
      const place = x;
      x += 26 + word.length * labelPixels;
      return `<rect class="${look}" x="${place}" y="${y + line * 20 - 10}" width="12" height="12"/><text class="ink" x="${place + 17}" y="${y + line * 20}">${word}</text>`;
    });
  });
}

const hatch = `<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="hatched" width="2" height="6"/></pattern></defs>`;

/** The picture brings its own background, light or dark as the reader's, so that it is legible anywhere. */
const style = [
  ".paper{fill:#fff}.ink{fill:#1f2328}.faint{fill:#59636e}.on{fill:#fff}.grid{stroke:#d1d9e0;fill:none}",
  ".preparing{fill:#5b7fa6}.session{fill:#3569c4}.verification{fill:#7b4fb8}.waiting{fill:#7d8790}.hand{fill:#9a6700}",
  ".good{fill:#1a7f37}.bad{fill:#cf222e}.met{fill:#e16f24}.free{fill:#59636e}",
  ".parked{fill:#d4a72c;fill-opacity:.22}.undriven{fill:url(#hatch)}.hatched{fill:#59636e;fill-opacity:.35}",
  "@media (prefers-color-scheme:dark){.paper{fill:#0d1117}.ink{fill:#e6edf3}.faint{fill:#9198a1}.grid{stroke:#30363d}",
  ".waiting{fill:#656c76}.good{fill:#3fb950}.bad{fill:#f85149}.met{fill:#f0883e}.free{fill:#9198a1}.hatched{fill:#9198a1}}",
].join("");

function hover(text: string): string {
  return `<title>${xml(shortened(text, 300))}</title>`;
}

/** Escapes foreign text: nothing in it is an element, an attribute's end or a character that XML forbids. */
function xml(text: string): string {
  return visible(text).replace(/[<>&"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
