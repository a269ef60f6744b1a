/** An object of an agent's output. The functions here read one; they accept anything and never throw. */
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

/** Reads a number of tokens; undefined where the value cannot be one. */
export function toCount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** Returns the first line of a message, short enough for a sentence about it. */
export function firstLine(message: string): string {
  return message.split("\n", 1).join("").slice(0, 300);
}

/** Formats a value for a sentence; of an object only its type, because its depth and methods are the agent's. */
export function shown(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? firstLine(`${value}`) : typeof value;
}
