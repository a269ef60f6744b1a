import { afterAll, expect, test } from "vitest";
import { roundOf } from "./generate.ts";
import type { Line } from "./oracle-journal.ts";
import { play } from "./play.ts";

const { STINT_ROUND_SEED: only, STINT_ROUNDS: count = "60" } = process.env;
const seeds = only === undefined ? Array.from({ length: Number(count) }, (_, at) => at + 1) : [Number(only)];
const happened = new Map<string, number>();

test.concurrent.for(seeds)(
  "The round of seed %i ends with every task on a green branch once, and nothing lost.",
  async (seed) => {
    const begun = performance.now();
    const { violations, lines, kills } = await play(roundOf(seed));
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    process.stdout.write(`seed ${seed}: ${violations.length === 0 ? "ok" : violations.join("\n  ")} (${seconds} s)\n`);
    note("deaths of drivers", kills);
    for (const line of lines) noteLine(line);
    expect(violations, `Repeat it: STINT_ROUND_SEED=${seed} npm run test:rounds`).toEqual([]);
  },
);

afterAll(() => {
  const rows = [...happened].map(([what, times]) => `${what.padEnd(34)} ${String(times).padStart(5)}`).toSorted();
  process.stdout.write(`${seeds.length} rounds were played; this happened in them:\n${rows.join("\n")}\n`);
});

function noteLine({ type, result, reason }: Line): void {
  if (type === "verdict") note(`verdict ${result}${typeof reason === "string" ? ` (${reason})` : ""}`);
  if (type === "agent-started") note("sessions");
  if (type === "work-rescued" || type === "task-integrated") note(type);
}

function note(what: string, times = 1): void {
  happened.set(what, (happened.get(what) ?? 0) + times);
}
