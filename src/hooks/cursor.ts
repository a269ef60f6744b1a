import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { HookConfig } from "../config/types.ts";
import { writeDocument } from "../journal/document.ts";
import { realFiles } from "../journal/file-port.ts";
import type { Failure, Result } from "../base/result.ts";

/** A cursor has, for each hook, the event up to which it has received everything it asked for. */
export type Cursor = Map<string, number>;

/** Tells a hook from others by what it is: one that is changed is another hook. */
export function hookKey({ on, webhook, command }: HookConfig): string {
  return createHash("sha256")
    .update(JSON.stringify([on, webhook, command]))
    .digest("hex")
    .slice(0, 16);
}

/** Reads the cursor; it is empty if there is none, or it cannot be read, and then hooks get events from now on. */
export function readCursor(dir: string): Cursor {
  try {
    const read = JSON.parse(readFileSync(fileIn(dir), "utf8")) as unknown;
    const entries = Object.entries(read as Record<string, unknown>);
    return new Map(entries.filter((entry): entry is [string, number] => Number.isSafeInteger(entry[1])));
  } catch {
    return new Map();
  }
}

export function writeCursor(dir: string, cursor: Cursor): Result<void, Failure<"io">> {
  return writeDocument(realFiles, fileIn(dir), `${JSON.stringify(Object.fromEntries(cursor))}\n`);
}

/** Cleans up after a run that no longer has hooks. */
export function removeCursor(dir: string): void {
  rmSync(fileIn(dir), { force: true });
}

/** Whether a hook may not have received everything up to this event. */
export function isBehind(dir: string, seq: number): boolean {
  return [...readCursor(dir).values()].some((heard) => heard < seq);
}

function fileIn(dir: string): string {
  return join(dir, "hooks.json");
}
