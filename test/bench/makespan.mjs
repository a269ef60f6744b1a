import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sh, timed } from "./measure.mjs";
import { idealMs, listScheduleMs } from "./schedule.mjs";

const cli = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const taskCount = 40;
const fileCount = { light: 20, heavy: 2000 };
/** The shortest session; a smaller number is for a quick look, and shows more of Stint's own cost. */
const leastSeconds = Number(process.env.STINT_BENCH_SECONDS ?? 10);
const goals = { work: 1.15, checks: 1.3 };

/**
 * How long a plan of 40 tasks takes on so many lanes, against what no scheduler can beat.
 * `work`: agents sleep, checks take no time. `checks`: the check of a task takes as long as its agent, and counts as work.
 * As `npm run bench -- makespan [1] [2] [4] [8] [work] [checks] [light] [heavy]`; what is not named: all lanes, both kinds, light.
 */
export function makespan(words) {
  const named = (all, otherwise = all) =>
    all.some((one) => words.includes(one)) ? all.filter((one) => words.includes(one)) : otherwise;
  const tasks = randomGraph(7);
  console.log(`\nMakespan of ${taskCount} tasks, sessions of ${leastSeconds} to ${leastSeconds * 1.5} s, seconds`);
  console.log(`${"".padEnd(28)} measured     ideal    ratio    list schedule    ratio to it`);
  for (const size of named(["light", "heavy"], ["light"])) {
    for (const kind of named(["work", "checks"])) {
      for (const lanes of named(["1", "2", "4", "8"])) measure(tasks, { kind, lanes: Number(lanes), size });
    }
  }
}

