import { type Secret, type Spelling, secretCharsMin, spellingsOf } from "./secrets.ts";

/** Replaces every secret by `[secret NAME]`; text without secrets stays unchanged. */
export interface Redactor {
  readonly text: (text: string) => string;
  /** Redacts every string of a JSON value, including the names of fields. */
  readonly value: <T>(json: T) => T;
  /** Redacts bytes that arrive in pieces; how they are cut makes no difference. */
  readonly stream: () => RedactingStream;
}

/** Holds back only what may be the beginning of a secret. */
export interface RedactingStream {
  readonly write: (chunk: Buffer) => Buffer;
  readonly end: () => Buffer;
}

/** Looks for all spellings of all secrets in one pass; time grows with the text, not with their number. */
export function redactor(secrets: readonly Secret[]): Redactor {
  const index = indexOf(secrets);
  const stream = (): RedactingStream => (secrets.length === 0 ? unchanged : redactingStream(index));
  const text = (plain: string): string => {
    const bytes = Buffer.from(plain);
    const { write, end } = stream();
    const shown = Buffer.concat([write(bytes), end()]);
    return shown.equals(bytes) ? plain : shown.toString();
  };
  return { stream, text, value: (json) => mapStrings(json, text) };
}

const nothing = Buffer.alloc(0);
const unchanged: RedactingStream = { write: (chunk) => chunk, end: () => nothing };

interface Needle extends Spelling {
  readonly label: Buffer;
}

/** An index after Wu and Manber: the last two bytes of a window show how far away the next needle may begin. */
interface Index {
  /** Beginnings of needles that are shorter than a window. */
  readonly beginnings: ReadonlySet<string>;
  /** How far to move on, by two bytes. */
  readonly shifts: Uint8Array;
  /** Needles by the last two bytes of their first window. */
  readonly endingIn: ReadonlyMap<number, readonly Needle[]>;
}

/** A needle is found by this many bytes at its beginning. */
const windowBytes = secretCharsMin;

function indexOf(secrets: readonly Secret[]): Index {
  const needles = secrets.flatMap(({ name, value }) =>
    spellingsOf(value).map((spelling) => ({ ...spelling, label: Buffer.from(`[secret ${name}]`) })),
  );
  const shifts = new Uint8Array(65_536).fill(windowBytes - 1);
  const endingIn = new Map<number, Needle[]>();
  for (const needle of needles) {
    for (let at = 0; at < windowBytes - 1; at += 1) {
      const pair = pairAt(needle.bytes, at);
      shifts[pair] = Math.min(shifts[pair]!, windowBytes - 2 - at);
    }
    const last = pairAt(needle.bytes, windowBytes - 2);
    endingIn.set(last, [...(endingIn.get(last) ?? []), needle]);
  }
  const beginnings = new Set(
    needles.flatMap(({ bytes }) =>
      Array.from({ length: windowBytes - 1 }, (_, at) => bytes.toString("latin1", 0, at + 1)),
    ),
  );
  return { beginnings, shifts, endingIn };
}

function pairAt(bytes: Buffer, at: number): number {
  return (bytes[at]! << 8) | bytes[at + 1]!;
}

function redactingStream(index: Index): RedactingStream {
  let held: Buffer = nothing;
  let struck = 0;
  const pass = (chunk: Buffer, isLast: boolean): Buffer => {
    const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    const { shown, struckUntil, heldFrom } = strike(index, bytes, { struck, isLast });
    // Copied, because a slice would keep its whole chunk alive.
    held = heldFrom === bytes.length ? nothing : Buffer.from(bytes.subarray(heldFrom));
    struck = Math.max(0, struckUntil - heldFrom);
    return shown;
  };
  return { write: (chunk) => pass(chunk, false), end: () => pass(nothing, true) };
}

