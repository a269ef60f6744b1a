import { join } from "node:path";
import * as z from "zod";
import { drivers, type Driver } from "../config/types.ts";
import { writeDocument } from "../journal/document.ts";
import { realFiles } from "../journal/file-port.ts";
import { readUserFile } from "../project/settings.ts";

/** Says who worked in a session, so that its output can be read later, whatever the settings are by then. */
export interface SessionNote {
  /** The agent's name in the settings. */
  readonly agent: string;
  readonly driver: Driver;
  /** Null where the agent chose by itself. */
  readonly model: string | null;
  /** The working directory as the agent sees it. */
  readonly workspace: string;
}

const fileName = "session.json";

/** Writes the note to the folder that keeps the session. A failure, such as a full disk, only makes its output harder to read. */
export function keepSessionNote(dir: string, note: SessionNote): void {
  writeDocument(realFiles, join(dir, fileName), `${JSON.stringify({ v: 1, ...note })}\n`);
}

/** Reads the note; undefined where there is none. An agent that is not confined may have put a pipe there, which is not waited for. */
export function readSessionNote(dir: string): SessionNote | undefined {
  try {
    const file = readUserFile(join(dir, fileName));
    if (file === undefined || "unreadable" in file) return undefined;
    return schema.parse(JSON.parse(new TextDecoder().decode(file.bytes)));
  } catch {
    return undefined;
  }
}

const schema = z.object({
  v: z.literal(1),
  agent: z.string(),
  driver: z.enum(drivers),
  model: z.string().nullable(),
  workspace: z.string(),
});
