import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { sh, timed } from "./measure.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const cli = here("../../dist/cli.js");
const fileCount = { light: 20, heavy: 2000 };
/** The shortest session; a smaller number is for a quick look, and shows more of Stint's own cost. */
const leastSeconds = Number(process.env.STINT_BENCH_SECONDS ?? 10);
const goals = { work: 1.05, checks: 1.15 };
const seedOfRuns = 1;

/**
 * How long a plan of 40 tasks takes on so many lanes, against what no scheduler can beat.
 * `work`: agents sleep, checks take no time. `checks`: the check of a task takes as long as its agent, and counts as work.
 * As `npm run bench -- makespan [virtual] [wide] [layered] [chain] [crossed] [mixed] [1] [2] [4] [8] [work] [checks] [light] [heavy]`;
 * what is not named: the first three shapes, all lanes, both kinds, light. With `virtual`, the shipped rules are played on a
 * clock of their own, in seconds, and the time that Stint's steps take is assumed; without it, everything runs and is measured.
 */
export async function makespan(words) {
  const named = (all, otherwise = all) =>
    all.some((one) => words.includes(one)) ? all.filter((one) => words.includes(one)) : otherwise;
  const work = await loadWork();
  const wishes = named(["work", "checks"]).flatMap((kind) =>
    named(work.makespanShapes, ["wide", "layered", "chain"]).flatMap((shape) =>
      named(work.laneCounts.map(String)).map((lanes) => ({ kind, shape, lanes: Number(lanes) })),
    ),
  );
  if (words.includes("virtual")) return virtual(work, wishes);
  console.log(`\nMakespan of 40 tasks, sessions of ${leastSeconds} to ${leastSeconds * 1.5} s, in seconds, measured`);
  console.log(`${"".padEnd(36)}      took     floor    ratio  as asked    ratio`);
  for (const size of named(["light", "heavy"], ["light"])) {
    for (const wish of wishes) measure(work, { ...wish, files: fileCount[size] });
  }
}

/** The plans and the virtual clock are TypeScript, because tests use them, too. */
async function loadWork() {
  const outfile = here("../../.cache/bench/makespan-work.mjs");
  const bundle = { bundle: true, platform: "node", format: "esm", packages: "external", outfile };
  buildSync({ ...bundle, entryPoints: [here("makespan-work.ts")], logLevel: "warning" });
  return await import(outfile);
}

/**
 * The goal is judged by what happens where reading is seen: the checks of earlier tasks read nothing that these tasks change.
 * Elsewhere a verification also asks the checks of all tasks that its task builds on, which is the last column.
 */
function virtual({ playSeeds }, wishes) {
  console.log(
    "\nMakespan of 40 tasks in virtual time, ratio to the floor: the mean of 20 plans, and the worst of them",
  );
  console.log(`${"".padEnd(24)}  greedy, knows all       rules alone     with own time    reading not seen`.trimEnd());
  for (const { kind, shape, lanes } of wishes) {
    const { rules, own, again, greedy } = playSeeds({ kind, shape, lanes });
    const both = ({ mean, worst }) => `${ratio(mean)} ${ratio(worst)}`;
    const isMet = ({ mean }) => mean <= goals[kind];
    const hint = isMet(greedy) ? "" : ", as by a scheduler that knows all";
    const goal = `goal ${goals[kind]}x: ${isMet(own) ? "met" : `MISSED${hint}`}`;
    const name = nameOf(kind, shape, lanes).padEnd(24);
    console.log(`${name} ${both(greedy)} ${both(rules)} ${both(own)}  ${both(again)}   ${goal}`);
  }
}

