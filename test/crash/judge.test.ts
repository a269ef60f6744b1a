import { expect, test } from "vitest";
import { commitsOf, expectCode, sessionsOf } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig, type Rig } from "../rig/rig.ts";

const [kind, short] = ["Is it kind?", "Is it short?"];
const pass = { judge: { pass: true, why: "yes" } };

/** The first session of the judge answers, the second hangs with a daemon of its own, later ones answer. */
async function hangingJudge(): Promise<Rig> {
  const usage = { usage: { usd: 0.25 } };
  return createRig({
    plan: {
      tasks: { "01-a": makes("a.txt", { checks: ["grep -q ready a.txt", { judge: kind }, { judge: short }] }) },
    },
    config: { roles: { judge: { agent: "scripted" } }, run: { attempts: 1 } },
    moves: {
      "01-a": writes("a.txt"),
      "judge:01-a": { 2: [usage, pass, { daemon: "daemon" }, { hold: "never" }], "*": [usage, pass] },
    },
  });
}

test("kill -9 while a judge is asked: resume ends it and its daemon first, asks what was not answered, and counts what it used.", async () => {
  await using rig = await hangingJudge();
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("never");
  expect(rig.processes().map(({ command }) => command)).toContain("sleep 1000 ");
  expectCode(await run.kill("SIGKILL"), null);
  expect((await rig.stint(["gc"])).stdout).toContain(
    `a judge's session is not finished; \`stint resume work#1\` ends it`,
  );

  expectCode(await rig.stint(["resume"]), 0);

  expect(rig.processes()).toEqual([]);
  expect(sessionsOf(rig)).toEqual(["01-a 1"]);
  expect(rig.events("judged")).toMatchObject([
    { session: 1, question: kind, outcome: { kind: "ok" } },
    { session: 2, question: short, outcome: { kind: "interrupted" }, judgement: null, usage: { usd: 0.25 } },
    { session: 3, question: short, outcome: { kind: "ok" } },
  ]);
  const types = rig.journal().map(({ type }) => type);
  expect(types.indexOf("resumed")).toBeLessThan(types.lastIndexOf("judge-started"));
  expect(types.slice(types.indexOf("resumed") + 1)[0]).toBe("judged");
  expect((await rig.status()).cost.usd).toBe(0.75);
  expect(commitsOf(rig)).toEqual(["01-a"]);
});

test("pause and stop end a judge without costing an attempt; the run resumes and asks again.", async () => {
  await using rig = await hangingJudge();
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("never");
  expectCode(await rig.stint(["pause"]), 0);
  expectCode(await rig.stint(["stop"]), 0);
  expectCode(await run.ended, 130);
  expect(rig.processes()).toEqual([]);

  expectCode(await rig.stint(["resume"]), 0);

  expect(rig.events("judged")).toMatchObject([
    { judgement: { pass: true } },
    { judgement: null, outcome: { kind: "interrupted" } },
    { judgement: { pass: true } },
  ]);
  expect(rig.events("verdict")).toMatchObject([{ result: "passed" }]);
});
