import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { eventsOf, median, row, sh, timed } from "./measure.mjs";

const cli = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const fileCount = 2000;
const taskCount = 12;

/**
 * What Stint adds to a task whose agent and check take no time, on a repository of 2,000 files,
 * against bare git doing the least: checkout, snapshot, fresh checkout, commit, ref update.
 */
export function taskOverhead() {
  const root = mkdtempSync(join(tmpdir(), "stint-bench-"));
  try {
    const repo = makeRepo(root);
    const floor = measureFloor(root, repo);
    const perTask = measureRun(root, repo);
    console.log(`\nOverhead per task, ${fileCount} files (medians)`);
    for (const [name, ms] of Object.entries(floor.parts)) row(`  bare git: ${name}`, ms);
    row("bare git floor", floor.total, 1);
    row("stint, instant agent, one trivial check", perTask, perTask / floor.total);
    console.log(`goal 1.3x: ${perTask / floor.total <= 1.3 ? "met" : "MISSED"}`);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function makeRepo(root) {
  const repo = join(root, "repo");
  for (let at = 0; at < fileCount; at += 1) {
    const dir = join(repo, "src", `d${at % 50}`);
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, `f${at}.txt`), `file ${at}\n${"line of text number ".repeat(100)}${at}\n`);
  }
  const ids = Array.from({ length: taskCount }, (_, at) => `t${String(at).padStart(2, "0")}`);
  mkdirSync(join(repo, "plans/bench/tasks"), { recursive: true });
  mkdirSync(join(repo, ".stint"), { recursive: true });
  const lines = ids.map((id) => `- [ ] [${id}](tasks/${id}.md) Add ${id}`).join("\n");
  writeFileSync(
    join(repo, "plans/bench/plan.md"),
    `---\nstint: 1\ntitle: Bench\ngoal: Bench\n---\n## Tasks\n${lines}\n`,
  );
  writeFileSync(join(repo, "plans/bench/scope.md"), "## Understanding\n\nx\n\n## Goals\n\nx\n\n## Gaps\n\nx\n");
  for (const id of ids) {
    const front = `title: Add ${id}\nfiles: { create: [out/${id}.txt] }\nestimate: 15m\nchecks:\n  - run: test -f out/${id}.txt\n`;
    writeFileSync(join(repo, `plans/bench/tasks/${id}.md`), `---\n${front}---\n## Goal\n\nCreate the file.\n`);
  }
  const agent = join(root, "agent.sh");
  writeFileSync(agent, '#!/bin/sh\nmkdir -p out\necho done > "out/$STINT_TASK.txt"\n', { mode: 0o755 });
  writeFileSync(
    join(repo, ".stint/config.yaml"),
    `agents: { bench: { driver: command, command: [${agent}] } }\nroles: { executor: { agent: bench } }\n`,
  );
  const git = (...args) => sh("git", args, { cwd: repo });
  git("init", "-q", "-b", "main");
  git("config", "user.name", "Bench");
  git("config", "user.email", "bench@localhost");
  git("add", "-A");
  git("commit", "-q", "-m", "Base");
  git("gc", "-q");
  return repo;
}

function measureFloor(root, repo) {
  const parts = { checkout: [], snapshot: [], "fresh checkout": [], "commit and ref": [] };
  for (let round = 0; round < 7; round += 1) {
    const work = join(root, `floor-${round}`);
    const fresh = join(root, `fresh-${round}`);
    parts.checkout.push(timed(() => sh("git", ["clone", "-q", "--shared", repo, work])));
    writeFileSync(join(work, "new.txt"), `${round}\n`);
    const index = { GIT_INDEX_FILE: join(root, `index-${round}`), ...process.env };
    let tree = "";
    parts.snapshot.push(
      timed(() => {
        sh("git", ["add", "-A"], { cwd: work, env: index });
        tree = sh("git", ["write-tree"], { cwd: work, env: index });
      }),
    );
    parts["fresh checkout"].push(timed(() => sh("git", ["clone", "-q", "--shared", work, fresh])));
    parts["commit and ref"].push(
      timed(() => {
        const commit = sh(
          "git",
          ["-c", "user.name=b", "-c", "user.email=b@b", "commit-tree", "-m", "x", "-p", "HEAD", tree],
          { cwd: work },
        );
        sh("git", ["update-ref", "refs/heads/bench", commit], { cwd: work });
      }),
    );
    rmSync(work, { recursive: true, force: true });
    rmSync(fresh, { recursive: true, force: true });
  }
  const medians = Object.fromEntries(Object.entries(parts).map(([name, values]) => [name, median(values)]));
  return { parts: medians, total: Object.values(medians).reduce((sum, ms) => sum + ms, 0) };
}

/** From the start of one attempt to the start of the next, as the journal tells it. */
function measureRun(root, repo) {
  const env = { ...process.env, XDG_STATE_HOME: join(root, "state"), XDG_CONFIG_HOME: join(root, "config") };
  sh(process.execPath, [cli, "run", "--yes", "bench"], { cwd: repo, env });
  const events = eventsOf(repo);
  const starts = events.filter(({ type }) => type === "attempt-started").map(({ at }) => Date.parse(at));
  return median(starts.slice(1).map((at, index) => at - starts[index]));
}
