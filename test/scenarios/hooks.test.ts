import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commitsOf, expectCode } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createReceiver, type Receiver } from "../rig/receiver.ts";
import { createRig, type Rig, type RigOptions } from "../rig/rig.ts";
import { foldersOf } from "../rig/scratch.ts";

const two: RigOptions = {
  plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt", { depends: ["01-a"] }) } },
  moves: { "01-a": writes("a.txt"), "02-b": writes("b.txt") },
};

interface Told {
  readonly run: string;
  readonly plan: string;
  readonly hook: string;
  readonly event: { readonly seq: number; readonly type: string; readonly task?: string };
}

const toldTo = ({ received }: Receiver) => received.map(({ body }) => JSON.parse(body) as Told);
const logOf = (rig: Rig) => readFileSync(join(foldersOf(rig).dir, "hooks.log"), "utf8");

test("A run tells webhook and program what they asked for, line by line as the journal has it.", async () => {
  await using receiver = await createReceiver();
  await using rig = await createRig({
    ...two,
    hooks: (outside) => [
      { on: ["task-integrated", "done", "blocked"], webhook: receiver.url },
      { on: ["done"], command: ["sh", "-c", `cat > '${outside}/told'; pwd > '${outside}/where'`] },
    ],
  });
  expectCode(await rig.stint(["run", "--yes"]), 0);

  const journal = rig.journal();
  expect(toldTo(receiver).map(({ event }) => event)).toEqual(
    journal.filter(({ type }) => type === "task-integrated" || type === "run-finished"),
  );
  expect(toldTo(receiver).map(({ hook }) => hook)).toEqual(["task-integrated", "task-integrated", "done"]);
  const program = JSON.parse(readFileSync(join(rig.outside, "told"), "utf8")) as Told;
  expect(program).toEqual({
    run: journal.find(({ type }) => type === "run-started")?.["run"],
    plan: "work",
    hook: "done",
    event: journal.at(-1),
  });
  expect(readFileSync(join(rig.outside, "where"), "utf8")).toBe(`${rig.repo}\n`);
});

test("A finished run and one without hooks know nothing of them: nobody is told twice, and no file is left.", async () => {
  await using receiver = await createReceiver();
  await using rig = await createRig({ ...two, hooks: [{ on: ["done"], webhook: receiver.url }] });
  expectCode(await rig.stint(["run", "--yes"]), 0);
  const before = rig.journal().length;
  const again = await rig.stint(["run"]);
  expectCode(again, 0);
  expect(again.stderr).toContain("nothing to do");
  expect(rig.journal()).toHaveLength(before);
  expect(receiver.received).toHaveLength(1);

  await using plain = await createRig(two);
  expectCode(await plain.stint(["run", "--yes"]), 0);
  for (const name of ["hooks.json", "hooks.log", "hook-1.log"])
    expect(existsSync(join(foldersOf(plain).dir, name)), name).toBe(false);
});

test("Hooks that fail in every way change neither the work nor the exit code; a person hears of each once.", async () => {
  await using broken = await createReceiver((response) => void response.writeHead(500).end("canary-said"));
  await using stuck = await createReceiver(() => undefined);
  await using gone = await createReceiver();
  await gone.close();
  await using rig = await createRig({
    ...two,
    hooks: [
      { on: ["task-integrated", "done"], webhook: broken.url },
      { on: ["task-integrated", "done"], webhook: stuck.url },
      { on: ["done"], webhook: gone.url },
      { on: ["task-integrated", "done"], command: ["false"] },
      { on: ["task-integrated"], command: ["sh", "-c", "sleep 1000 & wait"] },
    ],
  });
  const run = await rig.stint(["run", "--yes"]);
  expectCode(run, 0);
  expect(commitsOf(rig)).toEqual(["01-a", "02-b"]);

  const { dir } = foldersOf(rig);
  const { origin } = new URL(gone.url);
  const warnings = run.stderr.split("\n").filter((line) => line.startsWith("stint: warning: hook "));
  expect(warnings).toHaveLength(5);
  expect(warnings).toContain(
    `stint: warning: hook 4 (false) exited with 1. The run continues; details are in ${dir}/hooks.log.`,
  );
  expect(warnings).toContain(
    `stint: warning: hook 3 (${origin}/…) has not received 1 event yet. \`stint resume work#1\` retries; ${dir}/hooks.log says why.`,
  );
  expect(`${run.stdout}${run.stderr}${logOf(rig)}`).not.toMatch(/canary-(?:path|query)/);
  expect(rig.processes()).toEqual([]);
});

