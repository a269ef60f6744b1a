import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commitsOf, expectCode, sessionsOf } from "../rig/facts.ts";
import { writes, type Moves } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig, type Rig, type RigOptions } from "../rig/rig.ts";
import { createScriptedRig } from "../rig/scripted.ts";
import { taken } from "../rig/taken.ts";

const question = "Does it say what to do next?";
const pass = { judge: { pass: true, why: "it does" } };
const refuse = { judge: { pass: false, why: "a.txt names no next step" } };
const judged = makes("a.txt", { checks: ["grep -q ready a.txt", { judge: question }] });
const roles = { judge: { agent: "scripted" } };

/** One task with a question for a judge. */
async function rigWith(moves: Moves, more: Partial<RigOptions> = {}): Promise<Rig> {
  const { config, ...rest } = more;
  return createRig({ plan: { tasks: { "01-a": judged } }, config: { ...config, roles }, moves, ...rest });
}

test("A judge that passes is asked once, after the checks, and its word is evidence like theirs.", async () => {
  await using rig = await rigWith({ "01-a": writes("a.txt"), "judge:01-a": [{ save: "judge" }, pass] });

  expectCode(await rig.stint(["run", "--yes"]), 0);

  expect(rig.events("judge-started")).toMatchObject([{ task: "01-a", attempt: 1, session: 1, question }]);
  expect(rig.events("verdict")).toMatchObject([
    {
      result: "passed",
      checks: [
        { label: "grep -q ready a.txt", state: "green" },
        { label: `judge: ${question}`, state: "green", why: "it does" },
      ],
    },
  ]);
  expect(rig.git("log", "-1", "--format=%B", "stint/work")).toContain("Stint-Verified: 2 checks");
  const { prompt, env } = rig.saved("judge");
  expect(prompt).toContain(question);
  expect(prompt).toContain("Make the checks pass.");
  expect(prompt).not.toContain("+ready");
  expect(env).toMatchObject({ STINT_ROLE: "judge", STINT_TASK: "01-a", STINT_ATTEMPT: "1" });
  expect((await rig.stint(["log"])).stdout).toContain(`green: judge: ${question} (it does)`);
});

test("A judge that refuses costs an attempt, and the next one learns why.", async () => {
  await using rig = await rigWith({
    "01-a": { 1: writes("a.txt"), 2: [{ save: "second" }, { write: "a.txt", text: "ready\nnext: rest\n" }] },
    "judge:01-a": { 1: [refuse], 2: [{ shell: 'grep -q "+next: rest" "$STINT_INBOX/change.diff"' }, pass] },
  });

  expectCode(await rig.stint(["run", "--yes"]), 0);

  expect(rig.events("verdict")).toMatchObject([
    { result: "failed", reason: "judge", why: `the judge refuses: ${question} (a.txt names no next step)` },
    { result: "passed" },
  ]);
  expect(rig.saved("second").prompt).toContain(`red: judge: ${question} (a.txt names no next step)`);
  expect(commitsOf(rig)).toEqual(["01-a"]);
  const verdict = join(rig.gitDir, "stint", "runs", (await rig.status()).run, "attempts", "01-a.1", "verdict.json");
  expect(readFileSync(verdict, "utf8")).toContain("a.txt names no next step");
});

test("Nothing that a judge does in its workspace is read back, and none of it is left.", async () => {
  const vandal = [
    { write: "a.txt", text: "spoiled\n" },
    { write: "b.txt", text: "new\n" },
    { shell: "git add -A && git -c user.name=j -c user.email=j@x commit -qm judged" },
    { report: { status: "done", summary: "I did it", need_files: ["b.txt"] } },
    pass,
  ];
  await using rig = await rigWith({ "01-a": writes("a.txt"), "judge:01-a": vandal });

  expectCode(await rig.stint(["run", "--yes"]), 0);

  expect(rig.git("show", "stint/work:a.txt")).toBe("ready");
  expect(rig.git("ls-tree", "--name-only", "stint/work")).not.toContain("b.txt");
  expect(rig.git("log", "-1", "--format=%B", "stint/work")).not.toContain("I did it");
  expect(rig.events("question")).toEqual([]);
});

