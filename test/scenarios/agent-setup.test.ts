import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { commitsOf, expectCode, sessionsOf } from "../rig/facts.ts";
import { makes } from "../rig/plan.ts";
import { createRig } from "../rig/rig.ts";
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
  expect(run.stdout.match(/waiting \(auth\): Please log in\./g)).toHaveLength(1);
  expect(run.stderr).toContain("Log the agent in with `stint login`, or fix its key; then `stint resume work#1`.\n");
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

/** Speaks claude's stream: fails at once like one that does not know an option, until FIXED is set. */
const claudeInTrouble = `cat > "$HOME/prompt"
echo '{"type":"system","subtype":"init","session_id":"s","claude_code_version":"2.1.100"}'
if [ -z "$FIXED" ]; then echo "error: unknown option '--setting-sources'" >&2; exit 1; fi
echo ready > a.txt
echo '{"type":"result","subtype":"success","is_error":false,"result":"Done."}'`;

test("A program that fails the same way twice before any tool call stops the run with its own words; no attempt is used, no planner asked.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    config: {
      agents: { claude: { driver: "claude", command: ["sh", "-c", claudeInTrouble, "claude"], env: ["FIXED"] } },
      roles: { executor: { agent: "claude" } },
      run: { attempts: 1, sandbox: "none", replan: "auto" },
    },
  });

  const run = await rig.stint(["run", "--yes"]);

  expectCode(run, 3);
  const why =
    "claude 2.1.100 failed twice within seconds, before any tool call: exit 1 without a final event: error: unknown option '--setting-sources'";
  expect(run.stdout).toContain(`waiting (agent): ${why}\n`);
  expect(run.stderr).toMatch(/^Try `sh -c .* claude -p hello` yourself, check the network and `stint doctor`, then /ms);
  for (const { stdout } of [run, await rig.stint(["log"]), await rig.stint(["log", "01-a"])])
    expect(stdout.match(/agent stopped: .*; not counted as an attempt/g)).toHaveLength(2);
  expect(sessionsOf(rig)).toEqual(["01-a 1", "01-a 2"]);
  expect(rig.events("replan-requested")).toEqual([]);
  expect(await rig.status()).toMatchObject({ reason: `agent: ${why}`, tasks: [{ state: "pending" }] });

  expectCode(await rig.stint(["resume"], { env: { FIXED: "1" } }), 0);
  expect(commitsOf(rig)).toEqual(["01-a"]);
});
