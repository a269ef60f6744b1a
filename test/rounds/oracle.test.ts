import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { inspectBranch, taskCommits, type Branch, type ExpectedTask } from "./oracle-branch.ts";
import { chargedAttempts, inspectChain, inspectOrder, linesOfJournal } from "./oracle-journal.ts";
import { inspectProcesses, inspectWork } from "./oracle-work.ts";
import type { RoundTask } from "./round.ts";

const planFile = "plans/work/plan.md";
let repo: string;
let base: string;

beforeEach(() => {
  repo = mkdtempSync(join(tmpdir(), "stint-oracle-"));
  git("init", "--quiet");
  base = commit({ [planFile]: planWith(), radio: "off\n" });
});
afterEach(() => rmSync(repo, { recursive: true, force: true }));

describe("The oracle of the branch", () => {
  test("finds nothing wrong with an honest branch.", async () => {
    commit({ "out/a": "ready\n", [planFile]: planWith("a") }, "a");
    commit({ "out/b": "ready\n", [planFile]: planWith("a", "b") }, "b");
    expect(await inspect()).toEqual([]);
  });

  test("finds a commit that is red, even where a later one is green again.", async () => {
    commit({ "out/a": "ready\n", [planFile]: planWith("a") }, "a");
    commit({ "out/a": "broken\n", "out/b": "ready\n", [planFile]: planWith("a", "b") }, "b");
    commit({ "out/a": "ready\n", "out/c": "ready\n", [planFile]: planWith("a", "b", "c") }, "c");
    const found = await inspect(["a", "b", "c"]);
    expect(found).toContain("the branch is red at the commit of b: grep -q ready out/a");
    expect(found).toContain("the commit of b has a change that is not its own: M out/a");
  });

  test("finds a task that is there twice.", async () => {
    commit({ "out/a": "ready\n", [planFile]: planWith("a") }, "a");
    commit({ "out/b": "ready\n", [planFile]: planWith("a", "b") }, "b");
    commit({ "out/a": "ready again\n" }, "a");
    expect(await inspect()).toContain("a is on the branch 2 times");
  });

  test("finds a task that is missing.", async () => {
    commit({ "out/a": "ready\n", [planFile]: planWith("a") }, "a");
    expect(await inspect()).toEqual(["b is on the branch 0 times"]);
  });

  test("finds a commit of nobody, a tick too many and a proof of nothing.", async () => {
    commit({ "out/a": "ready\n", "out/b": "ready\n", [planFile]: planWith("a", "b") }, "a");
    commit({ "out/b": "ready still\n" }, "b");
    const nobody = commit({ radio: "on\n" });
    expect(await inspect()).toEqual([
      `${nobody} is of no task: ""`,
      "the commit of a has a change that is not its own: A out/b",
      "the commit of a does more or less to the plan than tick its box",
      "the commit of b has a change that is not its own: M out/b",
      "the commit of b does more or less to the plan than tick its box",
      "b proves nothing: its checks were green before its commit",
    ]);
  });
});

describe("The oracle of the journal", () => {
  const start = { type: "attempt-started", attempt: 1 };

  test("finds nothing wrong with an honest one, and counts failed attempts only.", () => {
    const text = journalOf([
      { ...start, task: "a" },
      { type: "verdict", task: "a", attempt: 1, result: "conflict" },
      { ...start, task: "a", attempt: 2 },
      { type: "verdict", task: "a", attempt: 2, result: "failed" },
      { ...start, task: "a", attempt: 3 },
      { type: "task-integrated", task: "a", attempt: 3 },
      { ...start, task: "b" },
    ]);
    expect(inspectChain(text)).toEqual([]);
    expect(inspectOrder(linesOfJournal(text), [roundTask("a"), roundTask("b", ["a"])], 4)).toEqual([]);
    expect(chargedAttempts(linesOfJournal(text), "a")).toBe(1);
  });

  test("finds a changed line, a line left out and a torn end.", () => {
    const lines = journalOf([{ type: "one" }, { type: "two" }, { type: "three" }]).split("\n");
    expect(inspectChain(lines.join("\n").replace("two", "owt"))).toEqual(["the journal's chain is broken at line 2"]);
    expect(inspectChain(lines.toSpliced(1, 1).join("\n"))).toEqual([
      "the journal's chain is broken at line 3",
      "the journal's numbers jump at line 3",
    ]);
    expect(inspectChain(`${lines.slice(0, 3).join("\n")}\n{"v":1`)).toEqual(["the journal ends in a torn line"]);
  });

  test("finds tasks that start too early, again, or beside a task that names the same file.", () => {
    const lines = linesOfJournal(
      journalOf([
        { ...start, task: "b" },
        { ...start, task: "a" },
        { ...start, task: "twin" },
        { type: "task-integrated", task: "a", attempt: 1 },
        { ...start, task: "a", attempt: 2 },
        { type: "task-integrated", task: "a", attempt: 2 },
      ]),
    );
    const twin = { ...roundTask("twin"), files: roundTask("a").files };
    expect(inspectOrder(lines, [roundTask("a"), roundTask("b", ["a"]), twin], 4)).toEqual([
      "b was started before a was integrated",
      "twin was started while a was under way, and both name the same file",
      "a was started again after it was integrated",
      "a was started while twin was under way, and both name the same file",
      "a was integrated twice",
    ]);
  });

  test("finds more sessions at once than there are lanes.", () => {
    const sessions = ["a", "b"].map((task) => ({ type: "agent-started", task, attempt: 1 }));
    const lines = linesOfJournal(journalOf(sessions));
    expect(inspectOrder(lines, [], 2)).toEqual([]);
    expect(inspectOrder(lines, [], 1)).toEqual(["2 sessions at once on 1 lanes, at line 2"]);
  });
});

