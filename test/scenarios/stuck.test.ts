import { join } from "node:path";
import { expect, test } from "vitest";
import { expectCode } from "../rig/facts.ts";
import { writes, type Move } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig, type Rig } from "../rig/rig.ts";

/** Two agents of the same kind: which one was asked, its environment tells. */
const config = {
  agents: {
    strong: {
      driver: "command",
      command: [process.execPath, join(import.meta.dirname, "..", "rig", "agent.mjs")],
      env: ["RIG_MOVES", "STRONG"],
    },
  },
  roles: { escalation: { agent: "strong" } },
};

const wrong: readonly Move[] = [{ write: "a.txt", text: "not so\n" }];

async function runWith(rig: Rig) {
  return await rig.stint(["run", "--yes"], { env: { STRONG: "yes" } });
}

test("The same change again is seen without running a check, costs an attempt, and the escalation agent is asked next.", async () => {
  await using rig = await createRig({
    config: { ...config, run: { parallel: 1, attempts: 3, escalate_after: 2, sandbox: "none" } },
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: { "01-a": { 1: wrong, 2: wrong, 3: [{ save: "third" }, ...writes("a.txt")] } },
  });

  const ended = await runWith(rig);

  expectCode(ended, 0);
  expect(rig.events("verdict", "01-a")).toMatchObject([
    { result: "failed", reason: "check" },
    { result: "failed", reason: "no-progress" },
    { result: "passed" },
  ]);
  expect(rig.events("placed", "01-a").map((event) => event.attempt)).toEqual([1, 3]);
  expect(rig.events("attempt-started").map((event) => event["role"])).toEqual(["executor", "executor", "escalation"]);
  expect(rig.saved("third").env["STRONG"]).toBe("yes");
  expect(rig.saved("third").prompt).toContain("the session made the same change as attempt 1, which failed");
});

test("A task of high complexity starts with the escalation agent; another one does not.", async () => {
  await using rig = await createRig({
    config: { ...config, run: { parallel: 2, sandbox: "none" } },
    plan: { tasks: { "01-a": { ...makes("a.txt"), complexity: "high" }, "02-b": makes("b.txt") } },
    moves: {
      "01-a": [{ save: "hard" }, ...writes("a.txt")],
      "02-b": [{ save: "easy" }, ...writes("b.txt")],
    },
  });

  expectCode(await runWith(rig), 0);
  expect(rig.saved("hard").env).toMatchObject({ STRONG: "yes", STINT_ROLE: "escalation" });
  expect(rig.saved("easy").env["STRONG"]).toBeUndefined();
});
