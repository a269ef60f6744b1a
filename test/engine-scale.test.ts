import { expect, test, vi } from "vitest";
import { decide } from "../src/engine/decide.ts";
import { Ranked } from "../src/engine/ranked.ts";
import { spec, World } from "./rig/world.ts";

test("among ten thousand ready tasks, deciding looks at those it starts and no others", () => {
  const tasks = Array.from({ length: 10_000 }, (_, at) => ({
    ...spec(`t${at}`),
    claims: { paths: [`${at}`], folders: [] },
  }));
  const world = new World(tasks, { parallel: 8 });
  const looks = vi.spyOn(world.state.tasks as Map<string, unknown>, "get");
  const due = decide(world.state);
  expect(due).toMatchObject(Array.from({ length: 8 }, (_, at) => ({ event: { task: `t${at}` } })));
  expect(looks.mock.calls.length).toBeLessThan(100);
});

test("ids come out in the order of their ranks, however they went in, and each once", () => {
  const ranked = new Ranked(Number, ["5", "1", "3", "1"]);
  ranked.add("4");
  ranked.add("5");
  ranked.delete("3");
  ranked.delete("2");
  expect([...ranked]).toEqual(["1", "4", "5"]);
});
