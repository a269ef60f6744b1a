import { expect, test } from "vitest";
import type { RunEvent } from "../../../../src/engine/events.ts";
import type { Collected } from "../../../../src/run/ports.ts";
import type { Run } from "../../../../src/run/run.ts";
import { giveWorkspace, takeBackWorkspace } from "../../../../src/run/steps/give.ts";
import { spec, World } from "../../../rig/world.ts";

const never = new AbortController().signal;
const key = { task: "a", attempt: 1 };
const now: Collected = { kind: "candidate", commit: "now", paths: [], diff: "" };

test("a person gets a fresh workspace on the base of the attempt, and the journal names it", async () => {
  const world = new World([spec("a")]);
  world.add({ type: "attempt-started", ...key, base: "base", role: "executor" });
  const given: unknown[] = [];
  const repo = {
    giveWorkspace: async (of: unknown, { base }: { base: string }) => void given.push([of, base]),
    workspacePath: () => "/workspaces/a.1",
  };
  const append = (event: RunEvent) => world.add(event);
  await giveWorkspace({ state: world.state, ports: { repo }, append } as unknown as Run, "a", never);
  expect(given).toEqual([[key, "base"]]);
  expect(world.events.at(-1)).toEqual({ type: "workspace-given", ...key, path: "/workspaces/a.1" });
});

/** Says whether the workspace is removed once its work has landed. */
async function isRemoved(collect: () => Promise<Collected>, changed: number, candidate: string | null = "submitted") {
  let removed = false;
  const repo = {
    collect,
    changes: async () => Array.from({ length: changed }),
    removeWorkspace: () => (removed = true),
  };
  await takeBackWorkspace({ ports: { repo } } as unknown as Run, { key, base: "base", candidate }, never);
  return removed;
}

test("a workspace goes only where it is still what was submitted", async () => {
  expect(await isRemoved(async () => now, 0)).toBe(true);
  expect(await isRemoved(async () => now, 1)).toBe(false);
  expect(await isRemoved(async () => now, 0, null)).toBe(false);
  expect(await isRemoved(async () => ({ kind: "refused", problems: [] }), 0)).toBe(false);
});

test("a workspace that cannot be looked at stays, and the landed work is not disturbed", async () => {
  expect(await isRemoved(() => Promise.reject(new Error("EACCES")), 0)).toBe(false);
});
