// The demo without a model: planner.mjs plans, agent.mjs works, and everything that can go wrong in a night goes wrong in a minute.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { layOut, scriptedSettings } from "./project.mjs";
import { createStage, ownHome } from "./stage.mjs";
import { showExpectations, storyOf } from "./story.mjs";

const goal = "Let a shop print a correct invoice from an order";
const usage = "Print an invoice with `node bin/invoice.js examples/order.json`.";

/** Plays the whole story and returns 1 if anything expected did not happen, else 0. */
export async function playScript({ cli, folder }) {
  const meeting = join(folder, "meeting");
  mkdirSync(meeting);
  const stage = createStage({ cli, folder, meeting, env: ownHome(folder) });
  console.log(`A small invoice library with real tests is set up in ${folder}.
Real: the project, its tests, git, the plan, every command below, and the kill -9.
Scripted: the agents, without any model, in ${import.meta.dirname}.
planner.mjs makes the plan and errs once. agent.mjs does the tasks: it errs once, cheats once, asks once and claims to be
at its usage limit once; where it waits for another, it says so.
Scripted, too: you. The answer and the task done by hand are one line each that this demo types.`);
  layOut({ ...stage, settings: () => scriptedSettings(meeting), hasPlan: false });

  await plan(stage);
  await approve(stage);
  const killed = await runUntilKilled(stage);
  const asked = await takePart(stage);
  await goOn(stage);
  await lookAt(stage);
  const story = storyOf({ events: stage.journal(), planned: stage.planning(), killed, asked, git: stage.git });
  return showExpectations(story) === 0 ? 0 : 1;
}

async function plan(stage) {
  stage.chapter(
    "A goal becomes a plan",
    `Its questions are not asked, because of --headless: what is recommended is assumed, and the plan says so.
Every check of the draft is run on the code as it is. One of 05-csv is green already and would prove nothing:
the planner is told, and mends it. Then somebody else reads the draft.`,
  );
  await stage.stint("plan", goal, "--name", "invoices", "--headless");
}

async function approve(stage) {
  stage.chapter("A plan is read before it costs anything", "Seven tasks, each with the commands that prove it.");
  await stage.stint("lint");
  await stage.stint("approve", "--yes");

  stage.chapter("One task you do yourself", "In a clone of your own; agents leave it and its files alone.");
  await stage.stint("take", "07-readme");
}

async function runUntilKilled(stage) {
  stage.chapter(
    "Agents do the rest, two at a time",
    `01-discount errs: its check is red, and the next session is told why.
02-delivery works beside it. Each is green alone, but both took the letter D: a conflict, told with whom.
03-vat cheats: it edits the test instead of the code. A guard refuses that.
04-due-date does not guess: it asks. Nobody waits for it but what builds on it.
05-csv is at work when the driver is killed with kill -9.`,
  );
  const driver = stage.drive("run");
  await stage.waitFor(driver, (events) => hasLanded(events, "01-discount"));
  stage.tell("01-discount has landed");
  await stage.waitFor(driver, isTimeToKill);
  const killed = await stage.killHard(driver);
  await stage.recall();
  return killed;
}

function isTimeToKill(events) {
  const last = events.findLast(({ type }) => type === "task-integrated");
  const published = events.findLast(({ type }) => type === "published");
  return (
    ["01-discount", "02-delivery", "03-vat"].every((task) => hasLanded(events, task)) &&
    published?.commit === last.commit &&
    events.some(({ type, task }) => type === "task-blocked" && task === "04-due-date") &&
    events.some(({ type, task }) => type === "agent-started" && task === "05-csv")
  );
}

function hasLanded(events, task) {
  return events.some((event) => event.type === "task-integrated" && event.task === task);
}

async function takePart(stage) {
  stage.chapter("The driver is dead, and nothing is lost", "The journal and git know where the run stands.");
  const asked = stage.json("status", "--json").questions;
  await stage.stint("status");

  stage.chapter("You answer what was asked", "The next agent of that task is told.");
  await stage.stint("answer", "04-due-date", "14 days, as the README says. The plan only assumed 30.");

  stage.chapter("You hand in what you did", "It is verified and lands like the work of any agent.");
  await stage.shell(`cd "${workspaceOf(stage, "07-readme")}" && echo '\n${usage}' >> README.md`);
  await stage.stint("submit", "07-readme");
  return asked;
}

/** Where `stint take` said that the task is. */
function workspaceOf(stage, task) {
  return stage.journal().find((event) => event.type === "workspace-given" && event.task === task).path;
}

async function goOn(stage) {
  stage.chapter(
    "The run goes on",
    `What died with the driver begins anew, at no cost. Then 06-command meets a usage limit of four seconds:
the run waits for its end and goes on by itself.`,
  );
  await stage.driveToEnd("resume");
}

async function lookAt(stage) {
  stage.chapter("The morning after", "The run left a report. Its first screen; `stint report` prints it whole:");
  await stage.shell("head -n 33 .git/stint/runs/*/report.md");

  stage.chapter("The branch", "One verified commit per task; the box in plan.md is ticked in the same commit.");
  await stage.shell("git log --graph --decorate --oneline stint/invoices");
  await stage.shell('git show --stat "stint/invoices^{/Round VAT}"');
  await stage.shell("git clone --quiet --branch stint/invoices . ../result");
  await stage.shell("cd ../result && node --test --test-reporter=dot && node bin/invoice.js examples/order.json");
}
