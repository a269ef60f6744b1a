import type { ProcessIdentity, Spending } from "../../src/engine/session.ts";
import { noSpending, spendingOf } from "../../src/engine/spending.ts";
import type { RunState } from "../../src/engine/state.ts";
import { runPaths } from "../../src/project/paths.ts";
import type { AttemptKey } from "../../src/engine/session.ts";
import { withFalseStart } from "../../src/agents/driver-kit/false-start.ts";
import type { SessionEnd, SessionPort } from "../../src/agents/session-port.ts";
import { executorScript, judgeScript, type Ending, type Script } from "./agent-work.ts";
import { span } from "./chances.ts";
import { Killed, type SimProcess } from "./process.ts";
import type { Surroundings } from "./surroundings.ts";
import { nameOf } from "./workspaces.ts";

/** One agent that was ever started. */
export interface Agent {
  readonly process: SimProcess;
  /** Whose child it is. */
  readonly driver: SimProcess;
  readonly run: string;
  readonly key: AttemptKey;
  /** Its workspace. */
  readonly dir: string;
  readonly marker: string;
  /** A pause lets it finish. */
  readonly endsTurn: boolean;
  readonly script: Script;
  /** The task as it was given to it; a judge gets none. */
  readonly told: string | null;
  readonly startedAt: number;
  /** It has not been released: it has done nothing, and dies with its driver. */
  isHeld: boolean;
  used: Spending;
  /** How it ended by itself; null where it was killed, or lives. */
  ending: Ending | null;
}

/** All agents that ever were. */
export class Agents {
  readonly all: Agent[] = [];
  /** Told when one begins to work. */
  released: (agent: Agent) => void = () => {};

  living(): Agent[] {
    return this.all.filter(({ process }) => process.isAlive);
  }

  /** The very same process, not one with its pid. */
  find(identity: ProcessIdentity): Agent | undefined {
    return this.all.find(({ process }) => isSame(process.identity, identity));
  }
}

type Request = Parameters<SessionPort["run"]>[0];

/** Sessions as one driver starts and ends them. */
export function sessionPort(world: Surroundings, driver: SimProcess, state: RunState): SessionPort {
  const { dice, agents } = world;
  const paths = runPaths(world.paths, state.run);
  return {
    run: async (request) => {
      const fails = dice.chance(world.faults.session);
      await driver.call("prepare a session", { ms: span(dice) }, () => {
        if (fails) throw new Error("The agent cannot be started: there is no such program.");
      });
      if (request.signal.aborted) return { ...noSession, outcome: interrupted };
      const agent = hold(world, driver, { request, state });
      release(world, agent, request);
      return await attend(world, driver, { agent, request });
    },
    end: async (key, { identity, marker }) => {
      const recorded = await driver.call("look for a session", { ms: span(dice) }, () => agents.find(identity));
      if (recorded !== undefined && recorded.marker !== marker)
        throw new Error(`Internal error: expected the marker ${recorded.marker}, but was ${marker}`);
      const dir = paths.workspace(key);
      const left = agents.living().filter((agent) => agent === recorded || agent.dir === dir);
      if (left.length > 0 && dice.chance(world.faults.session))
        throw new Error(`Processes of ${key.task} cannot be ended. End them, then run \`stint resume\`.`);
      await driver.call("end a session", { ms: span(dice) }, () => left.forEach(({ process }) => process.kill()));
      return recorded?.used ?? noSpending;
    },
  };
}

const noSession = { report: null, reportProblem: null, usage: noSpending, sessionId: null, model: null };
/** What a driver says of a session that it ended. */
export const interrupted = { kind: "interrupted", detail: "stopped by Stint" } as const;

/** Its process exists and waits; it dies with its driver, or else lives on without one. */
function hold(
  world: Surroundings,
  driver: SimProcess,
  { request: { key, inbox }, state }: { readonly request: Request; readonly state: RunState },
): Agent {
  driver.reach("start an agent");
  const task = key.judge === undefined ? inbox.get("task.md") : undefined;
  const agent: Agent = {
    process: world.spawn(`agent of ${nameOf(key)}`),
    driver,
    run: state.run,
    key,
    dir: runPaths(world.paths, state.run).workspace(key),
    marker: `STINT_OUTBOX=${state.run}/${nameOf(key)}`,
    endsTurn: world.dice.chance(0.6),
    script: key.judge === undefined ? executorScript(world, state, key) : judgeScript(world),
    told: task === undefined ? null : Buffer.from(task).toString("utf8"),
    startedAt: world.timeline.elapsed(),
    isHeld: true,
    used: noSpending,
    ending: null,
  };
  world.agents.all.push(agent);
  driver.onDeath(() => {
    if (agent.process.isAlive && (agent.isHeld || !world.dice.chance(world.faults.orphan))) agent.process.kill();
  });
  return agent;
}

