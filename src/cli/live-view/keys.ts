/** What a person can press; `other` is any key without a meaning. */
export type Key =
  | "up"
  | "down"
  | "page-up"
  | "page-down"
  | "home"
  | "end"
  | "enter"
  | "escape"
  | "interrupt"
  | "suspend"
  | "redraw"
  | "pause"
  | "log"
  | "quit"
  | "help"
  | "other";

/** What bytes of a terminal mean. */
export interface KeysRead {
  readonly keys: readonly Key[];
  /** The beginning of a sequence whose end has not arrived. */
  readonly pending: string;
}

/** Reads keys from bytes: terminals send one byte for a letter and a sequence for an arrow, and cut both anywhere. */
export function readKeys(pending: string, bytes: Buffer): KeysRead {
  const text = pending + bytes.toString("latin1");
  const keys: Key[] = [];
  let at = 0;
  while (at < text.length) {
    const sequence = sequenceAt(text, at);
    if (sequence === undefined) return { keys, pending: heldBack(text.slice(at)) };
    keys.push(named[sequence] ?? "other");
    at += sequence.length;
  }
  return { keys, pending: "" };
}

/** Returns the keys that a beginning is if nothing follows it. */
export function endKeys(pending: string): readonly Key[] {
  return pending === escape ? ["escape"] : [];
}

const escape = "\u{1b}";

/** A paste comes between these two; none of it is a key. */
const [pasteBegin, pasteEnd] = [`${escape}[200~`, `${escape}[201~`];

/** A paste may be long, and only its end matters. */
function heldBack(pending: string): string {
  return pending.startsWith(pasteBegin)
    ? pasteBegin + pending.slice(pasteBegin.length).slice(1 - pasteEnd.length)
    : pending;
}

/** Returns `ESC [ …`, `ESC O x`, `ESC x`, a whole paste or a single byte; undefined if it is not complete yet. */
function sequenceAt(text: string, at: number): string | undefined {
  if (text[at] !== escape) return text[at];
  if (text.startsWith(pasteBegin, at)) return pasteAt(text, at);
  const rest = text.slice(at, at + sequenceCharsMax);
  if (rest === escape || rest === `${escape}[` || rest === `${escape}O`) return undefined;
  if (rest[1] === escape) return escape;
  if (rest[1] === "O") return rest.slice(0, 3);
  if (rest[1] !== "[") return rest.slice(0, 2);
  // An earlier program may have left the mouse on: button and position follow as three bytes that look like keys.
  if (rest[2] === "M") return rest.length < 6 ? undefined : rest.slice(0, 6);
  const end = /[@-~]/.exec(rest.slice(2));
  if (end !== null) return rest.slice(0, end.index + 3);
  return rest.length < sequenceCharsMax ? undefined : rest;
}

/** Ends a paste at Ctrl-C as well, so that one whose end is lost blocks nobody. */
function pasteAt(text: string, at: number): string | undefined {
  const end = text.indexOf(pasteEnd, at);
  const interrupted = text.indexOf("\u{3}", at);
  if (interrupted !== -1 && (end === -1 || interrupted < end)) return text.slice(at, interrupted);
  return end === -1 ? undefined : text.slice(at, end + pasteEnd.length);
}

/** No key is longer; anything longer may never end. */
const sequenceCharsMax = 32;

const named: Readonly<Record<string, Key>> = {
  [`${escape}[A`]: "up",
  [`${escape}OA`]: "up",
  k: "up",
  [`${escape}[B`]: "down",
  [`${escape}OB`]: "down",
  j: "down",
  [`${escape}[5~`]: "page-up",
  [`${escape}[6~`]: "page-down",
  " ": "page-down",
  [`${escape}[H`]: "home",
  [`${escape}[1~`]: "home",
  [`${escape}OH`]: "home",
  g: "home",
  [`${escape}[F`]: "end",
  [`${escape}[4~`]: "end",
  [`${escape}OF`]: "end",
  G: "end",
  "\r": "enter",
  "\n": "enter",
  [escape]: "escape",
  "\u{3}": "interrupt",
  "\u{1a}": "suspend",
  "\u{c}": "redraw",
  p: "pause",
  l: "log",
  q: "quit",
  "?": "help",
};
