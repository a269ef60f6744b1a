import type { Driver } from "../config/types.ts";
import { readAcp } from "./acp/transcript.ts";
import { readClaude } from "./claude/transcript.ts";
import { readCodex } from "./codex/transcript.ts";
import { parseRecord } from "./driver-kit/dialect.ts";
import type { EventReader, TranscriptReader } from "./driver-kit/transcript.ts";
import { readGemini } from "./gemini/transcript.ts";
import { readScripted } from "./scripted/transcript.ts";

/** Makes a reader for the output of one session with this driver; output without events is shown as it is. */
export function transcriptReader(driver: Driver | null): TranscriptReader {
  if (driver === null || driver === "command") return (text) => [{ type: "says", text: `${text}\n`, isPiece: true }];
  const read = readers[driver]();
  return (line) => {
    const event = parseRecord(line);
    return event === undefined ? [{ type: "notice", tone: "aside", text: line }] : read(event);
  };
}

/** Readers by the driver whose events they read. Unlike drivers they are pure and small, so none is loaded by itself. */
const readers: Readonly<Record<Exclude<Driver, "command">, () => EventReader>> = {
  acp: readAcp,
  claude: readClaude,
  codex: readCodex,
  gemini: readGemini,
  scripted: readScripted,
};
