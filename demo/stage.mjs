// Runs commands for the demo in its project, and shows each as a person would type it.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline/promises";
import { setTimeout as sleep } from "node:timers/promises";

/** On a terminal a run has its live view. Otherwise its most important lines tell the story. */
const hasView = process.stdout.isTTY && process.env.TERM !== "dumb";
const turns = "agent started|rejected|conflicts|BLOCKED|integrated as|limit|wait is over|run finished|\\[.\\]";

/** Keys reach a command only if `stdin` is "inherit": a paused script would wait forever. */
export function createStage({ cli, folder, meeting, env, stdin = "ignore", pauses = false }) {
  const project = join(folder, "invoice");
  const options = { cwd: project, env };
  const launch = (program, args, out = "inherit") =>
    spawn(program, args, { ...options, stdio: [stdin, out, "inherit"] });
  const tryStint = (...args) => codeOf(shown(launch, cli, args));
  const untilWanted = pauses && process.stdin.isTTY && process.stdout.isTTY ? askForNext : async () => {};
  return {
    project,
    tryStint,
    stint: async (...args) => expectDone(await tryStint(...args), `stint ${args.join(" ")}`),
    git: (...args) => execFileSync("git", args, { ...options, encoding: "utf8" }).trimEnd(),
    json: (...args) => JSON.parse(execFileSync(process.execPath, [cli, ...args], { ...options, encoding: "utf8" })),
    /** Begins a chapter; in a terminal, when the person watching wants it. */
    chapter: createChapters(untilWanted),
    /** Waits as before a chapter: what follows would push the last screen away. */
    untilWanted,
    journal: () => readJournal(project, "runs"),
    planning: () => readJournal(project, "plannings"),
    drive: (...args) => drive(launch, cli, args).driver,
    driveToEnd: async (...args) => {
      const { driver, filtered } = drive(launch, cli, args);
      const [code] = await Promise.all([codeOf(driver), filtered]);
      expectDone(code, `stint ${args.join(" ")}`);
    },
    /** The view leaves nothing on the screen: `stint log` prints its lines. */
    recall: async () => {
      if (hasView) await filter(launch, cli, ["log"]).filtered;
    },
    /** Shows only the end of a long output. */
    stintEnd: async (lines, ...args) => {
      console.log(`\n$ stint ${args.map(quoted).join(" ")} | tail -n ${lines}`);
      const tail = spawn("tail", ["-n", String(lines)], { stdio: ["pipe", "inherit", "inherit"] });
      const command = launch(process.execPath, [cli, ...args], tail.stdin);
      tail.stdin.destroy();
      const [code] = await Promise.all([codeOf(command), once(tail, "exit")]);
      expectDone(code, `stint ${args.join(" ")}`);
    },
    shell: async (line) => {
      console.log(`\n$ ${line}`);
      expectDone(await codeOf(launch("sh", ["-c", line])), line);
    },
    waitFor: (driver, isSo) => waitUntil(driver, () => isSo(readJournal(project, "runs"))),
    tell: (word) => writeFileSync(join(meeting, word), ""),
    killHard,
  };
}

/** A separate home: the settings and credentials of the person watching are neither read nor written. */
export function ownHome(folder) {
  const home = join(folder, "home");
  mkdirSync(home);
  const { PATH = "", LANG = "C.UTF-8", TERM = "dumb", NO_COLOR } = process.env;
  return {
    PATH: `${dirname(process.execPath)}${delimiter}${PATH}`,
    LANG,
    TERM,
    ...(NO_COLOR === undefined ? {} : { NO_COLOR }),
    HOME: home,
    XDG_STATE_HOME: join(home, ".local", "state"),
    XDG_CONFIG_HOME: join(home, ".config"),
    ...ownGit,
  };
}

/** Prints sentences, which a terminal would break within words. */
export function say(text) {
  const columns = process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY;
  console.log(text.replaceAll(/.+/g, (line) => broken(line, columns)));
}

