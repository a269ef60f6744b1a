// The demo: public commands of Stint on a small real project in a fresh folder. Only the agent is scripted (agent.mjs).
// Usage: node demo/run.mjs [path of the CLI]. No network, no keys. Ends with 1 if anything expected did not happen.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { checkStory } from "./story.mjs";
import { createStage } from "./stage.mjs";

const here = import.meta.dirname;
const cli = resolve(process.argv[2] ?? process.env.STINT_CLI ?? join(here, "..", "dist", "cli.js"));
const folder = mkdtempSync(join(tmpdir(), "stint-demo-"));
const usage = "Print an invoice with `node bin/invoice.js examples/order.json`.";
const stage = createStage({ cli, folder, project: join(folder, "invoice") });

console.log(`A small invoice library with real tests is set up in ${folder}.
Real: the project, its tests, git, the plan, every command below, and the kill -9.
Scripted: the agent. demo/agent.mjs plays it without any model. On purpose it cheats once and errs once.
Scripted, too: you. The task done by hand is one line that this demo writes.`);

try {
  setUp();
  const killed = await tell();
  const failures = checkStory({ events: stage.journal(), killed, git: stage.git });
  process.exitCode = failures === 0 ? 0 : 1;
} catch (error) {
  console.error(`\nThe demo did not go as expected: ${error.message}`);
  process.exitCode = 1;
}
console.log(`
The folder is left for you to look at: ${folder}
  invoice/                        your checkout, as it was: Stint never wrote to it
  invoice/plans/invoices/         the plan that was approved
  invoice/.git/stint/runs/*/      the journal, and each attempt's prompt, output and verdict
  result/                         the branch stint/invoices
The agent's script is ${join(here, "agent.mjs")}.`);

async function tell() {
  await stage.stint(0, "lint");
  await stage.stint(0, "approve", "--yes");

  stage.say("One task you do yourself, in a clone of your own. Agents leave it and its files alone.");
  await stage.stint(0, "take", "05-readme");

  stage.say("Agents do the rest, two at a time. When two tasks have landed and one works on 03-csv: kill -9.");
  const driver = stage.start("run");
  await stage.waitForAgent(driver, "03-csv", 1);
  await stage.waitForLanded(driver, ["01-vat", "02-discount"]);
  const killed = await stage.killHard(driver);

  stage.say("The driver is dead. Nothing is lost: the journal and git know where the run stands.");
  await stage.stint(0, "status");

  stage.say("Hand in what you did. It is verified and lands like the work of any agent. Then agents go on.");
  await stage.shell(0, `cd "${workspaceOf("05-readme")}" && echo '\n${usage}' >> README.md`);
  await stage.stint(0, "submit", "05-readme");
  await stage.stint(0, "resume");

  stage.say("What happened to the task whose agent edited a test instead of the code:");
  await stage.stint(0, "log", "01-vat");

  stage.say("The branch: one verified commit per task, the box in plan.md ticked in the same commit.");
  await stage.shell(0, "git log --graph --decorate --oneline stint/invoices");
  await stage.shell(0, 'git show --stat "stint/invoices^{/Round VAT}"');

  stage.say("The tests on that branch, in a clone of it:");
  await stage.shell(0, "git clone --quiet --branch stint/invoices . ../result");
  await stage.shell(0, "cd ../result && node --test --test-reporter=spec");
  return killed;
}

/** Where `stint take` said that the task is. */
function workspaceOf(task) {
  return stage.journal().find((event) => event.type === "workspace-given" && event.task === task).path;
}

function setUp() {
  const project = join(folder, "invoice");
  const meeting = join(folder, "meeting");
  cpSync(join(here, "project"), project, { recursive: true });
  cpSync(join(here, "plan"), join(project, "plans", "invoices"), { recursive: true, filter: isOfPlan });
  mkdirSync(join(project, ".stint"));
  cpSync(join(here, "plan", "rules.md"), join(project, ".stint", "rules.md"));
  mkdirSync(meeting);
  const config = readFileSync(join(here, "plan", "config.yaml"), "utf8")
    .replace('"<demo>/agent.mjs"', () => JSON.stringify(join(here, "agent.mjs")))
    .replace('"<meeting>"', () => JSON.stringify(meeting));
  writeFileSync(join(project, ".stint", "config.yaml"), config);
  stage.git("init");
  stage.git("add", "--all");
  stage.git("commit", "--message", "An invoice library and a plan for it");
}

function isOfPlan(path) {
  return !path.endsWith("rules.md") && !path.endsWith("config.yaml");
}
