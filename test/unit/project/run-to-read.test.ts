import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectLimits } from "../../../src/project/limits.ts";
import { openRunToRead, runCalled } from "../../../src/project/run-to-read.ts";
import { layNewRun, layRun, projectWith } from "../../rig/project.ts";

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
  expect(runCalled(paths, "typo")).toMatchObject({ failure: { message: "no run typo. There are none yet." } });
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

test("a run is found by its name, its plan, its id or the beginning of that; several are listed", async () => {
  const { paths, at } = await repository();
  const [first, second] = [1, 2].map((number) =>
    layNewRun(paths, { plan: "p", number }, `2026-11-1${number}T10:00:00Z`),
  ) as [string, string];
  for (const [asked, run] of [
    ["p#1", first],
    ["p#2", second],
    ["p", second],
    [first, first],
    [second.slice(0, -1), second],
  ] as const)
    expect(await openRunToRead(at, asked), asked).toMatchObject({ ok: true, value: { state: { run } } });
  expect(runCalled(paths, "2026")).toMatchObject({
    failure: { reason: "no-run", message: "several runs begin with 2026. Name one of: p#1, p#2" },
  });
  for (const asked of ["p#3", "p#", "q", "#1", ""])
    expect(runCalled(paths, asked), asked).toMatchObject({
      failure: { reason: "no-run", message: `no run ${asked}. There are: p#1, p#2` },
    });
});