test.each<[string, Moves[string], string]>([
  ["none at all", [], "judgement.json: there is no such file"],
  ["no JSON", [{ shell: 'echo "{" > "$STINT_OUTBOX/judgement.json"' }], "judgement.json: not valid JSON"],
  ["no refusal with a reason", [{ judge: { pass: false } }], "judgement.json: it rejects without saying why"],
  ["a session that crashed", [pass, { exit: 3 }], "its session: crashed, exit 3"],
])(
  "Where a judge leaves %s it is asked once more; then a person is asked, not the work blamed.",
  async (_, move, why) => {
    await using rig = await rigWith({ "01-a": writes("a.txt"), "judge:01-a": move });

    expectCode(await rig.stint(["run", "--yes"]), 4);

    expect(rig.events("judged")).toHaveLength(2);
    expect(rig.events("verdict")).toEqual([]);
    expect(rig.events("task-blocked")).toMatchObject([
      { kind: "broken-check", why: `no judgement on ${question}: ${why}; then ${why}` },
    ]);

    rig.moves({ "01-a": writes("a.txt"), "judge:01-a": [pass] });
    expectCode(await rig.stint(["requeue", "01-a"]), 0);
    expectCode(await rig.stint(["resume"]), 0);
    expect(commitsOf(rig)).toEqual(["01-a"]);
  },
);

test("A judge that finds its word at the second asking has spoken.", async () => {
  await using rig = await rigWith({ "01-a": writes("a.txt"), "judge:01-a": { 1: [], 2: [pass] } });

  expectCode(await rig.stint(["run", "--yes"]), 0);

  expect(rig.events("judged")).toMatchObject([{ judgement: null }, { judgement: { pass: true } }]);
});

test("A usage limit of the judge parks the run and counts as no attempt; resume asks again and the work is done once.", async () => {
  await using rig = await rigWith(
    { "01-a": writes("a.txt"), "judge:01-a": { 1: [{ limit: 600 }], 2: [pass] } },
    { config: { run: { attempts: 1 } } },
  );

  expectCode(await rig.stint(["run", "--yes", "--no-wait"]), 75);
  expect((await rig.status()).tasks).toMatchObject([
    { state: "verifying", reason: "waits for a judge: the agent's usage limit is reached" },
  ]);
  expectCode(await rig.stint(["resume"]), 0);

  expect(sessionsOf(rig)).toEqual(["01-a 1"]);
  expect(rig.events("verdict")).toMatchObject([{ result: "passed" }]);
});

test("What a judge spends counts: at the cap none is asked, and a higher cap goes on where it was.", async () => {
  const spends = { usage: { input_tokens: 10, output_tokens: 5, usd: 1 } };
  await using rig = await rigWith(
    { "01-a": [...writes("a.txt"), spends], "judge:01-a": [spends, pass] },
    { plan: { tasks: { "01-a": { ...judged, checks: [...judged.checks, { judge: "Is it short?" }] } } } },
  );

  expectCode(await rig.stint(["run", "--yes", "--budget-usd", "2"]), 5);
  expect(rig.events("judged")).toHaveLength(1);
  expectCode(await rig.stint(["resume", "--budget-usd", "9"]), 0);

  expect(rig.events("judged")).toMatchObject([{ question }, { question: "Is it short?" }]);
  expect(await rig.status()).toMatchObject({
    cost: { usd: 3 },
    cost_by_role: { executor: { usd: 1 }, judge: { usd: 2 } },
  });
});

