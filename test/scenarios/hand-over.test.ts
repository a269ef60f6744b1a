import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { HandOver, RunReport } from "../../src/report/model.ts";
import { expectCode } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig, type Rig } from "../rig/rig.ts";

const branch = "stint/work";

let rig: Rig;
let report: RunReport;
let copies = 0;

beforeAll(async () => {
  rig = await createRig({
    config: { run: { attempts: 2 } },
    plan: {
      tasks: {
        "01-a": makes("a.txt", { title: "Write a" }),
        "02-b": makes("b.txt", { title: "Write b", depends: ["01-a"] }),
        "03-c": makes("c.txt", { title: "Write c" }),
      },
    },
    moves: {
      "01-a": writes("a.txt"),
      "02-b": { 1: [{ write: "b.txt", text: "half done\n" }], "*": writes("b.txt") },
      "03-c": writes("c.txt"),
    },
  });
  expectCode(await rig.stint(["run", "--yes"]), 0);
  report = JSON.parse((await rig.stint(["report", "--json"])).stdout) as RunReport;
});

afterAll(async () => rig[Symbol.asyncDispose]());

interface Copy {
  readonly dir: string;
  readonly type: (command: string) => string;
  readonly git: (...args: readonly string[]) => string;
}

/** The user's repository as it is after the run, for one thing to be done to it; a commit of theirs came since. */
function copy(): Copy {
  const dir = join(rig.root, `copy-${(copies += 1)}`);
  cpSync(rig.repo, dir, { recursive: true });
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: join(rig.root, "home"),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_PAGER: "cat",
  };
  const run = (file: string, args: readonly string[]) =>
    execFileSync(file, args, { cwd: dir, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trimEnd();
  const git: Copy["git"] = (...args) => run("git", args);
  writeFileSync(join(dir, "since.txt"), "the user's own\n");
  git("add", "since.txt");
  git("commit", "--quiet", "--message", "Since");
  return { dir, git, type: (command) => run("sh", ["-c", command]) };
}

/** The command of a kind whose sentence begins so. */
function command(about: HandOver["about"], says: string): string {
  const found = report.handOver.filter((step) => step.about === about && step.says.startsWith(says));
  expect(found.map((step) => step.about)).toEqual([about]);
  return found[0]?.command ?? "";
}

function files({ dir }: Copy): string[] {
  return ["a.txt", "b.txt", "c.txt", "since.txt"].filter((name) => existsSync(join(dir, name)));
}

test("Looking: the log has one line for each task, the diff all files, and each task's commit is its own work.", async () => {
  const there = copy();
  expect(
    there
      .type(command("look", "The commits"))
      .split("\n")
      .map((line) => line.slice(line.indexOf(" ") + 1)),
  ).toEqual(["Write c", "Write b", "Write a"]);
  const diff = there.type(command("look", "All changes"));
  expect(diff.match(/^\+\+\+ .*/gm)).toEqual(["+++ b/a.txt", "+++ b/b.txt", "+++ b/c.txt", "+++ b/plans/work/plan.md"]);
  const shown = report.tasks.map(({ commit }) =>
    there
      .type(`git show ${commit}`)
      .match(/^\+\+\+ .*txt/gm)
      ?.join(),
  );
  expect(shown).toEqual(["+++ b/a.txt", "+++ b/b.txt", "+++ b/c.txt"]);
  const markdown = readFileSync(join(rig.gitDir, "stint", "runs", report.run, "report.md"), "utf8");
  for (const { commit } of report.tasks) expect(markdown).toContain(`- Commit: \`git show ${commit}\``);
});

test("Merging takes everything over; undone right away or much later, the user's own commits stay.", async () => {
  const there = copy();
  const before = there.git("rev-parse", "HEAD");
  there.type(command("merge", "Merge everything into your current branch"));
  expect(files(there)).toEqual(["a.txt", "b.txt", "c.txt", "since.txt"]);
  expect(there.git("rev-list", "--parents", "-1", "HEAD").split(" ")).toHaveLength(3);

  there.type(command("undo", "Right after merging"));
  expect(there.git("rev-parse", "HEAD")).toBe(before);
  expect(files(there)).toEqual(["since.txt"]);

  there.type(command("merge", "Merge everything into your current branch"));
  writeFileSync(join(there.dir, "later.txt"), "more\n");
  there.git("add", "later.txt");
  there.git("commit", "--quiet", "--message", "Later");
  there.type(command("undo", "Any time after merging"));
  expect(files(there)).toEqual(["since.txt"]);
  expect(existsSync(join(there.dir, "later.txt"))).toBe(true);
  expect(there.git("log", "-1", "--format=%s")).toMatch(/^Revert "Merge /);
});

test("Merged by fast-forward, it is undone by one commit for each of the run's.", async () => {
  const there = copy();
  there.git("reset", "--quiet", "--hard", report.base);
  there.git("merge", "--quiet", "--ff-only", report.branch);
  there.type(command("undo", "The same after a fast-forward merge"));
  expect(files(there)).toEqual([]);
  expect(there.git("diff", report.base, "HEAD")).toBe("");
  expect(there.git("rev-list", "--count", `${report.tip}..HEAD`)).toBe("3");
});

test("Part of the work: up to a task, or one task alone although the boxes of the plan are in the way.", async () => {
  const upTo = copy();
  upTo.type(command("merge", "Merge only up to one task"));
  expect(files(upTo)).toEqual(["a.txt", "b.txt", "since.txt"]);

  const alone = copy();
  const control = () => alone.git("cherry-pick", report.tip);
  expect(control).toThrow(/could not apply/);
  alone.git("cherry-pick", "--abort");
  alone.type(command("merge", "Take one task alone"));
  expect(files(alone)).toEqual(["c.txt", "since.txt"]);
  expect(alone.git("log", "-1", "--format=%s")).toBe("Write c");
  expect(alone.git("status", "--short", "--untracked-files=no")).toBe("");
});

test("Signing the merge leaves all commits as they are; signing each makes new ones with the same trees.", async () => {
  const program = join(rig.root, "signs");
  const signature = "-----BEGIN PGP SIGNATURE-----\\n\\nx\\n-----END PGP SIGNATURE-----\\n";
  writeFileSync(
    program,
    `#!/bin/sh\ncat >/dev/null\nprintf '\\n[GNUPG:] SIG_CREATED \\n' >&2\nprintf -- '${signature}'\n`,
  );
  chmodSync(program, 0o755);
  const merged = copy();
  merged.git("config", "gpg.program", program);
  merged.type(command("sign", "Sign the merge commit"));
  expect(merged.git("cat-file", "commit", "HEAD")).toContain("gpgsig");
  expect(merged.git("rev-parse", "HEAD^2")).toBe(report.tip);

  const each = copy();
  each.git("config", "gpg.program", program);
  each.type(command("sign", "Sign each commit"));
  const trees = (range: string) => each.git("log", "--format=%T %s", range);
  expect(trees(`${report.base}..HEAD`)).toBe(trees(`${report.base}..${report.tip}`));
  const commits = each.git("rev-list", `${report.base}..HEAD`).split("\n");
  for (const commit of commits) expect(each.git("cat-file", "commit", commit)).toContain("gpgsig");
  expect(commits).not.toContain(report.tip);
  expect(each.git("rev-parse", branch)).toBe(report.tip);
});

test("Before merging, the branch can be dropped; work that did not land is fetched and shown; gc is there.", async () => {
  const there = copy();
  there.type(command("undo", "Before merging"));
  expect(() => there.git("rev-parse", "--verify", `refs/heads/${branch}`)).toThrow();

  expect(there.type(command("rescued", "The work of attempt 1 at 02-b"))).toContain("+half done");
  const cleaning = report.handOver.filter(({ about }) => about === "clean up").map((step) => step.command);
  expect(cleaning).toEqual(["stint gc", "stint gc --rescued"]);
  for (const typed of cleaning) expectCode(await rig.stint(typed.split(" ").slice(1)), 0);
});

test("Where the branch is gone, the report brings the work itself, and names it by its commit.", async () => {
  rig.git("branch", "-D", branch);
  const without = JSON.parse((await rig.stint(["report", "--json"])).stdout) as RunReport;
  const there = copy();
  const [fetch, log] = without.handOver.filter(({ about }) => about === "look").map((step) => step.command);
  expect(fetch).toBe(`git fetch ${join(rig.gitDir, "stint", "control.git")} refs/stint/runs/${report.run}`);
  there.type(fetch ?? "");
  expect(there.git("rev-parse", "FETCH_HEAD")).toBe(report.tip);
  expect(there.type(log ?? "").split("\n")).toHaveLength(3);
  expect(without.handOver.map((step) => step.command)).toContain(`git merge --no-ff --no-edit ${report.tip}`);
  expect(without.handOver.map((step) => step.command).join("\n")).not.toContain("git branch -D");
});
