// The scripted agent of the scenario tests: performs the moves that the test wrote for its task and attempt.
import { spawn, spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { hold } from "./hold.mjs";

const { RIG_MOVES: movesFile, STINT_ROLE: role, STINT_ATTEMPT: attempt, STINT_OUTBOX: outbox } = process.env;
const task = [...(role === "judge" ? ["judge"] : []), process.env.STINT_TASK].filter(Boolean).join(":");
const outside = dirname(movesFile);
const prompt = readFileSync(0, "utf8");

const performers = {
  write: (file, { text }) => writeInside(file, text),
  append: (file, { text }) => appendFileSync(file, text),
  delete: (file) => rmSync(file, { recursive: true }),
  shell: (command) => {
    const { status, signal } = spawnSync("sh", ["-c", command], { stdio: ["ignore", "inherit", "inherit"] });
    if (status !== 0) throw new Error(`The shell move ended with ${status ?? signal}: ${command}`);
  },
  print: (text) => process.stdout.write(text),
  report: (report) => writeFileSync(join(outbox, "report.json"), JSON.stringify(report)),
  leave: (file, { text }) => writeInside(join(outbox, file), text),
  judge: (judgement) => writeFileSync(join(outbox, "judgement.json"), JSON.stringify(judgement)),
  usage: (usage) => writeFileSync(join(outbox, "usage.json"), JSON.stringify(usage)),
  limit: (seconds) => {
    const until = seconds === null ? {} : { until: new Date(Date.now() + seconds * 1000).toISOString() };
    writeFileSync(join(outbox, "limit.json"), JSON.stringify(until));
    process.exit(75);
  },
  exit: (code) => process.exit(code),
  crash: (signal) => new Promise(() => process.kill(process.pid, signal)),
  hold: (name) => hold(join(outside, name)),
  daemon: (name) => {
    // A detached child gets a session of its own: no signal to the agent's process group reaches it.
    const child = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" });
    child.unref();
    writeFileSync(join(outside, name), String(child.pid));
  },
  save: (name) => writeFileSync(join(outside, name), JSON.stringify({ prompt, env: process.env, cwd: process.cwd() })),
};

function writeInside(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function movesOfThisAttempt() {
  const ofTask = JSON.parse(readFileSync(movesFile, "utf8"))[task];
  if (ofTask === undefined) throw new Error(`The test wrote no moves for task ${task}`);
  return Array.isArray(ofTask) ? ofTask : (ofTask[attempt] ?? ofTask["*"] ?? []);
}

for (const move of movesOfThisAttempt()) {
  const [name] = Object.keys(move);
  await performers[name](move[name], move);
}
