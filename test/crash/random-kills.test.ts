import { canConfine } from "../rig/sandbox-world.ts";
import { expect, test } from "vitest";
import { diceOf } from "../rounds/dice.ts";
import { roundOf } from "../rounds/generate.ts";
import { play } from "../rounds/play.ts";
import type { Round } from "../rounds/round.ts";
import { driveUnder, type Tally } from "../rounds/strike.ts";
import { strikesOf, type Victim } from "../rounds/strikes.ts";

/** STINT_KILLS=2000 kills more often than a landing has time for; STINT_KILL_SEED=n plays the run of one seed. */
const { STINT_KILLS: wanted = "200", STINT_KILL_SEED: only } = process.env;
const killsOfRun = 40;
const kills = new Map<Victim["kind"], number>();

test(
  `A run with two lanes is killed at random moments, again and again, ${wanted} times in all: nothing is lost.`,
  { timeout: 60_000 + Number(wanted) * 3000 },
  async () => {
    const violations: string[] = [];
    let seed = 0;
    const lane = async (): Promise<void> => {
      while (!tally.isFull() && violations.length === 0) violations.push(...(await playSeed((seed += 1))));
    };
    if (only === undefined) await Promise.all([lane(), lane(), lane()]);
    else violations.push(...(await playSeed(Number(only))));
    const told = [...kills].map(([kind, times]) => `${kind} ${times}`).join(", ");
    process.stdout.write(`${total()} kills in ${only === undefined ? seed : 1} runs: ${told}\n`);
    expect(violations).toEqual([]);
    if (total() >= 200) expect([...kills.keys()].toSorted()).toEqual(everyKind);
  },
);

const tally: Tally = {
  add: (kind) => void kills.set(kind, (kills.get(kind) ?? 0) + 1),
  isFull: () => only === undefined && total() >= Number(wanted),
};
const everyKind = ["agent", "command", "driver", "everything", "group"];

async function playSeed(seed: number): Promise<readonly string[]> {
  const begun = performance.now();
  const strikes = strikesOf(diceOf(seed), killsOfRun);
  const {
    violations,
    lines,
    kills: deaths,
  } = await play(roundFor(seed), async (rig) => driveUnder(rig, strikes, tally));
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  process.stdout.write(`seed ${seed}: ${deaths} deaths, ${lines.length} events, ${seconds} s\n`);
  return violations.map((violation) => `STINT_KILL_SEED=${seed}: ${violation}`);
}

/** Plans of three tasks, because a kill is what counts; enough attempts that killed agents do not use them up. */
function roundFor(seed: number): Round {
  const round = roundOf(3 * seed + 1);
  // With a sandbox, rooms and workspaces are layers above trees that they share.
  const sandbox = canConfine && seed % 2 === 0 ? "bwrap" : "none";
  return { ...round, tasks: round.tasks.slice(0, 3), lanes: 2, sandbox, attempts: 50 };
}

function total(): number {
  return [...kills.values()].reduce((sum, times) => sum + times, 0);
}
