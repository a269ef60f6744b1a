import { isRecord } from "../driver-kit/json.ts";
/** One thing the scripted agent does; docs/formats/settings.md documents them. */
export type Move =
  | { readonly edit: string; readonly write: string }
  | { readonly edit: string; readonly replace: string; readonly with: string }
  | { readonly edit: string; readonly delete: true }
  /** Runs a command with `sh -c`; an exit code other than 0 is noted, and the agent continues. */
  | { readonly run: string }
  /** Waits, in milliseconds. */
  | { readonly sleep: number }
  /** Ends with an exit code, or by the signal of this name. */
  | { readonly crash: number | string }
  /** Runs forever: silently, or talking, so that only the wall clock ends it. */
  | { readonly hang: "silent" | "talking" }
  /** Writes one line of so many bytes, or so many lines. */
  | { readonly flood: { readonly bytes: number } | { readonly lines: number } }
  /** Reports work that was not done, or lets a tool print a final event. */
  | { readonly lie: "report" | "events" }
  | { readonly report: Readonly<Record<string, unknown>> }
  /** Writes judgement.json, as it is: a judge may write nonsense. */
  | { readonly judge: Readonly<Record<string, unknown>> }
  /** Writes files to the outbox by name, which may have folders; text as it is, anything else as JSON. */
  | { readonly leave: Readonly<Record<string, unknown>> }
  /** Reports itself blocked with this question. */
  | { readonly ask: string }
  | { readonly text: string }
  /** The total usage so far. */
  | { readonly usage: MoveUsage }
  | { readonly retry: { readonly delay_ms: number | null; readonly why: string } }
  | EndMove;

/** Ends the session in this way. A limit may name its reset, from now or as a time. */
export type EndMove =
  | { readonly limit: null | { readonly after_ms: number } | { readonly until: string } }
  | { readonly overloaded: string }
  | { readonly auth: string }
  | { readonly context: string }
  | { readonly refuse: string }
  | { readonly misconfigured: string };

export interface MoveUsage {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly usd?: number;
}

/** Moves per task, and per attempt where the attempts differ; `*` serves every attempt not named. */
export type Moves = Readonly<Record<string, readonly Move[] | Readonly<Record<string, readonly Move[]>>>>;

/** Returns the moves of one attempt, or says why there are none; the whole file is checked, so that a mistake shows in the first session. */
export function movesOf(
  text: string,
  { task, attempt }: { readonly task: string; readonly attempt: string },
): { readonly moves: readonly Move[] } | { readonly problem: string } {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    return { problem: `is not JSON: ${(error as Error).message}` };
  }
  if (!isRecord(parsed)) return { problem: "must be an object with one entry per task" };
  const problem = Object.entries(parsed).flatMap(([id, entry]) => problemsOfTask(id, entry))[0];
  if (problem !== undefined) return { problem };
  const entry = Object.hasOwn(parsed, task) ? (parsed as Moves)[task] : undefined;
  if (entry === undefined) return { problem: `has no moves for ${task}` };
  const moves = isList(entry) ? entry : (entry[attempt] ?? entry["*"]);
  return moves === undefined ? { problem: `has no moves for attempt ${attempt} of ${task}, and no "*"` } : { moves };
}

function problemsOfTask(id: string, entry: unknown): string[] {
  if (isList(entry)) return problemsOfList(id, entry);
  if (!isRecord(entry)) return [`${id}: must be a list of moves, or an object with one list per attempt`];
  return Object.entries(entry).flatMap(([attempt, list]) => {
    if (attempt !== "*" && !/^[1-9]\d*$/.test(attempt)) return [`${id}: "${attempt}" is neither an attempt nor "*"`];
    const where = `${id}, attempt ${attempt}`;
    return isList(list) ? problemsOfList(where, list) : [`${where}: must be a list of moves`];
  });
}

function problemsOfList(where: string, list: readonly unknown[]): string[] {
  return list.flatMap((move, index) => {
    const place = `${where}, move ${index + 1}`;
    if (!isRecord(move)) return [`${place}: must be an object such as {"run": "npm test"}`];
    const name = Object.keys(move).find((key) => Object.hasOwn(forms, key));
    const form = name === undefined ? undefined : forms[name as MoveName];
    if (form === undefined) {
      const said = Object.keys(move).join(", ");
      return [`${place}: there is no move "${said}". Known moves: ${Object.keys(forms).join(", ")}`];
    }
    return form.fits(move) ? [] : [`${place}: ${name} is written ${form.written}`];
  });
}

type MoveName = Move extends infer M
  ? M extends unknown
    ? Exclude<keyof M, "write" | "replace" | "with" | "delete">
    : never
  : never;