function broken(line, columns) {
  const end = line.length <= columns ? -1 : line.lastIndexOf(" ", columns);
  return end <= 0 ? line : `${line.slice(0, end)}\n${broken(line.slice(end + 1), columns)}`;
}

/** Git hooks, signing and pagers of the person watching must not interfere with the demo. */
export const ownGit = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1", GIT_PAGER: "cat" };

/** The person watching has seen enough. */
export class Quit extends Error {
  isInterrupt = false;
}

function createChapters(untilWanted) {
  let number = 0;
  return async (title, text) => {
    if (number > 0) await untilWanted();
    say(`\n== ${(number += 1)}. ${title} ==\n${text}`);
  };
}

async function askForNext() {
  // What was typed before the question is no answer to it.
  process.stdin.resume();
  await sleep(50);
  const input = createInterface({ input: process.stdin, output: process.stdout, terminal: false });
  const quit = new Quit();
  let interrupt;
  const left = new Promise((_, reject) => {
    interrupt = () => reject(Object.assign(quit, { isInterrupt: true }));
    process.once("SIGINT", interrupt);
    input.once("close", () => reject(quit));
  });
  try {
    const answer = await Promise.race([input.question("\n-- Enter for the next chapter, q and Enter to quit: "), left]);
    if (answer.trim().toLowerCase().startsWith("q")) throw quit;
  } finally {
    process.off("SIGINT", interrupt);
    input.removeAllListeners("close");
    input.close();
  }
}

function shown(launch, cli, args) {
  console.log(`\n$ stint ${args.map(quoted).join(" ")}`);
  return launch(process.execPath, [cli, ...args]);
}

function quoted(word) {
  return /^[\w./-]+$/.test(word) ? word : `"${word}"`;
}

/** Starts a command that drives a run; `filtered` resolves when all its lines are shown. */
function drive(launch, cli, args) {
  return hasView ? { driver: shown(launch, cli, args), filtered: Promise.resolve() } : filter(launch, cli, args);
}

function filter(launch, cli, args) {
  console.log(`\n$ stint ${args.join(" ")} | grep -E "${turns}"`);
  const grep = spawn("grep", ["--line-buffered", "-E", turns], { stdio: ["pipe", "inherit", "inherit"] });
  const driver = launch(process.execPath, [cli, ...args], grep.stdin);
  grep.stdin.destroy();
  return { driver, filtered: once(grep, "exit") };
}

/** Null if a signal ended it. */
async function codeOf(child) {
  const [code] = await once(child, "exit");
  return code;
}

function expectDone(code, shown) {
  if (code !== 0) throw new Error(`\`${shown}\` exited with ${code ?? "a signal"}, expected 0`);
}

async function waitUntil(driver, isSo) {
  while (driver.exitCode === null && driver.signalCode === null) {
    if (isSo()) return;
    await sleep(50);
  }
  throw new Error("The run ended before it reached the expected moment");
}

async function killHard(driver) {
  const exited = once(driver, "exit");
  driver.kill("SIGKILL");
  const [, signal] = await exited;
  // A killed view cannot restore the terminal: the cursor, long lines, the main screen, colours.
  if (hasView) process.stdout.write("\u{1b}[?2026l\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l\u{1b}[0m");
  console.log(`\n$ kill -9 ${driver.pid}`);
  return { pid: driver.pid, signal };
}

/** The events of the demo's only run, or of its only planning session, from the complete lines of the journal. */
function readJournal(project, kind) {
  const text = foldersOf(project, kind).map((folder) => readFileSync(join(folder, "journal.jsonl"), "utf8"))[0] ?? "";
  const lines = text.slice(0, text.lastIndexOf("\n") + 1).split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}

function foldersOf(project, kind) {
  const all = join(project, ".git", "stint", kind);
  return existsSync(all) ? readdirSync(all).map((one) => join(all, one)) : [];
}
