import { expect, test } from "vitest";
import type { RunEvent } from "../../../../src/engine/events.ts";
import type { Outcome } from "../../../../src/engine/session.ts";
import { runLimits } from "../../../../src/run/limits.ts";
import type { Collected } from "../../../../src/run/ports.ts";
import type { Run } from "../../../../src/run/run.ts";
import { collectWork } from "../../../../src/run/steps/collect.ts";
import { spec, usage, World } from "../../../rig/world.ts";

const of = { task: "a", attempt: 1 };
const candidate = { kind: "candidate", commit: "c", paths: ["a.txt"], diff: "d" } as const;

/** Collects what a session left that ended so; returns the last event and the workspaces that were removed. */
async function collect(collected: Collected, outcome: Outcome = { kind: "ok" }) {
  const world = new World([spec("a")]);
  world.add({ type: "attempt-started", ...of, base: "base", role: "executor" });
  world.add({ type: "agent-finished", ...of, outcome, report: null, reportProblem: null, usage });
  const removed: unknown[] = [];
  const repo = {
    collect: async () => collected,
    removeWorkspace: (key: unknown) => removed.push(key),
    rescueRef: () => "refs/rescue",
    workspacePath: () => "/workspaces/a.1",
  };
  const append = (event: RunEvent) => world.add(event);
  const run = { state: world.state, ports: { repo }, append } as unknown as Run;
  await collectWork(run, "a", new AbortController().signal);
  return { event: world.events.at(-1), removed };
}

test("a session that went well leaves a candidate, and its workspace goes", async () => {
  const { event, removed } = await collect(candidate);
  expect(event).toMatchObject({ type: "candidate-made", commit: "c", paths: ["a.txt"], pathCount: 1 });
  expect(removed).toEqual([of]);
});

test("of very many paths the journal keeps the first and the count", async () => {
  const paths = Array.from({ length: runLimits.pathsJournaledMax + 1 }, (_, index) => `${index}.txt`);
  const { event } = await collect({ ...candidate, paths });
  expect(event).toMatchObject({ paths: paths.slice(0, -1), pathCount: paths.length });
});

test("a session that was cut short leaves rescued work and no candidate", async () => {
  const { event } = await collect(candidate, { kind: "interrupted", detail: "" });
  expect(event).toEqual({ type: "work-rescued", ...of, commit: "c", ref: "refs/rescue", keptAt: null });
});

test("a session that claims to be done and changed nothing has failed", async () => {
  const { event } = await collect({ kind: "empty" });
  expect(event).toMatchObject({ type: "verdict", result: "failed", reason: "no-change" });
});

test("what cannot become a commit is refused by name, and the workspace is kept", async () => {
  const { event, removed } = await collect({ kind: "refused", problems: [{ path: "pipe", why: "is a pipe" }] });
  expect(event).toMatchObject({ type: "verdict", reason: "guard", guards: [{ guard: "tree", path: "pipe" }] });
  expect(event).toMatchObject({ why: "pipe: is a pipe (the workspace is kept at /workspaces/a.1)" });
  expect(removed).toEqual([]);
});

test("a workspace that is gone is said to be lost", async () => {
  const { event } = await collect({ kind: "missing" });
  expect(event).toEqual({ type: "work-lost", ...of, path: "/workspaces/a.1" });
});
