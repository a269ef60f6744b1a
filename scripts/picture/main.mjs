// Makes docs/picture.svg from a real run: the plan of the demo with its scripted agent, in a terminal of tmux. The moment
// is one at which the script holds two sessions, so that it is the same each time except for times and hashes.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { toSvg } from "./svg.ts";

const { layOut, scriptedSettings } = await import(resolve("demo/project.mjs"));
const { createStage, ownHome } = await import(resolve("demo/stage.mjs"));

const cli = resolve("dist/cli.js");
const picture = resolve("docs/picture.svg");
const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const folder = mkdtempSync(join(tmpdir(), "stint-picture-"));
const meeting = join(folder, "meeting");
mkdirSync(meeting);
const env = { ...ownHome(folder), TERM: "xterm-256color" };
const stage = createStage({ cli, folder, meeting, env });
const stint = (...args) => execFileSync(process.execPath, [cli, ...args], { cwd: stage.project, env, stdio: "pipe" });
// A server of its own: no session of anybody else is seen or touched.
const tmux = (...args) =>
  execFileSync("tmux", ["-L", `stint-picture-${process.pid}`, "-f", "/dev/null", "-u", ...args], {
    cwd: stage.project,
    env,
    encoding: "utf8",
  });

try {
  layOut({ ...stage, settings: () => scriptedSettings(meeting) });
  stint("approve", "--yes");
  stint("take", "07-readme");
  tmux("new-session", "-d", "-x", "96", "-y", "25", process.execPath, cli, "run");
  await until(
    () => isTheMoment(stage.journal()),
    () => "the run has not come to the moment of the picture",
  );
  const screen = await show();
  const { run } = stage.json("status", "--json");
  const description = `stint ${version} at work on the plan of its demo, run ${run}: ${textOf(screen)}`;
  writeFileSync(picture, toSvg(screen, { title: "stint run", description }));
  console.log(
    `docs/picture.svg shows run ${run} of the demo's plan, by stint ${version}. The agent was the demo's script.`,
  );
} finally {
  endRun();
  rmSync(folder, { recursive: true, force: true });
}

/** 02-delivery is never told to continue, and 05-csv sleeps; everything else has come as far as it can. */
function isTheMoment(events) {
  const has = (type, task) => events.some((event) => event.type === type && event.task === task);
  return (
    ["01-discount", "03-vat"].every((task) => has("task-integrated", task)) &&
    has("task-blocked", "04-due-date") &&
    ["02-delivery", "05-csv"].every((task) => has("agent-started", task))
  );
}

/** What both agents have said last is on the screen when the view has drawn all of it. */
async function show() {
  const capture = () => tmux("capture-pane", "-e", "-p");
  const said = ["until 01-discount has landed", "until Stint is killed", "The plan assumes 30 days"];
  await until(
    () => said.every((words) => textOf(capture()).includes(words)),
    () => `the screen shows only\n${capture()}`,
  );
  return capture();
}

function textOf(screen) {
  // oxlint-disable-next-line no-control-regex -- colours are control characters
  return screen.replace(/\u{1b}\[[\d;]*m/gu, "").trim();
}

async function until(isSo, otherwise) {
  for (let tries = 0; !isSo(); tries += 1) {
    if (tries === 3000) throw new Error(`After five minutes ${otherwise()}`);
    await sleep(100);
  }
}

function endRun() {
  try {
    stint("stop");
  } finally {
    tmux("kill-server");
  }
}
