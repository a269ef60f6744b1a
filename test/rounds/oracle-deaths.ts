import { existsSync, readFileSync } from "node:fs";
import type { Rig } from "../rig/rig.ts";
import { newestJournal } from "../rig/follow.ts";
import { linesOfJournal } from "./oracle-journal.ts";

/** What lay there when a driver had just died. */
export interface Death {
  /** The journal of the run that was under way; undefined where none had begun. */
  readonly file: string | undefined;
  /** Its complete lines. */
  readonly text: string;
  /** The tasks whose commit was on the run's branch already. */
  readonly landed: readonly string[];
}

/** Takes down what a dead driver left, before anybody else touches it. */
export function deathOf(rig: Rig): Death {
  const file = newestJournal(rig.gitDir);
  const written = file === undefined ? "" : readFileSync(file, "utf8");
  const text = written.slice(0, written.lastIndexOf("\n") + 1);
  return { file, text, landed: landedTasks(rig) };
}

/** Says what a death cost that was there before it: events of the journal, and work that was on the branch. */
export function inspectDeaths(
  deaths: readonly Death[],
  end: { readonly file: string; readonly text: string },
): readonly string[] {
  return deaths.flatMap((death, at) => {
    // A run of which nothing but the approval was journaled never began, and the next is another one.
    if (death.text.split("\n").every((line) => line === "" || line.includes('"type":"plan-approved"'))) return [];
    if (death.file !== end.file) return [`the run of death ${at + 1} was given up for another one`];
    return [...lostEvents(death, end.text), ...secondSessions(death, end.text)].map((one) => `death ${at + 1}: ${one}`);
  });
}

function* lostEvents({ text }: Death, ended: string): Generator<string> {
  const [seen, left] = [text.split("\n").slice(0, -1), ended.split("\n")];
  const lost = seen.findIndex((line, at) => line !== left[at]);
  if (lost !== -1) yield `event ${lost + 1} was seen before it and is gone or changed`;
}

function* secondSessions({ text, landed }: Death, ended: string): Generator<string> {
  const since = linesOfJournal(ended).slice(linesOfJournal(text).length);
  for (const { type, task = "" } of since) {
    if (type === "agent-started" && landed.includes(task)) yield `${task} was on the branch and got another session`;
  }
}

function landedTasks(rig: Rig): readonly string[] {
  if (!existsSync(`${rig.gitDir}/stint/control.git/refs/stint/runs`)) return [];
  const format = "--format=%(trailers:key=Stint-Task,valueonly,separator=%x2C)";
  const log = rig.controlGit("log", format, "--glob=refs/stint/runs", "--not", rig.git("rev-parse", "HEAD"));
  return log.split("\n").filter(Boolean);
}
