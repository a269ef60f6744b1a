import { baseLimits } from "./limits.ts";
import { shortened } from "./visible.ts";

/** What steers a terminal: titles and links (OSC and the like), then colours and cursor movements (CSI), then short ones. */
const steering = new RegExp(
  [
    "(?:\\u{1b}[\\]PX^_]|[\\u{90}\\u{98}\\u{9d}-\\u{9f}])[^\\u{7}\\u{1b}\\u{80}-\\u{9f}\\n\\r]*(?:\\u{7}|\\u{1b}\\\\|\\u{9c})",
    "(?:\\u{1b}\\[|\\u{9b})[0-?]*[ -/]*[@-~]",
    "\\u{1b}[ -/]+[0-~]",
    "\\u{1b}[0-OQ-WYZ\\\\`-~]",
  ].join("|"),
  "gu",
);

/** Turns captured output into lines for people, as a terminal would show them in the end. They are not made visible yet. */
export function readableLines(output: string): string[] {
  const text = output.replace(steering, "").trimEnd();
  return text === "" ? [] : text.split("\n").map((line) => shortened(settled(line), baseLimits.readableLineCharsMax));
}

/** Turns one line of output into what a terminal would show in the end, however long. */
export function readableLine(line: string): string {
  return settled(line.replace(steering, ""));
}

/** Of a line that was overwritten, it is what stands there in the end; one that was wiped keeps what it said last. */
function settled(line: string): string {
  const shown = line.includes("\r") ? (line.split("\r").findLast((part) => part.trim() !== "") ?? "") : line;
  return shown.replaceAll("\t", "    ");
}
