import { expect, test } from "vitest";
import { roundOf } from "./generate.ts";
import { troubles, troublesOf } from "./round.ts";

const rounds = Array.from({ length: 200 }, (_, at) => roundOf(at + 1));

test("A seed always makes the same round, and another seed another one.", () => {
  expect(rounds.map(({ seed }) => roundOf(seed))).toEqual(rounds);
  expect(new Set(rounds.map((round) => JSON.stringify({ ...round, seed: 0 }))).size).toBe(rounds.length);
});

test("Two hundred seeds hold every kind of trouble many times, on 4 and on 8 lanes.", () => {
  const count = (lanes: number, trouble: (typeof troubles)[number]): number =>
    rounds.filter((round) => round.lanes === lanes && troublesOf(round).has(trouble)).length;
  const table = troubles.map((trouble) => ({ trouble, four: count(4, trouble), eight: count(8, trouble) }));
  const rows = table.map(
    ({ trouble, four, eight }) => `${trouble.padEnd(34)} ${String(four).padStart(4)} ${String(eight).padStart(4)}`,
  );
  process.stdout.write(`${"rounds of 200 with".padEnd(36)} 4 lanes / 8 lanes\n${rows.join("\n")}\n`);
  for (const { trouble, four, eight } of table) expect(four + eight, trouble).toBeGreaterThanOrEqual(5);
});
