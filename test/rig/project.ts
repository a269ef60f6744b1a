import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { RunEvent } from "../../src/engine/events.ts";
import type { NamedRun } from "../../src/engine/run-name.ts";
import { realMachine } from "../../src/project/machine.ts";
import { newRunId } from "../../src/project/runs.ts";
import { beginJournal } from "../../src/run/run-journal.ts";
import type { Paths } from "../../src/project/paths.ts";
import { openProject, type Project } from "../../src/project/project.ts";
import { spec, World } from "./world.ts";
import { commitAll, sh, tempDir, write } from "./git.ts";

/** A project in a repository of its own, with the commit that has these files. */
export interface SmallProject {
  readonly project: Project;
  /** The work tree. */
  readonly root: string;
  readonly commit: string;
}

/** Opens a project for a unit test. Its state and the user's settings lie beside the work tree, in the same temporary folder. */
export async function projectWith(files: Record<string, string>): Promise<SmallProject> {
  const folder = tempDir();
  const root = join(folder, "work");
  write(root, files);
  sh(root, "init", "-q");
  const commit = commitAll(root);
  const opened = await openProject(root, { PATH: process.env["PATH"], HOME: folder });
  if (!opened.ok) throw new Error(opened.failure.message);
  return { project: opened.value, root, commit };
}

/** Puts a recorded run where a repository keeps its runs; returns its id. */
export function layRun({ runs }: Pick<Paths, "runs">, journal: string): string {
  const recorded = `test/fixtures/journals-2026-11-16/${journal}.jsonl`;
  const run = /"run":"([^"]+)"/.exec(readFileSync(recorded, "utf8"))?.[1] ?? "";
  mkdirSync(join(runs, run), { recursive: true });
  copyFileSync(recorded, join(runs, run, "journal.jsonl"));
  return run;
}

/** Puts a run that has just started where a repository keeps its runs; returns its id. */
export function layNewRun(
  { runs }: Pick<Paths, "runs">,
  { tasks = ["a"], ...named }: Pick<NamedRun, "plan" | "number"> & { readonly tasks?: readonly string[] },
  at: string,
): string {
  const run = newRunId(named.plan, at, "0000");
  const started = { ...new World(tasks.map((id) => spec(id))).events[0]!, ...named, run } as RunEvent;
  const path = join(runs, run, "journal.jsonl");
  const begun = beginJournal(realMachine, { path, observe: () => undefined }, [started]);
  if (!begun.ok) throw new Error(begun.failure.message);
  begun.value.journal.close();
  return run;
}
