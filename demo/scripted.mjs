// The demo without a model: planner.mjs plans, agent.mjs works, and everything that can go wrong overnight goes wrong in a minute.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { layOut, scriptedSettings } from "./project.mjs";
import { createStage, ownHome, say } from "./stage.mjs";
import { showExpectations, storyOf } from "./story.mjs";

const goal = "Let a shop print a correct invoice from an order";
const usage = "Print an invoice with `node bin/invoice.js examples/order.json`.";

/** Plays the whole story; returns 1 if anything did not happen as expected, otherwise 0. */
export async function playScript({ cli, folder, pauses }) {
  const meeting = join(folder, "meeting");
  mkdirSync(meeting);
  const stage = createStage({ cli, folder, meeting, env: ownHome(folder), pauses });
  say(`A small invoice library with real tests has been set up in ${folder}.
Real: the project, its tests, git, the plan, every command below, and the kill -9.
Scripted, without any model: the agents, in ${import.meta.dirname}.
planner.mjs makes the plan, with one mistake.
agent.mjs does the tasks: it makes one mistake, cheats once, asks one question and claims once to have reached its usage limit.
When it waits for another agent, it says so.
Also scripted: you. The demo types your answer and the task you do by hand, one line each.`);
  layOut({ ...stage, settings: () => scriptedSettings(meeting), hasPlan: false });

  await plan(stage);
  await approve(stage);
  const killed = await runUntilKilled(stage);
  const asked = await takePart(stage);
  await goOn(stage);
  await lookAt(stage);
  await stage.untilWanted();
  const story = storyOf({ events: stage.journal(), planned: stage.planning(), killed, asked, git: stage.git });
  return showExpectations(story) === 0 ? 0 : 1;
}

async function plan(stage) {
  await stage.chapter(
    "A goal becomes a plan",
    `With --headless nobody is asked: the planner's recommendations are assumed, and the plan says so.
Every check of the draft is run on the current code.
One check of 05-csv passes already and would prove nothing: the planner learns that, and fixes it.
Then a critic reviews the draft.`,
  );
  await stage.stint("plan", goal, "--name", "invoices", "--headless");
}

async function approve(stage) {
  await stage.chapter(
    "You read the plan before it costs anything",
    "Seven tasks, each with the commands that prove it.\nThe page shows every file and command; here is its end.",
  );
  await stage.stint("lint");
  await stage.stintEnd(36, "approve", "--yes");

  await stage.chapter("You do one task yourself", "In a clone of your own; agents leave the task and its files alone.");
  await stage.stint("take", "07-readme");
}

async function runUntilKilled(stage) {
  await stage.chapter(
    "Agents do the rest, two in parallel",
    `01-discount makes a mistake: its check fails, and the next agent learns why.
02-delivery runs in parallel. Each passes alone, but both use the letter D: a conflict, reported with both names.
03-vat cheats: it edits the test instead of the code. A guard rejects that.
04-due-date does not guess: it asks. Only the tasks that depend on it wait.
05-csv is in progress when Stint is killed with kill -9.`,
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
  await stage.chapter("Stint is dead, and nothing is lost", "The journal and git know the state of the run.");
  const asked = stage.json("status", "--json").questions;
  await stage.stint("status");

  await stage.chapter("You answer the question", "The next agent on that task gets your answer.");
  await stage.stint("answer", "04-due-date", "14 days, as the README says. The plan only assumed 30.");

  await stage.chapter("You submit your work", "It is verified and integrated like the work of any agent.");
  await stage.shell(`cd "${workspaceOf(stage, "07-readme")}" && echo '\n${usage}' >> README.md`);
  await stage.stint("submit", "07-readme");
  return asked;
}

/** The workspace that `stint take` printed. */
function workspaceOf(stage, task) {
  return stage.journal().find((event) => event.type === "workspace-given" && event.task === task).path;
}

async function goOn(stage) {
  await stage.chapter(
    "The run is resumed",
    `What died with Stint restarts, and does not count as an attempt.
Then 06-command hits a usage limit of two seconds: the run waits until it is over and continues by itself.`,
  );
  await stage.driveToEnd("resume");
}

async function lookAt(stage) {
  await stage.chapter(
    "The morning after",
    "The run left a report. Here is the beginning; `stint report` prints all of it:",
  );
  await stage.shell("head -n 33 .git/stint/runs/*/report.md");

  await stage.chapter("The branch", "One verified commit per task, which also ticks its checkbox in plan.md.");
  await stage.shell("git log --graph --decorate --oneline stint/invoices");
  await stage.shell('git show --stat "stint/invoices^{/Round VAT}"');
  await stage.shell("git clone --quiet --branch stint/invoices . ../result");
  await stage.shell("cd ../result && node --test --test-reporter=dot && node bin/invoice.js examples/order.json");
}