/** Replaces secrets in the bytes, overlapping ones by the first's name, up to where one may begin that has not ended yet. */
function strike(
  { beginnings, shifts, endingIn }: Index,
  bytes: Buffer,
  { struck, isLast }: { readonly struck: number; readonly isLast: boolean },
): { readonly shown: Buffer; readonly struckUntil: number; readonly heldFrom: number } {
  const parts: Buffer[] = [];
  let struckUntil = struck;
  let heldFrom = bytes.length;
  const last = bytes.length - windowBytes;
  for (let at = 0; at <= last;) {
    const pair = (bytes[at + windowBytes - 2]! << 8) | bytes[at + windowBytes - 1]!;
    const shift = shifts[pair]!;
    if (shift > 0) {
      at += shift;
      continue;
    }
    const { needle, end, isOpen } = longestAt(bytes, at, endingIn.get(pair) ?? []);
    if (isOpen && !isLast) {
      heldFrom = at;
      break;
    }
    if (needle !== undefined && at >= struckUntil) parts.push(bytes.subarray(struckUntil, at), needle.label);
    struckUntil = Math.max(struckUntil, end);
    at += 1;
  }
  if (heldFrom === bytes.length && !isLast) heldFrom = beginningAtEnd(beginnings, bytes);
  if (struckUntil < heldFrom) parts.push(bytes.subarray(struckUntil, heldFrom));
  return { shown: parts.length === 1 ? parts[0]! : Buffer.concat(parts), struckUntil, heldFrom };
}

/** Finds the longest needle at a place, and whether a longer one might still follow. */
function longestAt(bytes: Buffer, at: number, candidates: readonly Needle[]) {
  let longest: Needle | undefined;
  let end = 0;
  let isOpen = false;
  for (const needle of candidates) {
    const its = matchAt(bytes, at, needle);
    if (its === open) isOpen = true;
    if (its <= end) continue;
    longest = needle;
    end = its;
  }
  return { needle: longest, end, isOpen };
}

/** The bytes ended before the needle did. */
const open = -1;

/** Returns where the needle ends, 0 if it is not there, or `open`. */
function matchAt(bytes: Buffer, from: number, { bytes: needle, wraps }: Needle): number {
  let next = sameBytes(bytes, from, { needle, next: 0 });
  let at = from + next;
  let gap = 0;
  let run = next;
  while (next < needle.length) {
    if (at === bytes.length) return open;
    // Lines are not shorter than a window, so that a needle with its line ends is not much longer than without.
    if (!wraps || (gap === 0 && run < windowBytes)) return 0;
    if (gap === gapBytesMax || !isBetweenLines(bytes[at]!, gap)) return 0;
    at += 1;
    gap += 1;
    run = sameBytes(bytes, at, { needle, next });
    if (run >= windowBytes) gap = 0;
    at += run;
    next += run;
  }
  return at;
}

/** Counts how many bytes from `at` on equal the needle from `next` on. */
function sameBytes(
  bytes: Buffer,
  at: number,
  { needle, next }: { readonly needle: Buffer; readonly next: number },
): number {
  const most = Math.min(bytes.length - at, needle.length - next);
  let count = 0;
  while (count < most && bytes[at + count] === needle[next + count]) count += 1;
  return count;
}

/** A gap is long enough for an end of line, even as JSON within JSON writes it, and some indentation. */
const gapBytesMax = 16;

const lineEnds = Buffer.from("\n\r\t \\");
const escapeLetters = Buffer.from("nr");

function isBetweenLines(byte: number, gap: number): boolean {
  return lineEnds.includes(byte) || (gap > 0 && escapeLetters.includes(byte));
}

/** Finds where a needle begins that is cut off by the end of the bytes. */
function beginningAtEnd(beginnings: ReadonlySet<string>, bytes: Buffer): number {
  const end = bytes.toString("latin1", Math.max(0, bytes.length - windowBytes + 1));
  for (let at = 0; at < end.length; at += 1) {
    if (beginnings.has(end.slice(at))) return bytes.length - end.length + at;
  }
  return bytes.length;
}

function mapStrings<T>(json: T, map: (text: string) => string): T {
  if (typeof json === "string") return map(json) as T;
  if (Array.isArray(json)) return json.map((item: unknown) => mapStrings(item, map)) as T;
  if (typeof json !== "object" || json === null) return json;
  return Object.fromEntries(Object.entries(json).map(([name, item]) => [map(name), mapStrings(item, map)])) as T;
}
