// Runs commands for the demo in an environment of its own, and shows each as a person would type it.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export function createStage({ cli, folder, project }) {
  const env = environment(folder);
  const git = (...args) => execFileSync("git", args, { cwd: project, env, encoding: "utf8" }).trimEnd();
  const launch = (program, args) =>
    spawn(program, args, { cwd: project, env, stdio: ["ignore", "inherit", "inherit"] });
  const start = (...args) => {
    console.log(`\n$ stint ${args.join(" ")}`);
    return launch(process.execPath, [cli, ...args]);
  };
  return {
    git,
    start,
    say: (text) => console.log(`\n== ${text}`),
    journal: () => readJournal(project),
    stint: (expected, ...args) => endsWith(expected, start(...args), `stint ${args.join(" ")}`),
    shell: (expected, line) => {
      console.log(`\n$ ${line}`);
      return endsWith(expected, launch("sh", ["-c", line]), line);
    },
    waitForAgent: (driver, task, attempt) => waitForAgent(project, driver, `${task}.${attempt}`),
    waitForLanded: (driver, tasks) => waitUntil(driver, () => haveLanded(readJournal(project), tasks)),
    killHard,
  };
}

/** A home of its own: neither settings nor credentials of the person who looks on are read or written. */
function environment(folder) {
  const home = join(folder, "home");
  mkdirSync(home);
  const gitConfig = "[user]\n\tname = Demo User\n\temail = demo@example.com\n[init]\n\tdefaultBranch = main\n";
  writeFileSync(join(home, ".gitconfig"), gitConfig);
  const { PATH = "", LANG = "C.UTF-8", TERM = "dumb" } = process.env;
  return {
    PATH: `${dirname(process.execPath)}${delimiter}${PATH}`,
    LANG,
    TERM,
    HOME: home,
    XDG_STATE_HOME: join(home, ".local", "state"),
    XDG_CONFIG_HOME: join(home, ".config"),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_PAGER: "cat",
  };
}

async function endsWith(expected, child, shown) {
  const [code, signal] = await once(child, "exit");
  if (code !== expected) throw new Error(`\`${shown}\` ended with ${code ?? signal}, expected ${expected}`);
}

/** The agent is at work when the first line of its output is on disk. */
function waitForAgent(project, driver, attempt) {
  return waitUntil(driver, () => {
    const logs = runFolders(project).map((run) => join(run, "attempts", attempt, "output.log"));
    return logs.some((log) => existsSync(log) && readFileSync(log, "utf8").includes("\n"));
  });
}

/** On the branch that people see, too. */
function haveLanded(events, tasks) {
  const landed = events.filter(({ type }) => type === "task-integrated");
  const published = events.findLast(({ type }) => type === "published");
  return (
    tasks.every((task) => landed.some((event) => event.task === task)) && published?.commit === landed.at(-1)?.commit
  );
}

async function waitUntil(driver, isSo) {
  while (driver.exitCode === null && driver.signalCode === null) {
    if (isSo()) return;
    await sleep(50);
  }
  throw new Error("The run ended before it reached the moment at which it should be killed");
}

async function killHard(driver) {
  const exited = once(driver, "exit");
  console.log(`\n$ kill -9 ${driver.pid}`);
  driver.kill("SIGKILL");
  const [, signal] = await exited;
  return { pid: driver.pid, signal };
}

/** The events of the demo's only run, from the complete lines of its journal. */
function readJournal(project) {
  const text = runFolders(project).map((run) => readFileSync(join(run, "journal.jsonl"), "utf8"))[0] ?? "";
  const lines = text.slice(0, text.lastIndexOf("\n") + 1).split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}

function runFolders(project) {
  const runs = join(project, ".git", "stint", "runs");
  return existsSync(runs) ? readdirSync(runs).map((run) => join(runs, run)) : [];
}
