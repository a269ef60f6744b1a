import { expect, test } from "vitest";
import { addRank, noRanks, Ranked } from "../../../src/engine/ranked.ts";

test("ids come out in the order of their ranks, however they went in, and each once", () => {
  const ranked = new Ranked(["1", "2", "3", "4", "5"], ["5", "1", "3", "1"]);
  ranked.add("4");
  ranked.add("5");
  ranked.delete("3");
  ranked.delete("2");
  expect([...ranked]).toEqual(["1", "4", "5"]);
});

test("of many ids, those that are not barred come out, also where more are barred meanwhile", () => {
  const order = Array.from({ length: 100 }, (_, at) => `${at}`);
  const [ranked, barred] = [new Ranked(order, order), noRanks(100)];
  for (let rank = 0; rank < 100; rank += 1) if (rank % 3 !== 1) addRank(barred, rank);
  const seen: string[] = [];
  for (const id of ranked.outside(barred)) {
    seen.push(id);
    addRank(barred, Number(id) + 3);
  }
  expect(seen).toEqual(order.filter((id) => Number(id) % 6 === 1));
});
