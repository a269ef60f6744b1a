import { expect, test } from "vitest";
import { play } from "../../sim/play.ts";

test("A seed tells the same life again, and keeps all promises.", async () => {
  const lifeOf = async (seed: number) => {
    const told: string[] = [];
    const played = await play(seed, (text) => told.push(text));
    return { told, played };
  };
  for (let seed = 0; seed < 20; seed += 1) {
    const life = await lifeOf(seed);
    expect(life.played.violations).toEqual([]);
    expect(life.told.length).toBeGreaterThan(5);
    expect(await lifeOf(seed)).toEqual(life);
  }
});
