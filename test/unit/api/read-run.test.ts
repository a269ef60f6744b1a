import { expect, test } from "vitest";
import { followRun, readRun } from "../../../src/api/read-run.ts";
import { tempDir } from "../../rig/git.ts";
import { layRun, projectWith } from "../../rig/project.ts";

test("a run that nobody drives is read with its summary, its exit code and every entry", async () => {
  const { root, project } = await projectWith({ a: "" });
  const run = layRun(project.paths, "scope");
  const read = await readRun({ cwd: root });
  expect(read).toMatchObject({ ok: true, value: { run, exitCode: 0, summary: { run } } });
  expect(read.ok ? read.value.entries.map(({ seq }) => seq) : []).toEqual(
    Array.from({ length: 31 }, (_, at) => at + 1),
  );
});

test("following yields every event from the first to the last, each loop for itself, and ends without a driver", async () => {
  const { root, project } = await projectWith({ a: "" });
  const run = layRun(project.paths, "scope");
  const followed = await followRun({ cwd: root, run });
  if (!followed.ok) throw new Error(followed.failure.message);
  for (let loop = 0; loop < 2; loop += 1) {
    const types: string[] = [];
    for await (const { type } of followed.value.events) types.push(type);
    expect([types.length, types[0], types.at(-1)]).toEqual([31, "plan-approved", "run-finished"]);
  }
});

test("a refusal is a value with the exit code of the command line", async () => {
  const { root } = await projectWith({ a: "" });
  expect(await readRun({ cwd: root })).toMatchObject({ ok: false, failure: { reason: "no-run", exitCode: 2 } });
  expect(await followRun({ cwd: root, run: "typo" })).toMatchObject({ ok: false, failure: { exitCode: 2 } });
  expect((await readRun({ cwd: tempDir() })).ok).toBe(false);
});
