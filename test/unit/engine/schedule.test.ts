import { expect, test, vi } from "vitest";
import { decide } from "../../../src/engine/decide.ts";
import type { Claims } from "../../../src/plan/claims.ts";
import { spec, World, honest } from "../../rig/world.ts";

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

test("among ten thousand ready tasks that all change one file, deciding looks at none while one is under way", () => {
  const claims = (at: number): Claims => ({ paths: ["shared", `${at}`], folders: [] });
  const tasks = Array.from({ length: 10_000 }, (_, at) => ({ ...spec(`t${at}`), claims: claims(at) }));
  const apart = { ...spec("apart"), claims: { paths: ["apart"], folders: [] } };
  const world = new World([...tasks, apart], { parallel: 8 });
  world.add({ type: "attempt-started", task: "t0", attempt: 1, base: "base", role: "executor" });
  const looks = vi.spyOn(world.state.tasks as Map<string, unknown>, "get");
  expect(decide(world.state)).toMatchObject([{ type: "baseline", task: "t0" }, { event: { task: "apart" } }]);
  expect(looks.mock.calls.length).toBeLessThan(100);
});

test("the attempts after escalate_after use the escalation role", () => {
  const world = new World([spec("bad")]);
  world.go(honest(() => ({ kind: "timeout", detail: "" })));
  const roles = world.events.flatMap((event) => (event.type === "attempt-started" ? [event.role] : []));
  expect(roles).toEqual(["executor", "executor", "escalation"]);
});
