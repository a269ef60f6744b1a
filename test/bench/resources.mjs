import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { journalOf, makeRepo } from "./makespan.mjs";
import { median } from "./measure.mjs";

const cli = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const lanes = 4;
/** How long each session sleeps. */
const seconds = Number(process.env.STINT_BENCH_SECONDS ?? 6);
/** Shares are of one core, while nothing happens but that agents work. */
const goals = { rss: 4, idle: 0.02 };

/**
 * What a run costs the machine besides its agents and checks: memory and processor time of Stint's own process, without
 * its children. 24 tasks on 4 lanes; then 4 tasks whose long sessions show what waiting alone costs.
 * As `npm run bench -- run`.
 */
export async function resources() {
  const floor = await sampled(["-e", "setTimeout(() => {}, 2000)"]);
  console.log(`\nStint's own process in a run of 24 tasks, ${lanes} lanes, sessions of ${seconds} s; children apart`);
  console.log(`${"".padEnd(36)} peak RSS  settled    ratio     CPU   per task   share of a core`);
  print("a node that waits", floor, floor);
  for (const terminal of [false, true]) {
    const where = terminal ? "with a terminal" : "without one";
    print(`stint run, ${where}`, await measured({ count: 24, ms: seconds * 1000, terminal }), floor, 24);
    const waiting = await measured({ count: lanes, ms: 5000 * seconds, terminal });
    const { share } = quietPart(waiting);
    const isMet = share <= goals.idle ? "met" : "MISSED";
    console.log(
      `${"  while all 4 agents only work".padEnd(80)} ${percent(share)}  goal ${percent(goals.idle).trim()}: ${isMet}`,
    );
  }
}

async function measured({ count, ms, terminal }) {
  const root = mkdtempSync(join(tmpdir(), "stint-resources-"));
  try {
    const tasks = Array.from({ length: count }, (_, at) => ({
      id: `t${String(at).padStart(2, "0")}`,
      depends: [],
      ms,
    }));
    const repo = makeRepo(root, { tasks, kind: "work", lanes, files: 2000 });
    const env = { ...process.env, XDG_STATE_HOME: join(root, "state"), XDG_CONFIG_HOME: join(root, "config") };
    const found = await sampled([cli, "run", "--yes", "bench"], { cwd: repo, env, terminal });
    return { ...found, events: journalOf(repo) };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Looks at a node process ten times a second until it ends. */
async function sampled(args, { cwd = "/", env = process.env, terminal = false } = {}) {
  const line = [process.execPath, ...args];
  const quoted = line.map((word) => `'${word}'`).join(" ");
  // Made by script without a terminal of its own, it would have no size.
  const sized = `stty cols 120 rows 40; exec ${quoted}`;
  const [program, ...words] = terminal ? ["script", "-qefc", sized, "/dev/null"] : line;
  const child = spawn(program, words, { cwd, env: { ...env, TERM: "xterm-256color" }, stdio: "ignore" });
  const samples = [];
  const begun = performance.now();
  const timer = setInterval(() => {
    const pid = terminal ? childOf(child.pid) : child.pid;
    const sample = pid === undefined ? undefined : look(pid);
    if (sample !== undefined) samples.push({ ...sample, at: Date.now() });
  }, 100);
  const [code] = await once(child, "exit");
  clearInterval(timer);
  if (code !== 0) throw new Error(`${line.join(" ")} ended with ${code}`);
  const late = samples.slice(Math.floor(samples.length / 2)).map(({ rss }) => rss);
  const { cpuMs } = samples.at(-1);
  return { samples, wallMs: performance.now() - begun, cpuMs, peak: samples.at(-1).peak, settled: median(late) };
}

function look(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [user, system] = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(11, 13)
      .map(Number);
    const kB = (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)[1]);
    return { rss: kB("VmRSS") / 1000, peak: kB("VmHWM") / 1000, cpuMs: (user + system) * 10 };
  } catch {
    return undefined;
  }
}

function childOf(pid) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  return children === "" ? undefined : Number(children.split(" ")[0]);
}

/** Between the start of the last session and the end of the first: nobody but agents works then. */
function quietPart({ samples, events }) {
  const times = (type) => events.filter((event) => event.type === type).map(({ at }) => Date.parse(at));
  const [begin, end] = [Math.max(...times("agent-started")), Math.min(...times("agent-finished"))];
  const part = samples.filter(({ at }) => at > begin + 1000 && at < end - 100);
  const [from, to] = [part[0], part.at(-1)];
  return { share: (to.cpuMs - from.cpuMs) / (to.at - from.at) };
}

function print(name, { peak, settled, cpuMs, wallMs }, floor, tasks) {
  const perTask = tasks === undefined ? "" : `${(cpuMs / tasks).toFixed(0)} ms`;
  const ratio = settled / floor.settled;
  const goal = tasks === undefined ? "" : `  goal ${goals.rss}x: ${ratio <= goals.rss ? "met" : "MISSED"}`;
  const figures = [
    `${peak.toFixed(0)} MB`.padStart(9),
    `${settled.toFixed(0)} MB`.padStart(9),
    `${ratio.toFixed(2)}x`.padStart(9),
    `${(cpuMs / 1000).toFixed(2)} s`.padStart(8),
    perTask.padStart(11),
    percent(cpuMs / wallMs).padStart(8),
  ];
  console.log(`${name.padEnd(36)}${figures.join("")}${goal}`);
}

function percent(share) {
  return `${(share * 100).toFixed(1)} %`.padStart(7);
}
