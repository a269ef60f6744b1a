import { expect, test } from "vitest";
import type { SessionPort } from "../../../../src/agents/session-port.ts";
import type { RunEvent } from "../../../../src/engine/events.ts";
import { noSpending } from "../../../../src/engine/spending.ts";
import type { Run } from "../../../../src/run/run.ts";
import { endSession, workOnTask } from "../../../../src/run/steps/session.ts";
import { briefing } from "../../../rig/briefing.ts";
import { makes } from "../../../rig/plan.ts";
import { spec, World } from "../../../rig/world.ts";

const of = { task: "01-a", attempt: 1 };
const identity = { pid: 4711, startTime: "1", bootId: "b" };

/** A run whose task has just begun; `order` is what happened to the world, in order. */
function staged() {
  const world = new World([spec("01-a")]);
  world.add({ type: "attempt-started", ...of, base: "base", role: "escalation" });
  const order: string[] = [];
  const end = { outcome: { kind: "ok" }, report: null, reportProblem: null, sessionId: "s", model: "m" } as const;
  const sessions: SessionPort = {
    run: async ({ key, role, prompt, inbox, started }) => {
      order.push(`session of ${key.task}.${key.attempt} as ${role}`);
      expect(prompt).toContain("01-a");
      expect(inbox.size).toBeGreaterThan(0);
      started(identity, "marker", true);
      return { ...end, usage: { ...noSpending, usd: 2 } };
    },
    end: async (key, recorded) => {
      order.push(`ended ${key.task} of process ${recorded.identity.pid} as ${recorded.role}`);
      return { ...noSpending, usd: 1 };
    },
  };
  const repo = {
    giveWorkspace: async (_: unknown, { base }: { base: string }) => void order.push(`workspace on ${base}`),
    inputs: async () => ({ files: new Map(), leftOut: [] }),
  };
  const { plan, rules, prompts, documents } = briefing({ "01-a": makes("a.txt") }, "01-a");
  const run = {
    ...{ plan, rules, prompts, documents, state: world.state, live: new Map(), stillOwn: () => undefined },
    ports: { sessions, repo, clock: {}, documents: { attemptDir: () => "/attempt", write: () => undefined } },
    append: (event: RunEvent) => world.add(event),
  } as unknown as Run;
  return { run, order, world };
}

test("an agent gets a workspace on the base first; its process is journaled, then how it ended", async () => {
  const { run, order, world } = staged();
  await workOnTask(run, "01-a", new AbortController().signal);
  expect(order).toEqual(["workspace on base", "session of 01-a.1 as escalation"]);
  expect(world.events.slice(-2)).toMatchObject([
    { type: "agent-started", ...of, process: identity, marker: "marker" },
    { type: "agent-finished", ...of, outcome: { kind: "ok" }, usage: { usd: 2 }, model: "m" },
  ]);
});

test("a session of a dead driver is ended by the process that the journal names, and its cost is kept", async () => {
  const { run, order, world } = staged();
  await expect(endSession(run, "01-a")).rejects.toThrow("expected a recorded process");
  world.add({ type: "agent-started", ...of, process: identity, marker: "marker" });
  await endSession(run, "01-a");
  expect(order).toEqual(["ended 01-a of process 4711 as escalation"]);
  expect(world.events.at(-1)).toMatchObject({
    ...{ type: "agent-finished", ...of, outcome: { kind: "interrupted" }, usage: { usd: 1 } },
  });
});
