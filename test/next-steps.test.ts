import { expect, test } from "vitest";
import { nextSteps } from "../src/cli/next-steps.ts";
import { exitCode } from "../src/engine/exit-code.ts";
import { honest, spec, World } from "./rig/world.ts";

const apart = (id: string) => ({ ...spec(id), claims: { paths: [id], folders: [] } });

/** One task is blocked, one waits for an answer, one is in a person's hands, as far as these are asked for. */
function waiting(...which: readonly ("blocked" | "asking" | "taken")[]): World {
  const world = new World(which.map(apart), { parallel: 3 });
  if (which.includes("taken")) world.add({ type: "task-taken", task: "taken", command: "t" });
  const choose = honest((task) => (task === "blocked" ? { kind: "crashed", detail: "" } : { kind: "ok" }));
  const report = { status: "done", summary: "", reason: "", notes: "", needFiles: ["x"] } as const;
  world.go((action, state) => {
    const event = choose(action, state);
    if (event.type === "agent-finished" && event.task === "asking") return { ...event, report };
    if (event.type !== "scope-decided") return event;
    const question = { id: "asking.1", about: "scope", question: "?", options: ["grant", "refuse"] } as const;
    return { type: "question", task: event.task, attempt: event.attempt, ...question, files: ["x"] };
  });
  return world;
}

test("a run that waits for a person for several reasons names the way out of each", () => {
  const { state } = waiting("blocked", "asking", "taken");
  expect([exitCode(state), state.parked?.reason]).toEqual([3, "blocked"]);
  expect(nextSteps(state)).toEqual([
    expect.stringContaining("stint requeue <task>"),
    expect.stringContaining("Answer what is asked"),
    expect.stringContaining("`stint submit <task>` hands in what you did"),
  ]);
});

test("with one reason there is one way out", () => {
  for (const which of ["blocked", "asking", "taken"] as const) expect(nextSteps(waiting(which).state)).toHaveLength(1);
});
