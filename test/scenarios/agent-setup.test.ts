import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { commitsOf, expectCode, sessionsOf } from "../rig/facts.ts";
import { makes } from "../rig/plan.ts";
import { createScriptedRig } from "../rig/scripted.ts";

const ready = (file: string) => ({ edit: file, write: "ready\n" });

test("An agent that is not logged in is one notice and one session, not a night of failed attempts; resume goes on.", async () => {
  await using rig = await createScriptedRig({
    plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt") } },
    config: { run: { attempts: 1 } },
    moves: { "01-a": { 1: [{ auth: "Please log in." }], "*": [ready("a.txt")] }, "02-b": [ready("b.txt")] },
  });

  const run = await rig.stint(["run", "--yes"]);

  expectCode(run, 3);
  const { run: id } = await rig.status();
  expect(run.stdout.match(/waiting \(auth\): Please log in\./g)).toHaveLength(1);
  expect(run.stderr).toContain(`\`stint doctor\` prints the command), then \`stint resume ${id}\`.\n`);
  expect(sessionsOf(rig)).toEqual(["01-a 1"]);

  expectCode(await rig.stint(["resume"]), 0);
  expect(commitsOf(rig)).toEqual(["01-a", "02-b"]);
});

test("A model that the agent rejects stops the run at once with 3; with the settings corrected and approved, the same run goes on.", async () => {
  await using rig = await createScriptedRig({
    plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt") } },
    config: { run: { attempts: 1 } },
    moves: {
      "01-a": [ready("a.txt")],
      "02-b": { 1: [{ misconfigured: "The model small is unknown." }], "*": [ready("b.txt")] },
    },
  });

  const run = await rig.stint(["run", "--yes"]);

  expectCode(run, 3);
  const { run: id, tasks } = await rig.status();
  expect(run.stdout).toContain("waiting (agent): The model small is unknown.\n");
  expect(tasks).toMatchObject([{ state: "integrated" }, { state: "pending", attempts: 1 }]);
  expect(sessionsOf(rig)).toEqual(["01-a 1", "02-b 1"]);

  const config = parse(readFileSync(join(rig.repo, ".stint/config.yaml"), "utf8")) as Record<string, unknown>;
  rig.write(".stint/config.yaml", stringify({ ...config, roles: { executor: { agent: "embedded", model: "large" } } }));
  expectCode(await rig.stint(["approve", "--yes"]), 0);
  expectCode(await rig.stint(["resume", id]), 0);

  expect(rig.events("agent-finished").map(({ model }) => model)).toEqual(["small", "small", "large"]);
  expect(commitsOf(rig)).toEqual(["01-a", "02-b"]);
});

test("Moves that were changed after the approval are not performed.", async () => {
  await using rig = await createScriptedRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: { "01-a": [ready("a.txt")] },
  });
  expectCode(await rig.stint(["approve", "--yes"]), 0);
  rig.write("moves.json", JSON.stringify({ "01-a": [{ run: "touch ../evil" }] }));

  const run = await rig.stint(["run"]);

  expectCode(run, 3);
  expect(run.stderr).toContain("the program ./moves.json was changed after plan work was approved.");
  expect(sessionsOf(rig)).toEqual([]);
});

test("People see that an agent waits and tries again; programs that read the journal's lines do not.", async () => {
  await using rig = await createScriptedRig({
    plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt") } },
    moves: {
      "01-a": [{ retry: { delay_ms: 30_000, why: "busy\u001b[2J" } }, ready("a.txt"), { crash: 1 }],
      "02-b": [ready("b.txt")],
    },
    config: { run: { attempts: 1 } },
  });

  const run = await rig.stint(["run", "--yes"]);
  expect(run.stderr).toContain("01-a #1 agent retries in 30 s: busy\\u{1b}[2J\n");

  expectCode(await rig.stint(["requeue", "01-a"]), 0);
  const lines = await rig.stint(["resume", "--json"]);
  expect(lines.stderr).not.toContain("tries again");
});
