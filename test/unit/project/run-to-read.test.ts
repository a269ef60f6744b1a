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

test("a run is found by a path of its plan, from the folder where it is typed or from the root", async () => {
  const { paths, at } = await repository();
  const run = layNewRun(paths, { plan: "greet", number: 1 }, "2026-11-11T10:00:00Z");
  const plans = join(at.cwd, "plans");
  for (const folder of ["plans/greet", "src"]) mkdirSync(join(at.cwd, folder), { recursive: true });
  for (const [cwd, asked] of [
    [at.cwd, "plans/greet.md"],
    [at.cwd, "plans/greet/"],
    [at.cwd, join(plans, "greet/plan.md")],
    [plans, "greet.md"],
    [join(plans, "greet"), "plan.md"],
    [join(at.cwd, "src"), "plans/greet.md"],
  ] as const)
    expect(await openRunToRead({ ...at, cwd }, asked), asked).toMatchObject({ ok: true, value: { state: { run } } });
  const typo = await openRunToRead(at, "plans/gret.md");
  expect(typo.ok ? "" : typo.failure.message).toBe("no run plans/gret.md. There are: greet#1");
  const inside = await openRunToRead({ ...at, cwd: plans }, "greet#2");
  expect(inside.ok ? "" : inside.failure.message).toBe("no run greet#2. There are: greet#1");
});

test("of a task the newest run that has it is read, with the others in progress that have it, too", async () => {
  const { paths, at } = await repository();
  const one = (plan: string, tasks: string[], day: number) =>
    layNewRun(paths, { plan, number: 1, tasks }, `2026-11-1${day}T10:00:00Z`);
  const [first, second] = [one("p", ["mine", "both"], 1), one("q", ["both"], 2)];
  const read = async (task: string) => {
    const opened = await openRunToRead(at, undefined, task);
    return opened.ok ? [opened.value.state.run, ...opened.value.alike.map(({ run }) => run)] : [];
  };
  expect(await read("mine")).toEqual([first]);
  expect(await read("both")).toEqual([second, first]);
  expect(await read("unknown")).toEqual([second]);
});
