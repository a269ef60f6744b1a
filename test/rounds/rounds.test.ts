import { afterAll, expect, test } from "vitest";
import { roundOf } from "./generate.ts";
import type { Line } from "./oracle-journal.ts";
import { play } from "./play.ts";

/** As many of the 200 seeds as a landing has time for; STINT_ROUNDS=200 plays them all, STINT_ROUND_SEED=n one. */
const { STINT_ROUND_SEED: only, STINT_ROUNDS: count = "35" } = process.env;
const seeds = only === undefined ? Array.from({ length: Number(count) }, (_, at) => at + 1) : [Number(only)];
const happened = new Map<string, number>();

test.concurrent.for(seeds)(
  "The round of seed %i ends with every task on a green branch once, and nothing lost.",
  async (seed) => {
    const begun = performance.now();
    const round = roundOf(seed);
    const { violations, lines, kills } = await play(round);
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    const told = violations.length === 0 ? "ok" : violations.join("\n  ");
    process.stdout.write(`seed ${seed}, ${round.lanes} lanes, ${seconds} s: ${told}\n`);
    note("driver died", kills);
    note(`${mostSessions(lines)} sessions at once (rounds)`);
    for (const line of lines) noteLine(line);
    expect(violations, `Repeat it: STINT_ROUND_SEED=${seed} npm run suite rounds`).toEqual([]);
  },
);

test.runIf(seeds.length >= 30)("The rounds met conflicts, deaths and failures.", () => {
  // Whether two edits meet in one line depends on who is quicker: a few of fifty rounds have it.
  const rare = seeds.length >= 150 ? ["conflict of text"] : [];
  for (const what of ["driver died", "conflict by checks", "failed: guard", "failed: crashed", ...rare]) {
    expect(happened.get(what) ?? 0, what).toBeGreaterThan(0);
  }
});

afterAll(() => {
  const rows = [...happened].map(([what, times]) => `${what.padEnd(32)} ${String(times).padStart(5)}`).toSorted();
  process.stdout.write(`${seeds.length} rounds were played; this happened in them:\n${rows.join("\n")}\n`);
});

function noteLine({ type, result, reason, checks }: Line): void {
  if (type === "verdict" && result === "failed") note(`failed: ${reason}`);
  if (type === "verdict" && result === "conflict")
    note(checks?.length === 0 ? "conflict of text" : "conflict by checks");
  if (type === "agent-started") note("sessions");
  if (type === "work-rescued" || type === "task-integrated") note(type);
}

function note(what: string, times = 1): void {
  happened.set(what, (happened.get(what) ?? 0) + times);
}

function mostSessions(lines: readonly Line[]): number {
  let [now, most] = [0, 0];
  for (const { type } of lines) {
    if (type === "agent-started") now += 1;
    if (type === "agent-finished") now -= 1;
    most = Math.max(most, now);
  }
  return most;
}
