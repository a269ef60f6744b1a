/** The parts of the message of a task's commit. */
export interface MessageParts {
  readonly title: string;
  readonly summary: string;
  readonly trailers: readonly (readonly [key: string, value: string])[];
}

/** Writes a commit message whose only trailers are ours: the agent's words are quoted, so none of their lines can read as a trailer. */
export function formatMessage(parts: MessageParts): string {
  const subject = oneLine(parts.title) || "Untitled task";
  const body = quoted(parts.summary);
  const trailers = parts.trailers.map(([key, value]) => `${key}: ${oneLine(value)}`).join("\n");
  return `${[subject, body, trailers].filter((part) => part !== "").join("\n\n")}\n`;
}

function oneLine(text: string): string {
  return withoutControls(text).replace(/\s+/g, " ").trim();
}

function quoted(text: string): string {
  const lines = text.trim().split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/);
  if (lines.length === 1 && lines[0] === "") return "";
  return lines.map((line) => `> ${withoutControls(line)}`.trimEnd()).join("\n");
}

/** Escape sequences and bidirectional overrides would make `git log` show something else than what is written. */
function withoutControls(text: string): string {
  return text
    .replace(/\t/g, " ")
    .replace(/[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu, (found) => (/\s/.test(found) ? " " : ""));
}
