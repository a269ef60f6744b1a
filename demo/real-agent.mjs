// The same project and plan with a real agent. It costs money or quota, and nothing is known beforehand: no mistake,
// conflict or limit is expected, only that Stint keeps its promises whatever the agent does.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline/promises";
import { layOut } from "./project.mjs";
import { createStage, ownGit, say } from "./stage.mjs";
import { showExpectations, tasksOn } from "./story.mjs";

/** Returns 1 if Stint broke a promise, otherwise the exit code of the run. */
export async function playWithAgent({ cli, folder, agent }) {
  const env = { ...process.env, ...ownGit, PATH: pathWithNode() };
  const stage = createStage({ cli, folder, env, stdin: "inherit" });
  const cap = capOf(agent);
  layOut({ ...stage, settings: () => settingsFor(stage, agent, cap) });
  say(`A small invoice library with real tests and a plan of seven tasks has been set up in ${folder}.
The plan was made beforehand: \`stint plan\` with a real agent would cost more, and give a different plan each time.
Nothing is scripted: ${agent} does the tasks, with the key from your environment or the login in its Stint home.`);

  await stage.chapter("Is everything ready?", "The machine, the agent and its login, before any money is spent.");
  const health = await stage.tryStint("doctor");
  if (health !== 0) {
    console.error("\nNothing was started or spent. Fix what is marked bad above, then try again.");
    rmSync(folder, { recursive: true });
    return health;
  }
  say(`\nThis costs at most about ${cap.words}: once that is spent, agents are stopped and no more are started.`);
  if (!(await mayGoOn())) {
    console.error("Nothing was started or spent.");
    rmSync(folder, { recursive: true });
    return 3;
  }
  return await play(stage, agent);
}

async function play(stage, agent) {
  await stage.chapter("The plan is approved", "Every command that may run is shown; you have just agreed to the cost.");
  await stage.stint("lint");
  await stage.stint("approve", "--yes");

  await stage.chapter(
    `${agent} works, two in parallel`,
    "Each in a clone of its own; the checks decide, not the agent.",
  );
  const code = await stage.tryStint("run");
  const landed = stage.json("status", "--json").tasks.filter(({ state }) => state === "integrated");
  if (landed.length > 0) {
    await stage.chapter("The branch", "One verified commit per task.");
    await stage.shell("git log --graph --decorate --oneline stint/invoices");
    await stage.shell("git clone --quiet --branch stint/invoices . ../result");
  }
  const failures = showExpectations(expectations(stage, { code, landed }));
  if (code !== 0)
    console.log(`\n\`stint run\` exited with ${code}; its output above says what to do next, in ${stage.project}.`);
  return failures === 0 ? (code ?? 1) : 1;
}

function expectations(stage, { code, landed }) {
  const { git } = stage;
  const events = stage.journal();
  const ids = landed.map(({ id }) => id);
  const verdicts = ids.map((task) => events.findLast((event) => event.type === "verdict" && event.task === task));
  const commits = ids.length === 0 ? [] : tasksOn(git, "stint/invoices");
  const isOver = code === 0 || code === 3;
  return {
    "the branch has exactly one commit per task that landed": commits.toSorted().join() === ids.toSorted().join(),
    "each of them passed its checks, which failed before the work": verdicts.every(
      (verdict) => verdict?.result === "passed",
    ),
    "the same checks pass in a clone of the branch": verdicts.every((verdict) => areGreen(stage, verdict?.checks)),
    "tests that the plan does not name are unchanged on the branch":
      ids.length === 0 || git("diff", "--diff-filter=MD", "--name-only", "main", "stint/invoices", "--", "test") === "",
    "your checkout is as it was": git("status", "--porcelain") === "",
    ...(isOver && { "every task that did not land says why": stage.json("status", "--json").tasks.every(isExplained) }),
  };
}

/** The demo runs the checks itself, whatever the journal says about them. */
function areGreen({ project }, checks = []) {
  const cwd = join(dirname(project), "result");
  return checks.every(({ label }) => spawnSync("sh", ["-c", label], { cwd, stdio: "ignore" }).status === 0);
}

function isExplained({ state, reason }) {
  return state === "integrated" || (reason ?? "") !== "";
}

/** What the agent reports about its cost decides how it can be capped. */
function capOf(agent) {
  return agent === "claude"
    ? { setting: "usd: 5", words: "5 USD" }
    : { setting: "tokens: 3000000", words: "3 million tokens (it does not report its cost)" };
}

/** If your own settings use this agent as executor, their model applies. */
function settingsFor(stage, agent, cap) {
  const yours = stage.json("config", "--json").find(({ key }) => key === "roles.executor");
  const roles = yours?.value?.split(",")[0] === agent ? "" : `roles: { executor: { agent: ${agent} } }\n`;
  return `${roles}run: { parallel: 2, attempts: 2 }\nbudget: { ${cap.setting} }\n`;
}

/** Without a terminal nobody can be asked: naming the agent counts as consent. */
async function mayGoOn() {
  if (!(process.stdin.isTTY && process.stdout.isTTY)) return true;
  const prompt = createInterface({ input: process.stdin, output: process.stdout });
  const refused = new AbortController();
  prompt.once("SIGINT", () => refused.abort());
  const answer = await prompt.question("Continue? [y/N] ", { signal: refused.signal }).catch(() => "");
  prompt.close();
  return /^y(es)?$/i.test(answer.trim());
}

/** Node's folder comes last, so that the agent is the one you would start yourself. */
function pathWithNode() {
  return `${process.env.PATH ?? ""}${delimiter}${dirname(process.execPath)}`;
}
