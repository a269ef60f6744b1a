import { expect, test } from "vitest";
import { realFiles } from "../../src/journal/file-port.ts";
import { pathsOf } from "../../src/project/paths.ts";
import { type Machine, realMachine } from "../../src/project/machine.ts";
import { sendCommand } from "../../src/run/commands/send-command.ts";
import { redactor } from "../../src/base/redact.ts";
import { commandNames, putCommand } from "../rig/commands.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig, type Rig } from "../rig/rig.ts";

const uuid = "00000000-0000-4000-8000-00000000000";

/** The disk takes all but the event of that command. */
function fullAt(command: string): Machine {
  const write: typeof realFiles.write = (fd, bytes) => {
    if (Buffer.from(bytes).includes(command))
      throw Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC" });
    return realFiles.write(fd, bytes);
  };
  return { ...realMachine, files: { ...realFiles, write }, newId: () => `${uuid}1` };
}

/** A run that nobody drives, with a task that waits for its agent. */
async function abandoned(): Promise<Rig> {
  const rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: { "01-a": [{ hold: "go" }, ...writes("a.txt")] },
  });
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("go");
  await run.kill("SIGKILL");
  return rig;
}

async function pauseOn(rig: Rig, machine: Machine) {
  const { run, plan } = await rig.status();
  const none = () => Promise.resolve(redactor([]));
  const to = {
    run,
    plan,
    paths: pathsOf(rig.gitDir, process.env),
    machine,
    redactor: none,
    approvedRevision: () => null,
  };
  return await sendCommand(to, { request: { kind: "pause" }, signal: new AbortController().signal });
}

test("A command that was journaled is reported so, although another one beside it could not be.", async () => {
  await using rig = await abandoned();
  const { run } = await rig.status();
  const epoch = rig.journal().at(-1)?.["epoch"];
  putCommand(rig, `${uuid}2.json`, { v: 1, id: `${uuid}2`, run, epoch, kind: "stop" });
  expect(await pauseOn(rig, fullAt(`${uuid}2`))).toMatchObject({ kind: "accepted", event: { type: "paused" } });
  expect(rig.events("paused")).toMatchObject([{ command: `${uuid}1` }]);
  expect(rig.events("stopped")).toEqual([]);
});

test("A command that could not be journaled is reported so, and nobody obeys it later.", async () => {
  await using rig = await abandoned();
  await expect(pauseOn(rig, fullAt(`"paused"`))).rejects.toThrow("ENOSPC");
  expect(commandNames(rig)).toEqual([]);
  expect(rig.events("paused")).toEqual([]);
});
