import { expect, test } from "vitest";
import { renderStatus } from "../../../src/cli/commands/status.ts";
import { nextSteps } from "../../../src/report/next-steps.ts";
import { exitCode } from "../../../src/engine/exit-code.ts";
import { summarise } from "../../../src/engine/summary.ts";
import { honest, spec, World } from "../../rig/world.ts";
import { localTime } from "../../../src/base/local-time.ts";

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
    expect.stringContaining("stint requeue blocked"),
    expect.stringContaining("Answer the open questions"),
    expect.stringContaining("`stint submit taken` submits your work"),
  ]);
});

test("with one reason there is one way out", () => {
  for (const which of ["blocked", "asking", "taken"] as const) expect(nextSteps(waiting(which).state)).toHaveLength(1);
});

test("once the work is merged, nothing asks to merge it or to free its branch", () => {
  const world = new World([spec("a")]);
  world.go(honest());
  expect(nextSteps(world.state)).toEqual(["When you are happy with it: `git merge stint/p`"]);
  expect(nextSteps(world.state, { mergedInto: "main" })).toEqual(["Merged: main has this work."]);
  expect(nextSteps(world.state, { sameIn: "main" })).toEqual(["Nothing to merge: main has the same content."]);
  expect(nextSteps(world.state, { isGone: true })).toEqual([]);
  const commit = world.state.tip;
  world.add({ type: "publish-deferred", commit, branch: "stint/p", why: "It has diverged." });
  expect(nextSteps(world.state)).toEqual(["The branch stint/p does not have this work yet. It has diverged."]);
  expect(nextSteps(world.state, { mergedInto: "main" })).toEqual(["Merged: main has this work."]);
});

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
    `\`stint log a\` shows the evidence. Then \`stint answer a "…"\` and ${resume}; or do it yourself with \`stint take a\`; ${end}`,
  ]);
  expect(nextSteps(blocked({ a: "exhausted" }).state)).toEqual([
    `\`stint log a\` shows the evidence. Then \`stint requeue a\` and ${resume}; or do it yourself with \`stint take a\`; ${end}`,
  ]);
  expect(nextSteps(blocked({ a: "exhausted", b: "reported-blocked" }).state)).toEqual([
    expect.stringContaining('`stint answer <task> "…"` if it asks, otherwise `stint requeue <task>`, and'),
  ]);
});

test("A revision that is accepted and does not hold yet is said first, and no other one is.", () => {
  const { state } = blocked({ a: "exhausted" });
  const revision = { revision: 2, commit: "c", planHash: "h", tasks: [], changes: [], by: null };
  const says = "Revision 2 of the plan is accepted; it takes effect when the run is resumed.";
  expect(nextSteps({ ...state, replanning: { ...state.replanning, accepted: revision } })[0]).toBe(says);
  expect(nextSteps(state)).not.toContain(says);
});

test("What a person has taken can be found, submitted and given back.", () => {
  const world = new World([spec("a")]);
  world.add({ type: "task-taken", task: "a", command: "c" });
  world.go(honest());
  const [said] = nextSteps(world.state);
  for (const command of ["take", "submit", "requeue"]) expect(said).toContain(`\`stint ${command} a\``);
});

test("What was in progress is shown as idle where the run does not continue.", () => {
  const world = new World([spec("a")]);
  world.add({ type: "attempt-started", task: "a", attempt: 1, base: "base", role: "executor" });
  const said = () => renderStatus(summarise(world.state, true)).join("\n");
  expect(said()).not.toContain("restarts when");
  world.add({ type: "paused", command: "c" });
  expect(said()).toContain("interrupted, not counted as an attempt; restarts when the run resumes");
});

test("A paused run is ended only where a process drives it.", () => {
  const world = new World([spec("a")]);
  world.add({ type: "paused", command: "c" });
  expect(nextSteps(world.state, { isDriven: true })).toEqual([
    `Resume with ${resume}, or end it with \`stint stop --run r\`.`,
  ]);
  expect(nextSteps(world.state)).toEqual([`Resume with ${resume}.`]);
});

test("A run that waits until a time continues by itself where a process drives it; otherwise it is resumed.", () => {
  const world = new World([spec("a")]);
  const now = Date.now();
  const until = new Date(now + 1_000).toISOString();
  world.add({ type: "parked", reason: "limit", why: "5-hour limit", until });
  expect(nextSteps(world.state, { isDriven: true, now })).toEqual([
    `It continues by itself at ${localTime(until, now)}. End it with \`stint stop --run r\`.`,
  ]);
  expect(nextSteps(world.state)).toEqual([`Run ${resume} once the limit has been reset.`]);
});

test("A run that is pausing says how not to wait for its sessions, where a process drives it.", () => {
  const world = new World([spec("a")]);
  world.add({ type: "pausing", command: "c", finishing: ["a"] });
  expect(nextSteps(world.state, { isDriven: true })[0]).toBe(
    "1 session is finishing; `stint pause --now --run r` stops it.",
  );
  expect(nextSteps(world.state)).toEqual([`Resume with ${resume}.`]);
});

test("A branch is said to be there, and offered for merging, once something has landed on it.", () => {
  const world = new World([spec("a")]);
  const branch = () => renderStatus(summarise(world.state, true)).find((line) => line.includes("branch"));
  expect(branch()).toBe("nothing on branch stint/p yet");
  world.go(honest());
  expect(branch()).toBe("branch stint/p is at p-a-1-1");
  expect(nextSteps(world.state)).toEqual(["When you are happy with it: `git merge stint/p`"]);
});

test("A run at its cap says how to raise the very cap that it reached, in a command that can be copied.", () => {
  const capped = (settings: object, usd: number) => {
    const world = new World([spec("a")], settings);
    world.add({ type: "attempt-started", task: "a", attempt: 1, base: "base", role: "executor" });
    const usage = { inputTokens: 600, outputTokens: 0, usd, unpricedTokens: 0 };
    const end = { outcome: { kind: "ok" }, report: null, reportProblem: null } as const;
    world.add({ type: "agent-finished", task: "a", attempt: 1, ...end, usage });
    world.add({ type: "parked", reason: "budget", why: "spent", until: null });
    return nextSteps(world.state);
  };
  const higher = "`stint resume r --budget-usd 3.00` (any amount above 1.50).";
  const bySettings = "Raise `budget` in the settings, `stint approve --yes`, then `stint resume r`";
  expect(capped({ budgetUsd: 1, askedUsd: 1 }, 1.5)).toEqual([`Resume with ${higher}`]);
  expect(capped({ budgetUsd: 1 }, 1.5)).toEqual([`${bySettings}; or ${higher}`]);
  expect(capped({ budgetTokens: 500 }, 0)).toEqual([`${bySettings}.`]);
});
