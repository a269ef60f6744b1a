import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { median, sh, timed } from "./measure.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const cli = here("../../dist/cli.js");
const worker = here("../../.cache/bench/scale-work.mjs");
const shapes = ["wide", "chain", "layers", "one shared file", "any file", "a hundred folders"];
const run = "20261115-201733-p-aaaa";
/** So many tasks make a little more than 100,000 events. */
const tasksOfLongRun = 12_000;

/** Plans of 10,000 tasks and journals of 100,000 events, each against a hundredth of it; an event may cost three times as much. */
export function scale() {
  const bundle = { bundle: true, platform: "node", format: "esm", packages: "external", outfile: worker };
  buildSync({ ...bundle, entryPoints: [here("scale-work.ts")], logLevel: "warning" });
  const root = mkdtempSync(join(tmpdir(), "stint-scale-"));
  const repo = join(root, "repo");
  try {
    scheduling();
    journals(root, repository(repo));
    commands(root, repo);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function scheduling() {
  console.log(
    "\nA plan run to its end by the engine alone, 8 lanes: processor time per event, 10,000 tasks against 100",
  );
  head("", "100 tasks", "10,000", "ratio", "decide", "ratio", "events", "state/task", "peak RSS");
  for (const shape of shapes) {
    const [small, large] = [100, 10_000].map((count) => work("schedule", shape, String(count)));
    const ratio = large.usPerEvent / small.usPerEvent;
    const figures = [
      `${small.usPerEvent.toFixed(1)} us`,
      `${large.usPerEvent.toFixed(1)} us`,
      times(ratio),
      `${large.usPerDecision.toFixed(1)} us`,
      times(large.usPerDecision / small.usPerDecision),
      String(large.events),
      `${((large.heap * 1024) / 10_000).toFixed(2)} kB`,
      `${large.rssMax.toFixed(0)} MB`,
    ];
    const isDone = large.last === "run-finished" && small.last === "run-finished";
    head(shape, ...figures, isDone && ratio <= 3 ? "goal 3x: met" : "goal 3x: MISSED");
  }
}

/** Makes a repository whose branch has the tip of the run, and returns that commit. */
function repository(repo) {
  mkdirSync(repo);
  const git = (...args) => sh("git", ["-c", "user.name=b", "-c", "user.email=b@b", ...args], { cwd: repo });
  git("init", "-q");
  git("commit", "-q", "--allow-empty", "-m", "Base");
  git("checkout", "-q", "-b", "stint/p");
  git("commit", "-q", "--allow-empty", "-m", "Tip");
  git("checkout", "-q", "-");
  return git("rev-parse", "stint/p").trim();
}

function journals(root, tip) {
  const [small, large] = [120, tasksOfLongRun].map((tasks) =>
    work("journal", join(root, String(tasks), "journal.jsonl"), String(tasks), tip),
  );
  const { events, bytes } = large;
  console.log(
    `\nA journal of ${events} events, ${megabytes(bytes)}: processor time per event, against ${small.events}`,
  );
  head("", "short", "long", "ratio");
  for (const [name, key] of Object.entries({
    "append, no fsync": "framed",
    "read and verify": "scanned",
    fold: "folded",
  })) {
    const [few, many] = [(small[key] * 1000) / small.events, (large[key] * 1000) / events];
    head(name, `${few.toFixed(1)} us`, `${many.toFixed(1)} us`, times(many / few));
  }
  const synced = (ms) => `${((ms * 1000) / large.synced).toFixed(0)} us`;
  head(
    "append with fsync, by the clock",
    "",
    synced(large.durable),
    times(large.durable / large.floor),
    "of a bare write and fsync",
  );
  const perEvent = (mb) => `${((mb * 2 ** 20) / events).toFixed(0)} B`;
  head(
    "memory per event",
    "",
    perEvent(large.entriesHeap),
    "",
    `and the state, ${perEvent(large.stateHeap)}; peak RSS ${large.rssMax.toFixed(0)} MB`,
  );
}

/** The real command line on the long journal, whose run is finished. */
function commands(root, repo) {
  const dir = join(repo, ".git/stint/runs", run);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  renameSync(join(root, String(tasksOfLongRun), "journal.jsonl"), join(dir, "journal.jsonl"));
  const env = { ...process.env, XDG_STATE_HOME: join(root, "state"), XDG_CONFIG_HOME: join(root, "config") };
  // Node tells a process's peak memory to nobody but the process.
  const tell = join(root, "tell.mjs");
  const peak = join(root, "peak");
  writeFileSync(
    tell,
    `import fs from "node:fs"; process.on("exit", () => fs.writeFileSync(${JSON.stringify(peak)}, String(process.resourceUsage().maxRSS)));`,
  );
  const start = (args) => sh(process.execPath, args, { cwd: repo, env });
  // Each call is beside one of the floor, because the machine may be busier at one moment than at the next.
  const call = (args, before = () => {}) => {
    const once = () => {
      before();
      return { floor: timed(() => start(["-e", "0"])), ms: timed(() => start(args)) };
    };
    const calls = Array.from({ length: 7 }, once);
    before();
    start(["--import", tell, ...args]);
    const [floor, ms] = ["floor", "ms"].map((key) => median(calls.map((each) => each[key])));
    return { floor, ms, rss: Number(sh("cat", [peak])) / 1024 };
  };
  const show = (name, { floor, ms, rss }, goal = "") =>
    head(name, `${floor.toFixed(0)} ms`, `${ms.toFixed(0)} ms`, times(ms / floor), `${rss.toFixed(0)} MB`, goal);
  console.log("\nThe command line on that journal, by the clock");
  head("", "node -e 0", "time", "ratio", "peak RSS");
  const forget = () => rmSync(join(dir, "checkpoint"), { force: true });
  show("stint status, no checkpoint", call([cli, "status"], forget));
  for (const args of [["status"], ["status", "--json"]]) {
    const called = call([cli, ...args]);
    const isMet = called.ms <= 3 * called.floor + 100;
    show(`stint ${args.join(" ")}`, called, `goal 3x node -e 0 + 100 ms: ${isMet ? "met" : "MISSED"}`);
  }
  for (const args of [["log"], ["log", "t00007"]]) show(`stint ${args.join(" ")}`, call([cli, ...args]));
}

function work(...args) {
  return JSON.parse(sh(process.execPath, ["--expose-gc", worker, ...args]));
}

function head(name, ...cells) {
  console.log(`${name.padEnd(32)}${cells.map((cell) => cell.padStart(cell.length > 12 ? 0 : 11)).join(" ")}`.trimEnd());
}

function times(ratio) {
  return `${ratio.toFixed(2)}x`;
}

function megabytes(bytes) {
  return `${(bytes / 2 ** 20).toFixed(0)} MB`;
}
