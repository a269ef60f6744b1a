import { hash } from "node:crypto";
import { journalLimits } from "./limits.ts";
import { fail, ok, type Failure, type Result } from "../base/result.ts";

/** The minimum that an event has; the rest of its fields belong to its author and must be plain JSON. */
export interface JournalEvent {
  readonly type: string;
}

/** One verified line of the journal, as parsed from the bytes on disk. */
export interface JournalEntry extends JournalEvent {
  readonly v: 1;
  readonly seq: number;
  readonly epoch: number;
  readonly at: string;
  readonly prev: string;
  readonly hash: string;
  readonly [field: string]: unknown;
}

/** What a line is made of; `event` has the type and the author's own fields. */
export interface LineFields {
  readonly seq: number;
  readonly epoch: number;
  readonly at: string;
  readonly event: JournalEvent;
}

/** The first line has no line before it, and this as its `prev`. */
export const zeroHash = "0".repeat(64);

/** Makes one line without its newline, piece by piece, because an object would move keys like "0" to the front. */
export function frame(fields: LineFields, prevHash: string): { line: string; hash: string } {
  const { type, ...own } = fields.event;
  const head = JSON.stringify({ v: 1, seq: fields.seq, epoch: fields.epoch, at: fields.at, type });
  const rest = JSON.stringify(own).slice(1, -1);
  const open = `${head.slice(0, -1)}${rest === "" ? "" : `,${rest}`},"prev":"${prevHash}"`;
  const name = sha256(`${open}}`);
  return { line: `${open},"hash":"${name}"}`, hash: name };
}

/** Verifies the bytes of one line (without newline) as they are, and only then parses them. */
export function unframe(line: Uint8Array): Result<JournalEntry, Failure<"damaged" | "unsupported">> {
  if (line.byteLength > journalLimits.journalLineBytesMax) return fail("damaged", "the line is too long");
  const bodyEnd = line.byteLength - hashSuffixBytes;
  if (bodyEnd < 1) return fail("damaged", "the line has no hash");
  const hash = hashSuffix.exec(Buffer.from(line.subarray(bodyEnd)).toString("latin1"))?.[1];
  if (hash === undefined) return fail("damaged", "the line has no hash");
  if (sha256(Buffer.concat([line.subarray(0, bodyEnd), bodyClose])) !== hash)
    return fail("damaged", "the hash does not match the line");
  return parseLine(line);
}

/** Returns why an event cannot be journaled, or undefined; it is called before anything is written. */
export function whyNotAnEvent(event: JournalEvent): string | undefined {
  if (!isJson(event, 0) || Array.isArray(event)) return "an event must be an object of plain JSON values";
  if (typeof event.type !== "string" || event.type === "") return "an event must have a type";
  const reserved = reservedKeys.find((key) => Object.hasOwn(event, key));
  return reserved === undefined ? undefined : `the key "${reserved}" is reserved`;
}

/** The decoder is made once, because making one costs more than decoding a line. */
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const reservedKeys = ["v", "seq", "epoch", "at", "prev", "hash"];
const bodyClose = Buffer.from("}");
const hashSuffix = /^,"hash":"([0-9a-f]{64})"\}$/;
const hashSuffixBytes = ',"hash":""}'.length + 64;

/** Parses a line that is known to be unchanged. */
export function parseLine(line: Uint8Array): Result<JournalEntry, Failure<"damaged" | "unsupported">> {
  let entry: Readonly<Record<string, unknown>> | null;
  try {
    entry = JSON.parse(utf8.decode(line));
  } catch {
    return fail("damaged", "the line is not JSON");
  }
  if (typeof entry !== "object" || entry === null) return fail("damaged", "the line is not an object");
  if (typeof entry["v"] === "number" && entry["v"] !== 1)
    return fail("unsupported", `the line has version ${entry["v"]}`);
  return isEntry(entry) ? ok(entry) : fail("damaged", "a required field is missing or malformed");
}

function isEntry(entry: Readonly<Record<string, unknown>>): entry is JournalEntry {
  const texts = ["at", "type", "prev", "hash"].every((key) => typeof entry[key] === "string");
  return texts && entry["v"] === 1 && Number.isSafeInteger(entry["seq"]) && Number.isSafeInteger(entry["epoch"]);
}

function isJson(value: unknown, depth: number): boolean {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || depth > journalLimits.journalEventDepthMax) return false;
  if (!Array.isArray(value) && !isPlain(value)) return false;
  for (const item of Array.isArray(value) ? value : Object.values(value)) {
    if (!isJson(item, depth + 1)) return false;
  }
  return true;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function sha256(text: string | Uint8Array): string {
  return hash("sha256", text, "hex");
}
