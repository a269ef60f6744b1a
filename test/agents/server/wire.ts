import type { Refusal, Speech, Turn } from "./script.ts";

/** One way in which agents talk to a model. Pure: requests in, answers out. */
export interface Wire {
  readonly name: "anthropic" | "responses" | "chat" | "gemini";
  /** Whether this is a request for an answer of the model. */
  readonly matches: (path: string) => boolean;
  readonly read: (body: Json, path: string) => Turn;
  readonly whole: (turn: Turn, speech: Speech) => unknown;
  /** The same as server-sent events, of which the second half may never come. */
  readonly frames: (turn: Turn, speech: Speech) => readonly Frame[];
  readonly refuse: (refusal: Refusal, turn: Turn) => { readonly headers: Headers; readonly body: unknown };
}

/** A body that came over the network: anything may be in it. */
export type Json = Readonly<Record<string, unknown>>;

export interface Frame {
  readonly event?: string;
  readonly data: unknown;
}

export type Headers = Readonly<Record<string, string>>;

/** What every answer is said to cost, so that usage checks out by arithmetic. */
export const usagePerAnswer = { input: 1200, cached: 1000, output: 34 } as const;

export function list(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.map(record) : [];
}

export function record(value: unknown): Json {
  return typeof value === "object" && value !== null ? (value as Json) : {};
}

export function string(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function names(schema: unknown): string[] {
  return Object.keys(record(record(schema)["properties"]));
}

/** The words of a content that is either a text or a list of parts. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return list(content)
    .map((part) => string(part["text"]))
    .join("\n");
}

/** Words with the blanks behind them: the pieces in which an answer arrives. */
export function pieces(text: string): readonly string[] {
  return text.match(/\S+\s*/g) ?? [];
}

export function count(parts: readonly Json[], type: string): number {
  return parts.filter((part) => part["type"] === type).length;
}

/** In seconds since 1970. */
export function resetTime(resetSeconds: number): number {
  return Math.ceil(Date.now() / 1000) + resetSeconds;
}