test("What a finished run could not tell is told when it is resumed, and only then is there nothing to do.", async () => {
  let isUp = false;
  await using receiver = await createReceiver((response) => void response.writeHead(isUp ? 200 : 503).end());
  await using rig = await createRig({ ...two, hooks: [{ on: ["done"], webhook: receiver.url }] });
  const run = await rig.stint(["run", "--yes"]);
  expectCode(run, 0);
  expect(run.stderr).toContain("has not received 1 event yet.");
  isUp = true;

  expectCode(await rig.stint(["run"]), 0);
  expect(new Set(toldTo(receiver).map(({ event }) => event.type))).toEqual(new Set(["run-finished"]));
  const count = receiver.received.length;
  const last = await rig.stint(["resume"]);
  expectCode(last, 0);
  expect(last.stderr).toContain("nothing to do");
  expect(receiver.received).toHaveLength(count);
});

test("Ctrl-C does not wait for a hook that hangs; the next driver tells what is left.", async () => {
  let isUp = false;
  await using receiver = await createReceiver((response) => void (isUp && response.end()));
  await using rig = await createRig({
    ...two,
    moves: { "01-a": writes("a.txt"), "02-b": { 1: [{ hold: "never" }], 2: writes("b.txt") } },
    hooks: [{ on: ["task-integrated", "stopped", "done"], webhook: receiver.url }],
  });
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("never");
  expectCode(await run.kill("SIGINT"), 130);
  isUp = true;
  const before = receiver.received.length;

  expectCode(await rig.stint(["resume"]), 0);
  expect(
    toldTo(receiver)
      .slice(before)
      .map(({ event }) => `${event.type} ${event.task ?? ""}`),
  ).toEqual(["task-integrated 01-a", "stopped ", "task-integrated 02-b", "run-finished "]);
});

test("A secret that an agent gets reaches no hook, whoever prints it.", async () => {
  const secret = "cnry-7Kq2xV9zWm4";
  await using receiver = await createReceiver();
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt", { checks: ["cat a.txt; grep -q ready a.txt"] }) } },
    config: {
      run: { attempts: 1 },
      agents: { scripted: { driver: "command", command: ["sh", "agent.sh"], env: ["MY_TOKEN"] } },
    },
    files: { "agent.sh": "" },
    hooks: (outside) => [
      { on: ["agent-finished", "verdict", "blocked"], webhook: receiver.url },
      { on: ["agent-finished", "verdict", "blocked"], command: ["sh", "-c", `cat >> '${outside}/told'`] },
    ],
  });
  rig.write(
    "agent.sh",
    'echo "$MY_TOKEN" > a.txt\nprintf \'{"status":"done","summary":"%s"}\' "$MY_TOKEN" > "$STINT_OUTBOX/report.json"\n',
  );
  rig.commit("An agent that prints what it has");
  const config = readFileSync(join(rig.repo, ".stint/config.yaml"), "utf8");
  rig.write(".stint/config.yaml", config.replace("- sh\n      - agent.sh", `- sh\n      - ${rig.repo}/agent.sh`));
  rig.commit("Where it is");
  expectCode(await rig.stint(["run", "--yes"], { env: { MY_TOKEN: secret } }), 3);

  const told = [...receiver.received.map(({ body }) => body), readFileSync(join(rig.outside, "told"), "utf8")].join(
    "\n",
  );
  expect(toldTo(receiver).map(({ event }) => event.type)).toEqual(["agent-finished", "verdict", "task-blocked"]);
  expect(told).not.toContain(secret);
  // The control: it was there to be told.
  expect(told).toContain("[secret MY_TOKEN]");
});
