import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commitsOf, expectCode, sessionsOf, verdictsOf } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { createRig, type Rig } from "../rig/rig.ts";

const add = ["do", "Add a.txt", "--check", "grep -q ready a.txt"] as const;

/** The branch of the only run of the rig. */
async function branchOf(rig: Rig): Promise<string> {
  return `stint/${(await rig.status()).plan}`;
}

test("do makes one verified commit on a branch of its own, and every other command knows the run.", async () => {
  await using rig = await createRig({ moves: { do: [{ save: "session" }, ...writes("a.txt")] } });
  const before = rig.fingerprint();
  const head = rig.git("rev-parse", "HEAD");

  const run = await rig.stint([...add, "--check", "test -e a.txt"]);

  expectCode(run, 0);
  const branch = await branchOf(rig);
  const plan = branch.slice("stint/".length);
  expect(plan).toMatch(/^do-add-a-txt-[0-9a-f]{8}$/);
  expect(commitsOf(rig, branch)).toEqual(["do"]);
  expect(rig.git("rev-parse", `${branch}~1`)).toBe(head);
  expect(rig.git("diff", "--name-only", "main", branch)).toBe("a.txt");
  const { run: id } = await rig.status();
  expect(rig.git("log", "-1", "--format=%s%n%(trailers)", branch).trim().split("\n")).toEqual([
    "Add a.txt",
    "Stint-Goal: Add a.txt",
    "Stint-Check: grep -q ready a.txt",
    "Stint-Check: test -e a.txt",
    `Stint-Plan: ${plan}`,
    `Stint-Run: ${id}`,
    "Stint-Task: do",
    "Stint-Attempt: 1",
    "Stint-Verified: 2 checks",
  ]);
  const kept = join(rig.gitDir, "stint/runs", id, "plans", plan);
  expect(readFileSync(join(kept, "plan.md"), "utf8")).toContain("- [ ] [do](tasks/do.md) Add a.txt");
  expect(readFileSync(join(kept, "tasks/do.md"), "utf8")).toContain("grep -q ready a.txt");
  expect(verdictsOf(rig, "do")).toMatchObject([
    { result: "passed", checks: ["green grep -q ready a.txt", "green test -e a.txt"] },
  ]);
  expect(rig.saved("session").prompt).toContain("# Goal of the whole plan\n\nAdd a.txt\n");
  expect(rig.events("plan-approved")).toMatchObject([{ plan, planHash: rig.events("run-started")[0]?.["planHash"] }]);

  const check = await rig.stint(["check", plan]);
  expectCode(check, 0);
  expect(check.stdout).toMatch(/^do Add a\.txt\n {2}red {4}grep -q ready a\.txt/);
  expectCode(await rig.stint(["log", "do"]), 0);
  expect((await rig.stint(["resume"])).stderr).toContain("is finished (done): nothing to do.");
  const again = await rig.stint([...add, "--check", "test -e a.txt"]);
  expectCode(again, 0);
  expect(again.stderr).toContain("is finished (done): nothing to do.");
  expect(sessionsOf(rig)).toEqual(["do 1"]);
  expect(rig.fingerprint()).toEqual(before);
});

test("do works in a repo without .stint, leaves a dirty checkout byte-identical and says that the dirt is no part of it.", async () => {
  await using rig = await createRig({ files: { "src/one.txt": "one\n" }, moves: { do: writes("a.txt") } });
  const settings = rig.git("show", "HEAD:.stint/config.yaml");
  rig.git("rm", "--quiet", "-r", ".stint");
  rig.commit("No settings");
  // The only agent is then one of the user's own settings.
  mkdirSync(join(rig.root, "config", "stint"));
  writeFileSync(join(rig.root, "config", "stint", "config.yaml"), settings);
  rig.write("src/one.txt", "staged\n");
  rig.git("add", "src/one.txt");
  rig.write("src/one.txt", "changed again\n");
  rig.write("a.txt", "mine, not committed\n");
  const before = rig.fingerprint();

  const run = await rig.stint(add, { cwd: join(rig.repo, "src") });

  expectCode(run, 0);
  expect(run.stderr).toContain(
    "Uncommitted changes (2 files: src/one.txt, a.txt) are not part of this run: it starts from HEAD, ",
  );
  expect(rig.fingerprint()).toEqual(before);
  const branch = await branchOf(rig);
  expect(rig.git("show", `${branch}:src/one.txt`)).toBe("one");
  expect(rig.git("show", `${branch}:a.txt`)).toBe("ready");
});

