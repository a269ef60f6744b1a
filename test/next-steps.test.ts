import { expect, test } from "vitest";
import { summarise } from "../src/engine/summary.ts";
import { renderStatus } from "../src/cli/commands/status.ts";
import { nextSteps } from "../src/cli/next-steps.ts";
import { honest, spec, World } from "./rig/world.ts";

const resume = "`stint resume r`";

function blocked(kinds: Readonly<Record<string, "reported-blocked" | "exhausted">>): World {
  const world = new World(Object.keys(kinds).map((id) => spec(id)));
  for (const [task, kind] of Object.entries(kinds)) {
    world.add({ type: "attempt-started", task, attempt: 1, base: "base", role: "executor" });
    world.add({ type: "task-blocked", task, attempt: 1, kind, why: "which port?" });
  }
  world.go(honest());
  return world;
}

test("The only blocked task is named in every command; one that asks is answered, another is given new attempts.", () => {
  const end = "or change the plan, `stint approve` and `stint run`.";
  expect(nextSteps(blocked({ a: "reported-blocked" }).state)).toEqual([
    `\`stint log a\` shows the evidence. Then \`stint answer a "…"\` and ${resume}; or do it by hand with \`stint take a\`; ${end}`,
  ]);
  expect(nextSteps(blocked({ a: "exhausted" }).state)).toEqual([
    `\`stint log a\` shows the evidence. Then \`stint requeue a\` and ${resume}; or do it by hand with \`stint take a\`; ${end}`,
  ]);
  expect(nextSteps(blocked({ a: "exhausted", b: "reported-blocked" }).state)).toEqual([
    expect.stringContaining('`stint answer <task> "…"` if it asks, else `stint requeue <task>`, and'),
  ]);
});

test("What is in a person's hands can be found, handed in and given back.", () => {
  const world = new World([spec("a")]);
  world.add({ type: "task-taken", task: "a", command: "c" });
  world.go(honest());
  const [said] = nextSteps(world.state);
  for (const command of ["take", "submit", "requeue"]) expect(said).toContain(`\`stint ${command} a\``);
});

test("A paused run is ended only where a process drives it.", () => {
  const world = new World([spec("a")]);
  world.add({ type: "paused", command: "c" });
  expect(nextSteps(world.state, true)).toEqual([`Go on with ${resume}, or end it with \`stint stop --run r\`.`]);
  expect(nextSteps(world.state)).toEqual([`Go on with ${resume}.`]);
});

test("A branch is said to be there, and offered for merging, once something has landed on it.", () => {
  const world = new World([spec("a")]);
  const branch = () => renderStatus(summarise(world.state, true)).find((line) => line.includes("branch"));
  expect(branch()).toBe("nothing has landed on branch stint/p yet");
  world.go(honest());
  expect(branch()).toBe("branch stint/p is at p-a-1-1");
  expect(nextSteps(world.state)).toEqual(["`git merge stint/p` takes it over when you like what you see."]);
});