test("A question of the rules is put to a judge after every task, the embedded driver judges, too, and a word is no secret's way out.", async () => {
  await using rig = await createScriptedRig({
    plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt") } },
    rules: { checks: [{ judge: "Is it kind?" }] },
    config: { roles: { judge: { agent: "embedded" } }, workspace: { env: ["API_TOKEN"] } },
    moves: {
      "01-a": [{ edit: "a.txt", write: "ready\n" }],
      "02-b": [{ edit: "b.txt", write: "ready\n" }],
      "judge:01-a": [{ judge: { pass: true, why: "kind, says hush-5J2kQ9zX" } }],
      "judge:02-b": [{ judge: { pass: true, why: "kind" } }],
    },
  });

  expectCode(await rig.stint(["run", "--yes"], { env: { API_TOKEN: "hush-5J2kQ9zX" } }), 0);

  expect(rig.events("judged")).toMatchObject([{ task: "01-a" }, { task: "02-b" }]);
  expect(JSON.stringify(rig.journal())).not.toContain("hush-5J2kQ9zX");
});

test("A question of the plan is asked of the final tip, about all that the run changed; refused, the run ends with 4.", async () => {
  await using rig = await rigWith(
    {
      "01-a": writes("a.txt"),
      "02-b": writes("b.txt"),
      judge: { 1: [{ shell: 'cp "$STINT_INBOX/change.diff" "$(dirname "$RIG_MOVES")/diff"' }, refuse], 2: [pass] },
    },
    { plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt") }, checks: [{ judge: question }] } },
  );

  const run = await rig.stint(["run", "--yes"]);

  expectCode(run, 4);
  const why = `not green on the final tip: judge: ${question} (red: a.txt names no next step)`;
  expect(rig.events("parked")).toMatchObject([{ reason: "final-red", why }]);
  expect(readFileSync(join(rig.outside, "diff"), "utf8")).toMatch(/\+\+\+ b\/a\.txt[^]*\+\+\+ b\/b\.txt/);
  expect(rig.events("bisected")).toEqual([]);

  expectCode(await rig.stint(["resume"]), 0);
  expect(rig.events("final-verified")).toMatchObject([{ ok: false }, { ok: true }]);
});

test("Work by hand is judged, too: refused, it is mended in the same workspace; where nobody can judge, it waits for a person.", async () => {
  await using rig = await rigWith({ "judge:01-a": { 1: [refuse], 2: [pass] } });
  expectCode(await rig.stint(["approve", "--yes"]), 0);
  const path = await taken(rig, "01-a");
  writeFileSync(join(path, "a.txt"), "ready\n");

  const refused = await rig.stint(["submit", "01-a"]);

  expectCode(refused, 3);
  expect(refused.stdout).toContain(`red: judge: ${question} (a.txt names no next step)`);
  writeFileSync(join(path, "a.txt"), "ready\nnext: rest\n");
  expectCode(await rig.stint(["submit", "01-a"]), 0);
  expect(commitsOf(rig)).toEqual(["01-a"]);

  await using alone = await createRig({ plan: { tasks: { "01-a": judged } } });
  expectCode(await alone.stint(["approve", "--yes"]), 0);
  writeFileSync(join(await taken(alone, "01-a"), "a.txt"), "ready\n");
  const unjudged = await alone.stint(["submit", "01-a"]);
  expectCode(unjudged, 3);
  expect(unjudged.stderr).toContain("no agent is set for the role judge");
});

test("`stint check` says of a question that it is asked in a run, and a plan whose judge nobody is does not begin.", async () => {
  await using rig = await createRig({ plan: { tasks: { "01-a": judged } } });

  const check = await rig.stint(["check"]);
  expectCode(check, 0);
  expect(check.stdout).toContain(`\n  open   judge: ${question} (asked of a judge in a run)\n`);
  const run = await rig.stint(["run", "--yes"], { env: { PATH: onlySystem } });
  expectCode(run, 2);
  expect(run.stderr).toContain("no agent is set for the role judge");
});

const onlySystem = "/usr/bin:/bin";
