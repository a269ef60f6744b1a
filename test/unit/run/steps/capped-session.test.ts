import { expect, test } from "vitest";
import type { SessionEnd, SessionPort } from "../../../../src/agents/session-port.ts";
import type { Spending } from "../../../../src/engine/session.ts";
import { noSpending } from "../../../../src/engine/spending.ts";
import type { Run } from "../../../../src/run/run.ts";
import { runCapped } from "../../../../src/run/steps/capped-session.ts";
import { spec, World } from "../../../rig/world.ts";

type Session = (request: Parameters<SessionPort["run"]>[0]) => Promise<Partial<SessionEnd>>;

/** Runs a session under a cap of one dollar. The grace before a cap is over at once. */
async function runUnderCap(session: Session, signal = new AbortController().signal) {
  const world = new World([spec("a")], { budgetUsd: 1 });
  const written: string[] = [];
  const ends: SessionEnd[] = [];
  const base = { report: null, reportProblem: null, sessionId: null, model: null };
  const run = {
    state: world.state,
    live: new Map(),
    stillOwn: () => undefined,
    ports: {
      clock: {
        after: (_: number, wake: () => void) => {
          queueMicrotask(wake);
          return () => undefined;
        },
      },
      documents: { attemptDir: () => "/attempt", write: (path: string) => written.push(path) },
      sessions: {
        run: async (request: Parameters<Session>[0]) => ({
          ...{ ...base, outcome: { kind: "ok" }, usage: noSpending },
          ...(await session(request)),
        }),
      },
    },
  } as unknown as Run;
  const key = { task: "a", attempt: 1 };
  const parts = { key, role: "executor", prompt: "work", inbox: new Map(), started: () => undefined } as const;
  const done = runCapped(run, { ...parts, of: "a", signal, ended: (end) => ends.push(end) });
  await done.catch(() => undefined);
  return { done, run, written, end: ends[0] };
}

const dollars = (usd: number): Spending => ({ ...noSpending, usd });

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
}

test("a session below its cap ends by itself, and its prompt is kept", async () => {
  const { end, written, run } = await runUnderCap(async ({ used }) => {
    used(dollars(0.5));
    return { usage: dollars(0.5) };
  });
  expect(end).toMatchObject({ outcome: { kind: "ok" }, usage: { usd: 0.5 } });
  expect(written).toEqual(["/attempt/prompt.md"]);
  expect(run.live.size).toBe(0);
});

test("a session that reaches the cap is ended, and what it had used counts although it reports less at the end", async () => {
  const { end } = await runUnderCap(async ({ used, signal }) => {
    used(dollars(2));
    await aborted(signal);
    return { outcome: { kind: "interrupted", detail: "" }, usage: dollars(0.1) };
  });
  expect(end).toMatchObject({ outcome: { kind: "budget" }, usage: { usd: 2 } });
});

test("work whose last word reaches the cap is done and paid for", async () => {
  const { end } = await runUnderCap(async ({ used, lastWord, signal }) => {
    lastWord?.();
    used(dollars(2));
    await new Promise((resolve) => setImmediate(resolve));
    return { outcome: signal.aborted ? { kind: "interrupted", detail: "" } : { kind: "ok" }, usage: dollars(2) };
  });
  expect(end).toMatchObject({ outcome: { kind: "ok" }, usage: { usd: 2 } });
});

test("a session that throws leaves nothing running and journals no end", async () => {
  const { done, end, run } = await runUnderCap(() => Promise.reject(new Error("no agent")));
  await expect(done).rejects.toThrow("no agent");
  expect([end, run.live.size]).toEqual([undefined, 0]);
});
