import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Move, Moves } from "./moves.ts";

/** Writes the moves down for agent.mjs, and those that only write files once more as these files, for agent.sh. */
export function layOutMoves(outside: string, moves: Moves): void {
  const folder = join(outside, "moves");
  rmSync(folder, { recursive: true, force: true });
  writeFileSync(join(outside, "moves.json"), JSON.stringify(moves));
  for (const [task, ofTask] of Object.entries(moves)) {
    const ofAttempts = isList(ofTask) ? { "*": ofTask } : ofTask;
    for (const [attempt, list] of Object.entries(ofAttempts))
      layOut(join(folder, task, attempt === "*" ? "every" : attempt), list);
  }
}

/** A folder with the files, or an empty file where more than writing is to be done. */
function layOut(place: string, moves: readonly Move[]): void {
  mkdirSync(dirname(place), { recursive: true });
  const files = moves.filter(isWrite);
  if (files.length < moves.length) return writeFileSync(place, "");
  mkdirSync(place);
  for (const { write, text } of files) {
    mkdirSync(dirname(join(place, write)), { recursive: true });
    writeFileSync(join(place, write), text);
  }
}

function isList(moves: Moves[string]): moves is readonly Move[] {
  return Array.isArray(moves);
}

/** Only what stays inside can be laid out. */
function isWrite(move: Move): move is Extract<Move, { write: string }> {
  return "write" in move && !move.write.startsWith("/") && !move.write.split("/").includes("..");
}
