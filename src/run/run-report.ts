import { join } from "node:path";
import { writeDocument } from "../journal/document.ts";
import { realFiles } from "../journal/file-port.ts";
import type { RunReport } from "../report/model.ts";
import { renderMarkdown } from "../report/render-markdown.ts";
import { timelineFile, renderTimeline } from "../report/render-timeline.ts";
import { reportOf } from "../report/report-of.ts";
import { ok, type Result } from "../base/result.ts";
import { rescueRef, runPaths, runRef, type Paths } from "../project/paths.ts";
import { readRun, type ReadRun } from "../project/runs.ts";

/** The report of a run, made from its journal. */
export interface MadeReport {
  readonly report: RunReport;
  readonly markdown: string;
  /** Writes it and its picture into the run's folder; returns its path. */
  readonly write: () => Result<string>;
}

/** What a report needs besides the journal. */
export interface Surroundings {
  readonly driven: boolean;
  /** The commit of the user's branch; null where there is none, absent where it was not looked up. */
  readonly branchAt?: string | null;
  /** The user's branch that has the run's tip already. */
  readonly mergedInto?: string | undefined;
}

/** Makes the report from a journal alone; nothing is locked, nothing else is read. */
export function makeReport(paths: Paths, { id, entries }: ReadRun, surroundings: Surroundings): MadeReport {
  const report = reportOf(entries, {
    ...surroundings,
    control: join(paths.state, "control.git"),
    runRef: runRef(id),
    rescueRef: (key) => rescueRef(id, key),
  });
  const markdown = renderMarkdown(report);
  return { report, markdown, write: () => write(runPaths(paths, id).dir, markdown, renderTimeline(report)) };
}

/** The picture first, so that no report names one that is not there. */
function write(dir: string, markdown: string, timeline: string): Result<string> {
  const path = join(dir, "report.md");
  const drawn = writeDocument(realFiles, join(dir, timelineFile), timeline);
  if (!drawn.ok) return drawn;
  const written = writeDocument(realFiles, path, markdown);
  return written.ok ? ok(path) : written;
}

/**
 * Leaves a report when a driver is done with a run; returns its path, or undefined where that failed. The journal has
 * everything already: a full disk, or a mistake in here, must not change how a run ended.
 */
export function leaveReport(paths: Paths, run: string): string | undefined {
  try {
    const read = readRun(paths, run);
    const written = read.ok ? makeReport(paths, read.value, { driven: false }).write() : read;
    return written.ok ? written.value : undefined;
  } catch {
    return undefined;
  }
}