function measure({ timedPlan, floorMs }, { kind, shape, lanes, files }) {
  const tasks = timedPlan(shape, { seed: seedOfRuns, leastMs: leastSeconds * 1000 });
  const root = mkdtempSync(join(tmpdir(), "stint-makespan-"));
  try {
    const repo = makeRepo(root, { tasks, kind, lanes, files });
    const env = { ...process.env, XDG_STATE_HOME: join(root, "state"), XDG_CONFIG_HOME: join(root, "config") };
    const begun = Date.now();
    const took = timed(() => sh(process.execPath, [cli, "run", "--yes", "bench"], { cwd: repo, env }));
    const events = journalOf(repo);
    const { once, asked, final, discarded } = workOf(events, tasks, kind);
    const floor = floorMs(once, { lanes, final });
    const floorAsked = floorMs(asked, { lanes, final });
    const figures = [seconds(took), seconds(floor), ratio(took / floor), seconds(floorAsked), ratio(took / floorAsked)];
    const goal = `goal ${goals[kind]}x: ${took / floor <= goals[kind] ? "met" : "MISSED"}`;
    const name = `${nameOf(kind, shape, lanes)}, ${files} files`.padEnd(36);
    console.log(`${name} ${figures.join(" ")}    ${goal}${discarded}`);
    console.log(`    own time per task: ${ownTime(events)}`);
    console.log(`    ${ends(events, begun, begun + took)}; load ${loadavg()[0].toFixed(1)} at the end`);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/**
 * Sessions as long as they sleep; verification as the journal's evidence has it, without what was thrown away. `once` has
 * only the check of each task itself, `asked` also what was asked again for the sake of earlier tasks.
 */
function workOf(events, tasks, kind) {
  const landed = new Map(
    events.filter(({ type }) => type === "task-integrated").map(({ task, commit }) => [task, commit]),
  );
  const verdicts = events.filter(({ type }) => type === "verdict");
  const kept = new Map(
    [...landed].map(([task, commit]) => [task, verdicts.findLast((one) => one.task === task && one.placed === commit)]),
  );
  const once = tasks.map(({ id, depends, ms }) => ({ id, depends, steps: [ms, kind === "checks" ? ms : 0] }));
  const asked = tasks.map(({ id, depends, ms }) => ({ id, depends, steps: [ms, msOf(kept.get(id))] }));
  const { checks } = events.findLast(({ type }) => type === "final-verified");
  const final = kind === "checks" ? checks.map(msOfCheck) : [];
  const thrown = verdicts.length - kept.size;
  return { once, asked, final, discarded: thrown === 0 ? "" : `; ${thrown} verdicts thrown away` };
}

/** Where a ratio comes from: the steps of a task, without its session and what its checks took. */
function ownTime(events) {
  const at = (type, task) => events.findLast((one) => one.type === type && one.task === task);
  const tasks = events.filter(({ type }) => type === "task-integrated").map(({ task }) => task);
  const mean = (from, to, checks) => {
    const spans = tasks.map((task) => {
      const ms = Date.parse(at(to, task).at) - Date.parse(at(from, task).at);
      return checks === undefined ? ms : ms - msOf(at(checks, task));
    });
    return `${Math.round(spans.reduce((sum, ms) => sum + ms, 0) / spans.length)} ms`;
  };
  return [
    `${mean("attempt-started", "baseline", "baseline")} to the baseline`,
    `${mean("baseline", "agent-started")} to the session`,
    `${mean("agent-finished", "candidate-made")} to collect it`,
    `${mean("candidate-made", "placed")} to place it`,
    `${mean("placed", "verdict", "verdict")} around its checks`,
    `${mean("verdict", "task-integrated")} to land`,
  ].join(", ");
}

/** What a run takes before its first attempt and after its last landing. */
function ends(events, begunMs, endedMs) {
  const first = Date.parse(events.find(({ type }) => type === "attempt-started").at);
  const last = Date.parse(events.findLast(({ type }) => type === "task-integrated").at);
  return `${Math.round(first - begunMs)} ms before the first attempt, ${Math.round(endedMs - last)} ms after the last landing`;
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

function nameOf(kind, shape, lanes) {
  return `${kind}, ${shape}, ${lanes} ${lanes === 1 ? "lane" : "lanes"}`;
}

function seconds(ms) {
  return (ms / 1000).toFixed(1).padStart(9);
}

function ratio(value) {
  return `${value.toFixed(2)}x`.padStart(8);
}