interface Form {
  /** The correct form, for an error message. */
  readonly written: string;
  readonly fits: (move: Readonly<Record<string, unknown>>) => boolean;
}

const forms: Readonly<Record<MoveName, Form>> = {
  edit: {
    written: '{"edit": <file>} with "write": <text>, or "replace": <text> and "with": <text>, or "delete": true',
    fits: (move) =>
      isText(move["edit"]) &&
      (has(move, { write: isText }, 2) ||
        has(move, { replace: isText, with: isText }, 3) ||
        has(move, { delete: (value) => value === true }, 2)),
  },
  run: ofText("run", "<command>"),
  sleep: { written: '{"sleep": <milliseconds>}', fits: (move) => has(move, { sleep: isCount }) },
  crash: {
    written: '{"crash": <exit code from 1 to 255, or a signal such as "SIGKILL">}',
    fits: (move) => has(move, { crash: (value) => isExitCode(value) || isSignal(value) }),
  },
  hang: {
    written: '{"hang": "silent" or "talking"}',
    fits: (move) => has(move, { hang: (value) => value === "silent" || value === "talking" }),
  },
  flood: {
    written: '{"flood": {"bytes": <number>} or {"lines": <number>}}',
    fits: (move) =>
      has(move, {
        flood: (value) => isRecord(value) && (has(value, { bytes: isCount }) || has(value, { lines: isCount })),
      }),
  },
  lie: {
    written: '{"lie": "report" or "events"}',
    fits: (move) => has(move, { lie: (value) => value === "report" || value === "events" }),
  },
  report: { written: '{"report": {"status": …}}', fits: (move) => has(move, { report: isRecord }) },
  judge: { written: '{"judge": {"pass": …, "why": …}}', fits: (move) => has(move, { judge: isRecord }) },
  leave: {
    written: '{"leave": {<file>: <text, or what becomes JSON>}}, with paths inside the outbox',
    fits: (move) => has(move, { leave: isRecord }) && Object.keys(move["leave"] as object).every(isInside),
  },
  ask: ofText("ask", "<question>"),
  text: ofText("text", "<text>"),
  usage: {
    written: '{"usage": {"input_tokens": <number>, "output_tokens": <number>, "usd": <number>}}, each optional',
    fits: (move) => has(move, { usage: isUsage }),
  },
  retry: {
    written: '{"retry": {"delay_ms": <milliseconds or null>, "why": <text>}}',
    fits: (move) =>
      has(move, {
        retry: (value) =>
          isRecord(value) && has(value, { delay_ms: (delay) => delay === null || isCount(delay), why: isText }, 2),
      }),
  },
  limit: {
    written: '{"limit": null, {"after_ms": <milliseconds>} or {"until": <ISO time>}}',
    fits: (move) =>
      has(move, {
        limit: (value) =>
          value === null || (isRecord(value) && (has(value, { after_ms: isCount }) || has(value, { until: isTime }))),
      }),
  },
  overloaded: ofText("overloaded", "<why>"),
  auth: ofText("auth", "<why>"),
  context: ofText("context", "<why>"),
  refuse: ofText("refuse", "<why>"),
  misconfigured: ofText("misconfigured", "<why>"),
};

function ofText(name: string, what: string): Form {
  return { written: `{"${name}": ${what}}`, fits: (move) => has(move, { [name]: isText }) };
}

/** Whether a value has exactly `keys` keys, and these among them. */
function has(
  value: Readonly<Record<string, unknown>>,
  fields: Readonly<Record<string, (field: unknown) => boolean>>,
  keys = 1,
): boolean {
  return Object.keys(value).length === keys && Object.entries(fields).every(([name, fits]) => fits(value[name]));
}

function isUsage(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const isAmount = (amount: unknown) => typeof amount === "number" && amount >= 0;
  const known = ["input_tokens", "output_tokens", "usd"];
  return Object.entries(value).every(([name, amount]) => known.includes(name) && isAmount(amount));
}

function isList(value: unknown): value is readonly unknown[] & readonly Move[] {
  return Array.isArray(value);
}

/** Whether a path is relative and stays inside. */
function isInside(path: string): boolean {
  return path.split("/").every((name) => name !== "" && name !== "." && name !== "..");
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isExitCode(value: unknown): boolean {
  return isCount(value) && Number(value) >= 1 && Number(value) <= 255;
}

function isSignal(value: unknown): boolean {
  return isText(value) && /^SIG[A-Z0-9]+$/.test(value);
}

function isTime(value: unknown): boolean {
  return isText(value) && !Number.isNaN(Date.parse(value));
}
