import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pathsOf, runPaths } from "../../../src/project/paths.ts";
import { readRun } from "../../../src/project/runs.ts";
import { leaveReport, makeReport } from "../../../src/run/run-report.ts";
import { tempDir } from "../../rig/git.ts";
import { layRun } from "../../rig/project.ts";

function recordedRun() {
  const root = tempDir();
  const paths = pathsOf(root, { HOME: root });
  const run = layRun(paths, "judge");
  return { paths, run, dir: runPaths(paths, run).dir };
}

test("a report and the picture that it names lie beside the journal", () => {
  const { paths, run, dir } = recordedRun();
  expect(leaveReport(paths, run)).toBe(join(dir, "report.md"));
  const [, picture] = /\]\(([^)]+\.svg)\)/.exec(readFileSync(join(dir, "report.md"), "utf8")) ?? [];
  expect(existsSync(join(dir, picture ?? "none"))).toBe(true);
});

test("the same journal makes the same report, and nothing is written until that is asked for", () => {
  const { paths, run, dir } = recordedRun();
  const read = readRun(paths, run);
  if (!read.ok) throw new Error(read.failure.message);
  const [first, second] = [1, 2].map(() => makeReport(paths, read.value, { driven: false }));
  expect(first?.markdown).toBe(second?.markdown);
  expect(first?.markdown).toContain(run);
  expect(existsSync(join(dir, "report.md"))).toBe(false);
});

test("a report that cannot be written or made changes nothing about how a run ended", () => {
  const { paths, run, dir } = recordedRun();
  mkdirSync(join(dir, "report.md"));
  expect(leaveReport(paths, run)).toBeUndefined();
  rmSync(join(dir, "report.md"), { recursive: true });
  writeFileSync(join(dir, "journal.jsonl"), "no journal\n{}\n");
  expect(leaveReport(paths, run)).toBeUndefined();
});
