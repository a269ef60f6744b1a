/** What an agent says is taken apart with these, which accept anything and never throw. */
export type Json = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function toRecord(value: unknown): Json {
  return isRecord(value) ? value : {};
}

export function toRecords(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

export function toText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** A number of tokens; what cannot be one is none. */
export function toCount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** The beginning of a message, short enough for a sentence about it. */
export function firstLine(message: string): string {
  return message.split("\n", 1).join("").slice(0, 300);
}

/** For a sentence; objects are not taken apart, because their depth and their methods are the agent's. */
export function shown(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? firstLine(`${value}`) : typeof value;
}