test("A one-off that fails asks no planner: blocked, 3; taken by hand it lands, and its plan is on no branch.", async () => {
  await using rig = await createRig({
    config: { run: { attempts: 1, replan: "auto" } },
    moves: { do: [{ write: "a.txt", text: "half\n" }], plan: [{ save: "planner" }] },
  });

  const run = await rig.stint(add);

  expectCode(run, 3);
  expect(run.stderr).toContain("or `stint do` with another goal, checks or files.");
  for (const type of ["replan-requested", "replan-started"]) expect(rig.events(type)).toEqual([]);
  expect(rig.events("task-blocked")).toMatchObject([{ kind: "exhausted" }]);
  expect(sessionsOf(rig)).toEqual(["do 1"]);

  const taken = await rig.stint(["take", "do"]);
  expectCode(taken, 0);
  const [file = ""] = /^\S+(?= says what to do\.)/m.exec(taken.stderr) ?? [];
  expect(readFileSync(file, "utf8")).toContain("grep -q ready a.txt");
  writeFileSync(join(String(rig.events("workspace-given").at(-1)?.["path"]), "a.txt"), "ready\n");
  expectCode(await rig.stint(["submit", "do"]), 0);
  expect(rig.git("diff", "--name-only", "main", await branchOf(rig))).toBe("a.txt");
  expect((await rig.stint(["report"])).stdout).toContain("The task is verified on stint/do-add-a-txt-");
});

test("The plan in the run's folder is what resume executes: a changed byte stops it, and put back it continues.", async () => {
  await using rig = await createRig({ moves: { do: { 1: [{ exit: 75 }], "*": writes("a.txt") } } });
  expectCode(await rig.stint([...add, "--no-wait"]), 75);
  const { run, plan } = await rig.status();
  const file = join(rig.gitDir, "stint/runs", run, "plans", plan, "tasks/do.md");
  const text = readFileSync(file, "utf8");

  writeFileSync(file, text.replace("grep -q ready a.txt", "true"));
  const refused = await rig.stint(["resume"]);
  expectCode(refused, 1);
  expect(refused.stderr).toContain(
    `the plan in stint/runs/${run} of your git folder is not the one run ${plan}#1 was started with. Put it back,`,
  );

  writeFileSync(file, text);
  expectCode(await rig.stint(["resume"]), 0);
  expect(commitsOf(rig, `stint/${plan}`)).toEqual(["do"]);
});

test("A check that is green already gives no session: exit 3, with what to do about it.", async () => {
  await using rig = await createRig({ files: { "a.txt": "ready\n" } });

  const run = await rig.stint(add);

  expectCode(run, 3);
  expect(run.stderr).toContain("Every check passed before any work");
  expect(sessionsOf(rig)).toEqual([]);
  expectCode(await rig.stint(add), 3);
});

test("A check that cannot be run ends with 4, and the cure is another `stint do`.", async () => {
  await using rig = await createRig();

  const run = await rig.stint(["do", "Add it", "--check", "no-such-program-here"]);

  expectCode(run, 4);
  expect(run.stderr).toContain("`stint do` with another check");
  expect(sessionsOf(rig)).toEqual([]);
});

test("What cannot be done as typed is bad usage: one sentence that names the word to change, and nothing is left behind.", async () => {
  await using rig = await createRig();
  const files = ["Add it", "--check", "false", "--files"];
  const wrong = [
    [[], "the goal is empty"],
    [["Add it"], "no --check"],
    [["Add it", "--check", ""], "a --check is empty"],
    [[...files, "src/**", "../x"], '--files "../x" leaves the repo'],
    [[...files, "keys/id_rsa"], "--files names keys/id_rsa, which no task may change"],
    [[...files, "plans/x.md"], "--files names plans/x.md, but no task may change plans/"],
  ] as const;

  for (const [args, message] of wrong) {
    const run = await rig.stint(["do", ...args]);
    expectCode(run, 2);
    expect(run.stderr).toMatch(/^stint: [^\n]+\n$/);
    expect(run.stderr).toContain(message);
  }
  expect(rig.git("for-each-ref", "refs/stint")).toBe("");
});