/** One that could not be recorded must not begin. */
function release({ agents }: Surroundings, agent: Agent, { started }: Request): void {
  try {
    started(agent.process.identity, agent.marker, agent.endsTurn);
    agent.driver.reach("release an agent");
    agent.isHeld = false;
    agents.released(agent);
  } catch (error) {
    agent.process.kill();
    throw error;
  }
}

/** Lets it work and hears of it, until it is dead. */
function attend(
  world: Surroundings,
  driver: SimProcess,
  { agent, request }: { readonly agent: Agent; readonly request: Request },
): Promise<SessionEnd> {
  const { signal } = request;
  return new Promise<SessionEnd>((resolve, reject) => {
    let isOver = false;
    const end = (): void => agent.process.kill();
    const abort = (): void => void driver.after(span(world.dice) % 5_000, end);
    const tell = (say: () => void) =>
      driver.after(0, () => {
        if (isOver) return;
        try {
          say();
        } catch (error) {
          // What becomes of the agents of a dead driver was decided when it died.
          if (error instanceof Killed) return;
          reject(error);
          end();
        }
      });
    agent.process.onDeath(() =>
      driver.after(span(world.dice), () => {
        isOver = true;
        signal.removeEventListener("abort", abort);
        const durationMs = world.timeline.elapsed() - agent.startedAt;
        const end = endOf(agent, signal.aborted);
        const program = withFalseStart(end.outcome, { durationMs, usedTools: hasWritten(agent) });
        resolve({ ...end, agent: "sim", program });
      }),
    );
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    work(world, agent, {
      used: () => tell(() => request.used(agent.used)),
      lastWord: () => tell(() => request.lastWord?.()),
    });
  });
}

/** Whatever it did while it was being stopped, it may have done because of that. */
function endOf({ ending, used, key, process }: Agent, isAborted: boolean): SessionEnd {
  const killed = { kind: "crashed", detail: "killed by SIGKILL" } as const;
  const { outcome, report, reportProblem } = ending ?? { outcome: killed, report: null, reportProblem: null };
  const sessionId = `session-${process.identity.startTime}`;
  const end = {
    outcome: isAborted ? interrupted : outcome,
    report,
    reportProblem,
    usage: used,
    sessionId,
    model: null,
  };
  if (key.judge === undefined) return end;
  return { ...end, judgement: ending?.judgement ?? { problem: "the outbox holds no judgement" } };
}

/** One that begins to work writes at least one file. */
function hasWritten({ script }: Agent): boolean {
  return script.writes.length > 0;
}

interface Ears {
  readonly used: () => void;
  readonly lastWord: () => void;
}

/** Does what its script says, one thing after another, each in its own time; an orphan as well. */
function work(world: Surroundings, agent: Agent, ears: Ears): void {
  const { dice, repository } = world;
  const { process, script, dir } = agent;
  const money = dice.pick(["always", "never", "at last"] as const);
  const spend = (isLast: boolean) => () => {
    agent.used = spentMore(agent.used, dice.below(1_000), money === "always" || (isLast && money === "at last"));
    ears.used();
  };
  const writes = script.writes.map((write) => () => {
    const workspace = repository.workspaces.get(dir);
    if (workspace !== undefined) repository.write(dir, write(workspace.files), process);
  });
  const moves = [
    ...writes.flatMap((write) => (dice.chance(0.3) ? [spend(false), write] : [write])),
    spend(true),
    ...(dice.chance(0.5) ? [ears.lastWord] : []),
  ];
  const go = (at: number): void => {
    const move = moves[at];
    const wait = span(dice) + (move === undefined ? script.idleMs : 0);
    process.after(wait, () => {
      if (move === undefined) return finish(agent);
      move();
      go(at + 1);
    });
  };
  go(0);
}

function finish(agent: Agent): void {
  agent.ending = agent.script.ending;
  agent.process.kill();
}

function spentMore({ inputTokens, outputTokens, usd }: Spending, tokens: number, tellsMoney: boolean): Spending {
  const [input, output] = [inputTokens + 100 + tokens, outputTokens + 10];
  return spendingOf({ inputTokens: input, outputTokens: output, usd: tellsMoney ? (input + output) / 10_000 : usd });
}

function isSame(a: ProcessIdentity, b: ProcessIdentity): boolean {
  return a.pid === b.pid && a.startTime === b.startTime && a.bootId === b.bootId;
}
