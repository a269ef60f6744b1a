import { expect, test } from "vitest";
import { noSpending } from "../../../src/engine/spending.ts";
import type { SessionPort } from "../../../src/agents/session-port.ts";
import { noFaults } from "../../sim/chances.ts";
import { come, key, planFile, planText, rest, signal, stillOwn, stage, type Stage } from "../../sim/stage.ts";

const request = {
  key,
  role: "executor",
  prompt: "",
  inbox: new Map(),
  signal,
  started: () => {},
  used: () => {},
} as const;
async function given(options: Parameters<typeof stage>[0] = {}) {
  const staged = stage(options);
  await come(staged, staged.repo.giveWorkspace(key, { base: staged.base, signal, stillOwn }));
  return staged;
}

/** Begins a session and lets time go on until its agent works. */
async function begun(staged: Stage, more: Partial<Parameters<SessionPort["run"]>[0]> = {}) {
  const session = staged.sessions.run({ ...request, ...more });
  session.catch(() => {});
  while (staged.world.agents.living().length === 0) await staged.timeline.step();
  return { session, agent: staged.world.agents.all[0]! };
}

test("an honest agent makes its task's checks green, and its account never shrinks", async () => {
  const staged = await given();
  const told = [noSpending];
  const { session } = await begun(staged, { used: (spending) => told.push(spending) });
  const end = await come(staged, session);
  expect(end.outcome).toEqual({ kind: "ok" });
  expect(end.usage).toEqual(told.at(-1));
  const tokens = told.map(({ inputTokens }) => inputTokens);
  expect(tokens).toEqual(tokens.toSorted((a, b) => a - b));
  const [workspace] = staged.repository.workspaces.values();
  expect(workspace?.files.get("a.txt")).toBe("ready\n");
  expect(workspace?.files.get("shared.txt")).toBe("base\nby-a\n");
});

test("an agent whose start cannot be recorded dies before it does anything", async () => {
  const staged = await given();
  const full = new Error("the disk is full");
  const started = () => {
    throw full;
  };
  await expect(come(staged, staged.sessions.run({ ...request, started }))).rejects.toBe(full);
  await rest(staged);
  expect(staged.world.agents.all.map(({ process, isHeld }) => [process.isAlive, isHeld])).toEqual([[false, true]]);
  const [workspace] = staged.repository.workspaces.values();
  expect(workspace?.touchedBy).toBeNull();
});

test("an aborted session ends as interrupted and leaves nobody behind", async () => {
  const staged = await given({ executors: { hangs: 1 } });
  const stop = new AbortController();
  const { session, agent } = await begun(staged, { signal: stop.signal });
  stop.abort();
  expect((await come(staged, session)).outcome.kind).toBe("interrupted");
  expect(agent.process.isAlive).toBe(false);
});

test("an orphan continues writing; the next driver ends the very process that is recorded, and no other with its pid", async () => {
  const staged = await given({ faults: { ...noFaults, orphan: 1 }, executors: { hangs: 1 } });
  const { world, driver, repository } = staged;
  const { agent } = await begun(staged);
  driver.kill();
  while (repository.workspaces.values().next().value?.touchedBy !== agent.process) await staged.timeline.step();
  expect(agent.process.isAlive).toBe(true);
  const { identity } = agent.process;
  const namesake = world.spawn("somebody else", identity.pid);
  const { sessions } = staged.driverOf(world.spawn("driver"));
  const recorded = { role: "executor", identity: namesake.identity, marker: agent.marker } as const;
  expect(await come(staged, sessions.end({ task: "b", attempt: 1 }, recorded))).toEqual(noSpending);
  expect(agent.process.isAlive).toBe(true);
  const used = await come(staged, sessions.end(key, { ...recorded, identity }));
  expect([agent.process.isAlive, namesake.isAlive]).toEqual([false, true]);
  expect(used).toEqual(agent.used);
});

test("without orphans an agent dies with its driver", async () => {
  const staged = await given({ executors: { hangs: 1 } });
  const { agent } = await begun(staged);
  staged.driver.kill();
  expect(agent.process.isAlive).toBe(false);
});

test("a power loss may take what agents wrote, and nothing else", async () => {
  const lost = new Set<string | undefined>();
  for (let seed = 0; seed < 30; seed += 1) {
    const staged = await given({ seed });
    const { repository, base, repo, world } = staged;
    const [[dir, workspace] = ["", undefined]] = repository.workspaces;
    repository.write(dir, ["shared.txt", "work\n"], null);
    await come(staged, repo.collect(key, { base, signal }));
    const refs = new Map(repository.refs);
    repository.powerLoss(world.dice);
    lost.add(workspace?.files.get("shared.txt"));
    expect(workspace?.files.get(planFile)).toBe(planText);
    expect(repository.refs).toEqual(refs);
  }
  expect([...lost].toSorted()).toEqual(["", "base\n", "work\n"]);
});