describe("The oracle of the work", () => {
  test("finds work that is neither in its commit nor in its rescue ref, and takes it from either.", async () => {
    const landed = commit({ "out/a": "ready\n", [planFile]: planWith("a") }, "a");
    const agents = join(repo, "agents");
    write({ "agents/a/sessions/1/out/a": "half\n", "agents/a/sessions/2/out/a": "ready\n" });
    const inspectAll = async () =>
      await inspectWork({ agents, controlDir: join(repo, ".git"), run: "r", commits: await taskCommits(branch()) });
    const rescue = "refs/stint/rescue/r/a/1";
    expect(await inspectAll()).toEqual([`work of a, attempt 1 is lost: out/a is not in ${rescue}`]);
    git("update-ref", rescue, landed);
    expect(await inspectAll()).toEqual([`work of a, attempt 1 is lost: out/a is not in ${rescue}`]);
    git("update-ref", rescue, commit({ "out/a": "half\n" }));
    expect(await inspectAll()).toEqual([]);
  });

  test("finds a process that carries the run's mark.", async () => {
    const run = `oracle-${process.pid}`;
    const marked = spawn("sleep", ["1000"], { env: { ...process.env, STINT_RUN: run }, stdio: "ignore" });
    try {
      await once(marked, "spawn");
      expect(inspectProcesses(run)).toEqual([`process ${marked.pid} of the run is still alive`]);
      expect(inspectProcesses(`another-${run}`)).toEqual([]);
    } finally {
      marked.kill("SIGKILL");
    }
  });
});

function git(...args: readonly string[]): string {
  const who = ["-c", "user.name=A", "-c", "user.email=a@b"];
  return execFileSync("git", [...who, ...args], { cwd: repo, encoding: "utf8" }).trim();
}

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(repo, path)), { recursive: true });
    writeFileSync(join(repo, path), text);
  }
}

/** Attempt 2, where a task is given. */
function commit(files: Readonly<Record<string, string>>, task?: string): string {
  write(files);
  git("add", ...Object.keys(files));
  const trailers = task === undefined ? [] : ["--trailer", `Stint-Task: ${task}`, "--trailer", "Stint-Attempt: 2"];
  git("commit", "--quiet", "--message", "Change it", ...trailers);
  return git("rev-parse", "HEAD");
}

function planWith(...done: readonly string[]): string {
  return ["a", "b", "c"]
    .map((id) => `- [${done.includes(id) ? "x" : " "}] [${id}](tasks/${id}.md) Do ${id}\n`)
    .join("");
}

function expected(id: string): ExpectedTask {
  const files = { create: [`out/${id}`], modify: [], delete: [] };
  return { id, files, granted: [], checks: [{ run: `grep -q ready out/${id}` }] };
}

function roundTask(id: string, depends: readonly string[] = []): RoundTask {
  return { ...expected(id), depends, honest: "", misdeeds: [], troubles: [] };
}

function branch(ids: readonly string[] = ["a", "b"]): Branch {
  return { gitDir: join(repo, ".git"), base, tip: git("rev-parse", "HEAD"), planFile, tasks: ids.map(expected) };
}

async function inspect(ids?: readonly string[]): Promise<readonly string[]> {
  return await inspectBranch(branch(ids));
}

/** Written here anew, from the description of the format. */
function journalOf(events: readonly object[]): string {
  let prev = "0".repeat(64);
  return events
    .map((event, at) => {
      const open = JSON.stringify({ v: 1, seq: at + 1, epoch: 1, ...event, prev }).slice(0, -1);
      prev = createHash("sha256").update(`${open}}`).digest("hex");
      return `${open},"hash":"${prev}"}\n`;
    })
    .join("");
}
