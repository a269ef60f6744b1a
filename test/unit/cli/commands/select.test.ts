import { expect, test } from "vitest";
import { openRunToCommand, subjectTask } from "../../../../src/cli/commands/select.ts";
import { lockToDrive } from "../../../../src/project/driver-lock.ts";
import { recordedIo } from "../../../rig/io.ts";
import { layNewRun, projectWith } from "../../../rig/project.ts";

/** Two plans with an unfinished run each; returns which run is found, or why none. */
async function twoRuns(driven: readonly string[] = []) {
  const { root, project } = await projectWith({ a: "" });
  layNewRun(project.paths, { plan: "p", number: 1, tasks: ["one", "both"] }, "2026-11-11T10:00:00Z");
  layNewRun(project.paths, { plan: "q", number: 1, tasks: ["two", "both"] }, "2026-11-12T10:00:00Z");
  const io = { ...recordedIo().io, cwd: root, env: project.env };
  return async (...[name, subject]: [string?, Parameters<typeof openRunToCommand>[2]?]) => {
    const locks = await Promise.all(driven.map((plan) => lockToDrive(project.paths, plan)));
    const found = await openRunToCommand(io, name, subject);
    for (const lock of locks) if (lock.ok) lock.value.release();
    return found.ok ? found.value.state.plan : found.failure.message;
  };
}

test("among several unfinished runs, a command is for the only one that has its task", async () => {
  const find = await twoRuns();
  expect(await find(undefined, subjectTask("one"))).toBe("p");
  expect(await find(undefined, subjectTask("two"))).toBe("q");
  expect(await find(undefined, subjectTask("both"))).toBe("which run? Name one with --run: p#1, q#1");
  expect(await find(undefined, subjectTask("none"))).toBe("no unfinished run has task none. There are: p#1, q#1");
  expect(await find()).toBe("which run? Name one with --run: p#1, q#1");
});

test("what is for a run in progress means the only one that a process drives, and asks where that is none or several", async () => {
  expect(await (await twoRuns(["q"]))(undefined, "driven")).toBe("q");
  const which = "which run? Name one with --run: p#1, q#1";
  expect(await (await twoRuns())(undefined, "driven")).toBe(which);
  expect(await (await twoRuns(["p", "q"]))(undefined, "driven")).toBe(which);
});

test("a run in progress is not meant by other commands, nor if another one is named", async () => {
  const find = await twoRuns(["q"]);
  expect(await find()).toBe("which run? Name one with --run: p#1, q#1");
  expect(await find("p#1", "driven")).toBe("p");
});

test("a run that is named is meant, whatever it has; a path of its plan names it, too", async () => {
  const find = await twoRuns();
  expect(await find("p#1", subjectTask("two"))).toBe("p");
  expect(await find("plans/q.md")).toBe("q");
});

test("the only unfinished run is meant even without the task, which it then says itself", async () => {
  const { root, project } = await projectWith({ a: "" });
  layNewRun(project.paths, { plan: "p", number: 1 }, "2026-11-11T10:00:00Z");
  const io = { ...recordedIo().io, cwd: root, env: project.env };
  expect(await openRunToCommand(io, undefined, subjectTask("none"))).toMatchObject({ ok: true });
});
