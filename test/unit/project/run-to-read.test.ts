import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectLimits } from "../../../src/project/limits.ts";
import { knownRuns, openRunToRead } from "../../../src/project/run-to-read.ts";
import { layRun, projectWith } from "../../rig/project.ts";

async function repository() {
  const { root, project } = await projectWith({ a: "" });
  return { paths: project.paths, at: { cwd: root, env: project.env } };
}

test("without an id the newest run is read; with one, that run", async () => {
  const { paths, at } = await repository();
  const [older, newer] = [layRun(paths, "question"), layRun(paths, "work-lost")];
  expect(await openRunToRead(at, undefined)).toMatchObject({ ok: true, value: { state: { run: newer }, damaged: [] } });
  expect(await openRunToRead(at, older)).toMatchObject({
    ok: true,
    value: { state: { run: older }, runDir: join(paths.runs, older) },
  });
});

test("an unknown id is refused with the runs that there are, the newest of many", async () => {
  const { paths, at } = await repository();
  expect(knownRuns(paths)).toBe("There are none yet.");
  const many = Array.from(
    { length: projectLimits.runsNamedMax + 2 },
    (_, index) => `20261116-1000${10 + index}-p-0000`,
  );
  for (const id of many) mkdirSync(join(paths.runs, id));
  const opened = await openRunToRead(at, "typo");
  expect(opened).toMatchObject({ ok: false, failure: { reason: "no-run" } });
  expect(opened.ok ? "" : opened.failure.message).toContain(`${many.at(-1)} and 2 older ones`);
});

test("a repository without a run says how to start one", async () => {
  const { at } = await repository();
  const opened = await openRunToRead(at, undefined);
  expect(opened.ok ? "" : opened.failure.message).toContain("stint run");
});

test("a damaged journal is named beside the run that can be read, and is the failure where there is no other", async () => {
  const { paths, at } = await repository();
  const damaged = layRun(paths, "work-lost");
  writeFileSync(join(paths.runs, damaged, "journal.jsonl"), "no journal\n{}\n");
  const alone = await openRunToRead(at, undefined);
  expect(alone.ok ? [] : alone.failure.damaged).toHaveLength(1);
  const whole = layRun(paths, "question");
  const opened = await openRunToRead(at, undefined);
  expect(opened).toMatchObject({ ok: true, value: { state: { run: whole } } });
  expect(opened.ok ? opened.value.damaged[0] : "").toContain(damaged);
});