function measure(tasks, { kind, lanes, size }) {
  const root = mkdtempSync(join(tmpdir(), "stint-makespan-"));
  try {
    const repo = makeRepo(root, { tasks, kind, lanes, files: fileCount[size] });
    const env = { ...process.env, XDG_STATE_HOME: join(root, "state"), XDG_CONFIG_HOME: join(root, "config") };
    const took = timed(() => sh(process.execPath, [cli, "run", "--yes", "bench"], { cwd: repo, env }));
    const events = journalOf(repo);
    const { steps, final, discarded } = workOf(events, tasks);
    const ideal = idealMs(steps, { lanes, final });
    const list = listScheduleMs(steps, { lanes, final });
    const figures = [
      seconds(took),
      seconds(ideal),
      ratio(took / ideal),
      `      ${seconds(list)}`,
      `      ${ratio(took / list)}`,
    ];
    const goal = `goal ${goals[kind]}x: ${took / ideal <= goals[kind] ? "met" : "MISSED"}`;
    console.log(
      `${`${kind}, ${lanes} lanes, ${fileCount[size]} files`.padEnd(28)} ${figures.join(" ")}    ${goal}${discarded}`,
    );
    console.log(`    Stint's own time per task: ${ownTime(events)}`);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Up to three dependencies on tasks not long before, so that the graph is wider than eight lanes but has long chains. */
function randomGraph(seed) {
  let state = seed;
  const random = () => (state = (state * 1103515245 + 12345) % 2 ** 31) / 2 ** 31;
  return Array.from({ length: taskCount }, (_, at) => {
    const count = at < 8 ? 0 : Math.floor(random() * 3.2);
    const depends = new Set(Array.from({ length: count }, () => idOf(Math.max(0, at - 4 - Math.floor(random() * 16)))));
    return { id: idOf(at), depends: [...depends], ms: Math.round(leastSeconds * 1000 * (1 + random() / 2)) };
  });
}

function idOf(at) {
  return `t${String(at).padStart(2, "0")}`;
}

/** Sessions as long as they sleep; verification as the journal's evidence has it, without what was thrown away. */
function workOf(events, tasks) {
  const landed = new Map(
    events.filter(({ type }) => type === "task-integrated").map(({ task, commit }) => [task, commit]),
  );
  const verdicts = events.filter(({ type }) => type === "verdict");
  const kept = new Set(
    [...landed].map(([task, commit]) => verdicts.findLast((one) => one.task === task && one.placed === commit)),
  );
  const baselines = new Map(events.filter(({ type }) => type === "baseline").map((one) => [one.task, msOf(one)]));
  const steps = tasks.map(({ id, depends, ms }) => {
    const verdict = [...kept].find(({ task }) => task === id);
    return { id, depends, steps: [baselines.get(id) + ms, msOf(verdict)] };
  });
  const final = events.findLast(({ type }) => type === "final-verified").checks.map(msOfCheck);
  const thrown = verdicts.filter((one) => !kept.has(one));
  return { steps, final, discarded: thrown.length === 0 ? "" : `; ${thrown.length} verdicts thrown away` };
}

/** From an attempt's start to its session, and from the session's end to landing, without what checks took: where a ratio comes from. */
function ownTime(events) {
  const at = (type, task) => events.findLast((one) => one.type === type && one.task === task);
  const tasks = events.filter(({ type }) => type === "task-integrated").map(({ task }) => task);
  const mean = (from, to, checks) => {
    const spans = tasks.map(
      (task) => Date.parse(at(to, task).at) - Date.parse(at(from, task).at) - msOf(at(checks, task)),
    );
    return seconds(spans.reduce((sum, ms) => sum + ms, 0) / spans.length).trim();
  };
  const before = mean("attempt-started", "agent-started", "baseline");
  return `${before} s before the session, ${mean("agent-finished", "task-integrated", "verdict")} s after it`;
}

function msOf({ checks }) {
  return checks.reduce((sum, check) => sum + msOfCheck(check), 0);
}

function msOfCheck({ cached, durationMs }) {
  return cached ? 0 : durationMs;
}

/** The events of the only run of a repository. */
export function journalOf(repo) {
  const runs = join(repo, ".git/stint/runs");
  const lines = readFileSync(join(runs, readdirSync(runs)[0], "journal.jsonl"), "utf8")
    .trim()
    .split("\n");
  return lines.map((line) => JSON.parse(line));
}

/** A repository with a plan of these tasks, whose agents sleep as long as each says. */
export function makeRepo(root, { tasks, kind, lanes, files }) {
  const repo = join(root, "repo");
  const write = (path, text) => {
    mkdirSync(join(repo, path, ".."), { recursive: true });
    writeFileSync(join(repo, path), text);
  };
  for (let at = 0; at < files; at += 1)
    write(`src/d${at % 50}/f${at}.txt`, `file ${at}\n${"line of text ".repeat(100)}\n`);
  const lines = tasks.map(({ id }) => `- [ ] [${id}](tasks/${id}.md) Add ${id}`).join("\n");
  write("plans/bench/plan.md", `---\nstint: 1\ntitle: Bench\ngoal: Bench\n---\n## Tasks\n${lines}\n`);
  write("plans/bench/scope.md", "## Understanding\n\nx\n\n## Goals\n\nx\n\n## Gaps\n\nx\n");
  for (const { id, depends, ms } of tasks) {
    // A planner that judges well: the longest session is the longest estimate.
    const estimate = Math.round((15 * ms) / (leastSeconds * 1000));
    const check = `test -f out/${id}.txt${kind === "checks" ? ` && sleep ${ms / 1000}` : ""}`;
    const front = `title: Add ${id}\ndepends: [${depends.join(", ")}]\nfiles: { create: [out/${id}.txt] }\nestimate: ${estimate}m\nchecks:\n  - run: ${check}\n`;
    write(`plans/bench/tasks/${id}.md`, `---\n${front}---\n## Goal\n\nCreate the file.\n`);
  }
  const sleeps = tasks.map(({ id, ms }) => `  ${id}) sleep ${ms / 1000} ;;`).join("\n");
  const agent = join(root, "agent.sh");
  const script = `#!/bin/sh\ncase $STINT_TASK in\n${sleeps}\nesac\nmkdir -p out\necho done > "out/$STINT_TASK.txt"\n`;
  writeFileSync(agent, script, { mode: 0o755 });
  const config = `agents: { bench: { driver: command, command: [${agent}] } }\nroles: { executor: { agent: bench } }\n`;
  write(".stint/config.yaml", `${config}run: { parallel: ${lanes} }\n`);
  const git = (...args) => sh("git", args, { cwd: repo });
  git("init", "-q", "-b", "main");
  git("config", "user.name", "Bench");
  git("config", "user.email", "bench@localhost");
  git("add", "-A");
  git("commit", "-q", "-m", "Base");
  return repo;
}

function seconds(ms) {
  return (ms / 1000).toFixed(1).padStart(9);
}

function ratio(value) {
  return `${value.toFixed(2)}x`.padStart(8);
}
