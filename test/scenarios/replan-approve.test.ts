import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commitsOf, expectCode } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { content, createReplanRig, drafts, infeasible } from "../rig/replanning.ts";
import type { Rig } from "../rig/rig.ts";

const a = makes("a.txt");
const b = makes("b.txt", { depends: ["01-a"] });
const easier = makes("a.txt", { goal: "Write ready, and nothing else." });

/** A run that waits for a person, because its planner proposes to change the only task. */
async function waiting(): Promise<Rig> {
  const rig = await createReplanRig({
    plan: { tasks: { "01-a": a } },
    run: { replan: "ask" },
    moves: {
      "01-a": { 1: [{ write: "a.txt", text: "never\n" }], "*": writes("a.txt") },
      draft: [...drafts({ tasks: { "01-a": easier } })],
      ...content,
    },
  });
  const run = await rig.stint(["run", "--yes"]);
  expectCode(run, 3);
  expect(run.stderr + run.stdout).toContain("`stint approve work` shows revision 1 and lets you accept it");
  return rig;
}

test("A proposal waits for a person, who sees every changed line and why; approved, the run continues with it.", async () => {
  await using rig = await waiting();
  const { questions } = await rig.status();
  expect(questions).toMatchObject([{ id: "replan-1", about: "replan", options: ["refuse"] }]);

  const alone = await rig.stint(["approve"]);
  expectCode(alone, 3);
  expect(alone.stderr).toContain("not approved. `stint approve work --yes` accepts it without asking;");

  const shown = await rig.stint(["approve", "--yes"]);

  expectCode(shown, 0);
  expect(shown.stdout).toContain("Revision 1 of plan work");
  expect(shown.stdout).toMatch(/01-a: 1 of 1 attempts failed/);
  expect(shown.stdout).toContain("~ 01-a changed: Do 01-a");
  expect(shown.stdout).toContain("-Make the checks pass.");
  expect(shown.stdout).toContain("+Write ready, and nothing else.");
  expect(shown.stdout).toMatch(/Approved revision 1 of work\. Resume with `stint resume /);
  const { run } = await rig.status();
  const folder = join(rig.gitDir, "stint/approvals/revisions", run);
  const [file = ""] = readdirSync(folder);
  const approval = JSON.parse(readFileSync(join(folder, file), "utf8")) as Record<string, unknown>;
  expect(approval).toMatchObject({ run, plan: "work", by: expect.any(String), changes: [{ id: "01-a" }] });
  expect(`${String(approval["planHash"])}.json`).toBe(file);

  expectCode(await rig.stint(["resume"]), 0);
  expect(commitsOf(rig)).toEqual(["01-a"]);
  expect(rig.events("revision-accepted")).toMatchObject([{ revision: 1, by: approval["by"] }]);
  expect(rig.git("show", "stint/work:plans/work/tasks/01-a.md")).toContain("Write ready, and nothing else.");
});

test("A proposal that a person refuses changes nothing: its task stays blocked, and nobody asks again.", async () => {
  await using rig = await waiting();
  expectCode(await rig.stint(["answer", "replan-1", "refuse"]), 0);
  expectCode(await rig.stint(["resume"]), 3);
  const { tasks, questions } = await rig.status();
  expect(questions).toEqual([]);
  expect(tasks).toMatchObject([{ state: "blocked", reason: expect.stringContaining("a person refused it") }]);
  expect(rig.events("replan-started")).toHaveLength(1);
  expectCode(await rig.stint(["answer", "replan-1", "accept"]), 2);
});

test("A word that was given before a refusal is on the disk still, and a replayed command makes nothing of it.", async () => {
  await using rig = await waiting();
  const { run } = await rig.status();
  const { commit, planHash, tasks, changes } = rig.events("replan-proposed")[0] as unknown as Record<string, unknown>;
  const { planHash: revises } = rig.events("run-started")[0] as unknown as Record<string, unknown>;
  expectCode(await rig.stint(["answer", "replan-1", "refuse"]), 0);
  const approvals = join(rig.gitDir, "stint/approvals/revisions", run);
  mkdirSync(approvals, { recursive: true });
  const approval = {
    run,
    plan: "work",
    revises,
    commit,
    planHash,
    tasks,
    changes,
    at: "2026-01-01T00:00:00Z",
    by: "kim",
  };
  writeFileSync(join(approvals, `${String(planHash)}.json`), JSON.stringify(approval));
  const id = "00000000-0000-4000-8000-000000000000";
  const epoch = rig.events("revision-dropped")[0]?.["epoch"];
  const command = { v: 1, id, run, epoch, kind: "revise", commit, planHash };
  writeFileSync(join(rig.gitDir, "stint/runs", run, "commands", `${id}.json`), JSON.stringify(command));

  expectCode(await rig.stint(["requeue", "02-b"]), 2);

  expect(rig.events("command-ignored").find((event) => event["command"] === id)).toMatchObject({
    why: expect.stringContaining("has been refused since"),
  });
  expect(rig.events("revision-accepted")).toEqual([]);
});

test("The page of a revision is data with --json, and --yes asks nothing.", async () => {
  await using rig = await waiting();
  const shown = await rig.stint(["approve", "work", "--yes", "--json"]);
  expectCode(shown, 0);
  expect(JSON.parse(shown.stdout)).toMatchObject({
    plan: "work",
    revision: 1,
    asked: [{ task: "01-a", why: expect.stringContaining("attempts failed") }],
    changes: [{ id: "01-a", change: "changed", title: "Do 01-a" }],
    unchanged: 0,
    difference: expect.arrayContaining(["+Write ready, and nothing else."]),
    problems: [],
  });
});

test("Whoever changed the settings means these: the proposal is not approved along with them.", async () => {
  await using rig = await waiting();
  const config = join(rig.repo, ".stint/config.yaml");
  writeFileSync(config, readFileSync(config, "utf8").replace("attempts: 1", "attempts: 2"));
  const approved = await rig.stint(["approve", "--yes"]);
  expectCode(approved, 0);
  expect(approved.stderr).toContain("also waits for your approval of a revision");
  expect(rig.events("revision-accepted")).toEqual([]);
  expectCode(await rig.stint(["approve", "--yes"]), 0);
  expect(rig.events("revision-accepted")).toHaveLength(1);
  expectCode(await rig.stint(["resume"]), 0);
});

test("A command that names a revision nobody approved is ignored and journaled; with the approval the same command takes effect.", async () => {
  await using rig = await waiting();
  const { run } = await rig.status();
  const { commit, planHash, epoch } = rig.events("replan-proposed")[0] as unknown as Record<string, unknown>;
  const folder = join(rig.gitDir, "stint/runs", run, "commands");
  const send = (id: string, at: unknown) => {
    const command = { v: 1, id, run, epoch: at, kind: "revise", commit, planHash };
    writeFileSync(join(folder, `${id}.json`), JSON.stringify(command));
  };
  const forged = "00000000-0000-4000-8000-000000000000";
  send(forged, epoch);
  // Any command makes the one that lies there be looked at, too.
  expectCode(await rig.stint(["requeue", "02-b"]), 2);
  expect(rig.events("command-ignored").find((event) => event["command"] === forged)).toMatchObject({
    why: expect.stringContaining("that revision is not approved"),
  });
  expect(rig.events("revision-accepted")).toEqual([]);

  expectCode(await rig.stint(["approve", "--yes"]), 0);
  expect(rig.events("revision-accepted")).toMatchObject([{ commit, planHash }]);
});

/** A run in its own process, with one task under way and another that waits behind it. */
async function underWay(replan: "auto" | "ask") {
  const more = makes("more.txt", { depends: ["01-a"] });
  const rig = await createReplanRig({
    plan: { tasks: { "01-a": a, "02-b": b } },
    run: { replan },
    moves: {
      "01-a": [{ hold: "a" }, ...writes("a.txt")],
      "02-b": writes("b.txt"),
      "02-more": writes("more.txt"),
      draft: drafts({ tasks: { "01-a": a, "02-more": more } }),
      ...content,
    },
  });
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("a");
  return { rig, run };
}

test("`stint plan --revise` gives a run that another process drives a new plan; what is in progress continues.", async () => {
  const { rig, run } = await underWay("auto");
  await using _ = rig;

  const revised = await rig.stint(["plan", "--revise", "More, and no b", "work", "--headless"]);

  expectCode(revised, 0);
  expect(revised.stdout).toContain("The run of work has the revised plan. If it is not running: `stint resume work`");
  expect(rig.git("status", "--porcelain")).toBe("");
  rig.release("a");
  expectCode(await run.ended, 0);
  expect(commitsOf(rig)).toEqual(["01-a", "02-more"]);
  expect(rig.events("agent-started", "01-a")).toHaveLength(1);
  expect(rig.events("revision-accepted")).toMatchObject([
    {
      revision: 1,
      // Nobody judged it: the settings did.
      by: null,
      changes: [
        { id: "02-more", change: "added" },
        { id: "02-b", change: "removed" },
      ],
    },
  ]);
});

test("Nobody's word revises a plan that is under way, unless the settings let it.", async () => {
  const { rig, run } = await underWay("ask");
  await using _ = rig;

  const revised = await rig.stint(["plan", "--revise", "More, and no b", "work", "--headless"]);

  expectCode(revised, 3);
  expect(revised.stderr).toContain("only with your approval");
  rig.release("a");
  expectCode(await run.ended, 0);
  expect(commitsOf(rig)).toEqual(["01-a", "02-b"]);
});

test("A draft that was compared with an older plan does not undo a revision that came first; compared anew, it takes effect.", async () => {
  const { rig, run } = await underWay("auto");
  await using _ = rig;
  const first = makes("first.txt", { depends: ["01-a"] });
  const later = makes("later.txt", { depends: ["01-a"] });
  const add = (id: string, task: typeof a) => drafts({ tasks: { "01-a": a, "02-b": b, [id]: task } });
  const work = { "02-b": writes("b.txt"), "03-first": writes("first.txt"), "04-later": writes("later.txt") };
  rig.moves({
    ...work,
    draft: add("04-later", later),
    critique: [{ hold: "critic" }, { leave: "findings.json", text: "[]" }],
  });
  const slow = rig.start(["plan", "--revise", "Add later", "work", "--headless"]);
  await slow.waitForHold("critic");
  rig.moves({ ...work, draft: add("03-first", first), ...content });
  expectCode(await rig.stint(["plan", "--revise", "Add first", "work", "--headless"]), 0);

  rig.release("critic");

  const ended = await slow.ended;
  expectCode(ended, 3);
  expect(ended.stderr).toContain("was revised after this draft was compared with it");
  expect(rig.events("revision-accepted").map((event) => event["changes"])).toEqual([
    [{ id: "03-first", change: "added" }],
  ]);
  expectCode(await rig.stint(["plan", "--continue", "work", "--headless"]), 0);
  expect(rig.events("revision-accepted").at(-1)?.["changes"]).toEqual([
    { id: "04-later", change: "added" },
    { id: "03-first", change: "removed" },
  ]);
  rig.release("a");
  expectCode(await run.ended, 0);
  expect(commitsOf(rig)).toEqual(["01-a", "02-b", "04-later"]);
});

test("A proposal to change a task that lands meanwhile is dropped, and that is said.", async () => {
  const slow = makes("slow.txt");
  await using rig = await createReplanRig({
    plan: { tasks: { "01-bad": makes("bad.txt"), "02-slow": slow } },
    run: { replan: "ask", parallel: 2 },
    moves: {
      "01-bad": [infeasible],
      "02-slow": [{ hold: "slow" }, ...writes("slow.txt")],
      draft: drafts({ tasks: { "02-slow": makes("slow.txt", { goal: "Another way." }) } }),
      ...content,
    },
  });
  const run = rig.start(["run", "--yes"]);
  await run.waitForEvent("replan-proposed");
  rig.release("slow");

  expectCode(await run.ended, 3);

  expect(commitsOf(rig)).toEqual(["02-slow"]);
  expect(rig.events("revision-dropped")).toMatchObject([{ revision: 1, why: expect.stringContaining("02-slow") }]);
  const { questions, tasks } = await rig.status();
  expect(questions).toEqual([]);
  expect(tasks[0]).toMatchObject({ state: "blocked", reason: expect.stringContaining("has landed") });
});
