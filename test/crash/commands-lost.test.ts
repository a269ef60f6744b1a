import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Running } from "../rig/cli.ts";
import { commandFolder, commandNames, putCommand, untilSent } from "../rig/commands.ts";
import { commitsOf, expectCode } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig, type Rig } from "../rig/rig.ts";

const uuid = "00000000-0000-4000-8000-00000000000";

/** One task at work, held until `go`. */
async function working(): Promise<{ readonly rig: Rig; readonly run: Running } & AsyncDisposable> {
  const rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    config: { run: { attempts: 1 } },
    moves: { "01-a": [{ hold: "go" }, ...writes("a.txt")] },
  });
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("go");
  return { rig, run, [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose]() };
}

function idOf(name: string): string {
  return name.slice(0, name.indexOf("."));
}

test("kill -9 of the sender: what it sent is obeyed once.", async () => {
  await using world = await working();
  const { rig, run } = world;
  process.kill(run.pid, "SIGSTOP");
  const sender = rig.start(["pause"]);
  const sent = await untilSent(rig);
  await sender.kill("SIGKILL");
  process.kill(run.pid, "SIGCONT");

  expect(await run.waitForEvent("paused")).toMatchObject({ command: idOf(sent) });
  expectCode(await rig.stint(["resume"]), 0);
  rig.release("go");
  expectCode(await run.ended, 0);
  expect(rig.events("paused")).toHaveLength(1);
});

test("kill -9 of the driver before it took the command: the sender journals it, and resume continues.", async () => {
  await using world = await working();
  const { rig, run } = world;
  process.kill(run.pid, "SIGSTOP");
  const sender = rig.start(["stop"]);
  await untilSent(rig);
  await run.kill("SIGKILL");

  const ended = await sender.ended;
  expectCode(ended, 0);
  expect(ended.stdout).toContain("no process is running it");
  expect(rig.events("stopped")).toHaveLength(1);
  rig.release("go");
  expectCode(await rig.stint(["resume"]), 0);
  expect(commitsOf(rig)).toEqual(["01-a"]);
});

test("kill -9 of the driver after it took the command: it is applied once, by whoever comes next.", async () => {
  await using world = await working();
  const { rig, run } = world;
  process.kill(run.pid, "SIGSTOP");
  const sender = rig.start(["stop"]);
  const sent = join(commandFolder(rig), await untilSent(rig));
  renameSync(sent, sent.replace(/json$/, "taken"));
  await run.kill("SIGKILL");

  expectCode(await sender.ended, 0);
  rig.release("go");
  expectCode(await rig.stint(["resume"]), 0);
  expect(rig.events("stopped")).toHaveLength(1);
  expect(commandNames(rig)).toEqual([]);
});

test("kill -9 of both after the command was taken: the next driver ignores it as stale, and says so once.", async () => {
  await using world = await working();
  const { rig, run } = world;
  process.kill(run.pid, "SIGSTOP");
  const sender = rig.start(["stop"]);
  const name = await untilSent(rig);
  const sent = join(commandFolder(rig), name);
  await sender.kill("SIGKILL");
  renameSync(sent, sent.replace(/json$/, "taken"));
  await run.kill("SIGKILL");
  rig.release("go");

  expectCode(await rig.stint(["resume"]), 0);
  expect(rig.events("stopped")).toEqual([]);
  expect(rig.events("command-ignored")).toMatchObject([{ command: idOf(name), kind: "stop", stale: true }]);
  expect(commandNames(rig)).toEqual([]);
  expect(commitsOf(rig)).toEqual(["01-a"]);
});

test("kill -9 of the driver between journal and file: what the journal has is not applied again.", async () => {
  await using world = await working();
  const { rig, run } = world;
  process.kill(run.pid, "SIGSTOP");
  const sender = rig.start(["pause"]);
  const sent = join(commandFolder(rig), await untilSent(rig));
  const copy = join(rig.outside, "copy");
  copyFileSync(sent, copy);
  process.kill(run.pid, "SIGCONT");
  expectCode(await sender.ended, 0);
  await run.waitForEvent("agent-finished");

  copyFileSync(copy, sent.replace(/json$/, "taken"));
  expectCode(await rig.stint(["resume"]), 0);
  copyFileSync(copy, sent);
  rig.release("go");
  expectCode(await run.ended, 0);
  expect(rig.events("paused")).toHaveLength(1);
  expect(rig.events("command-ignored")).toEqual([]);
  expect(commandNames(rig)).toEqual([]);
});

test("Commands of another epoch, of another run and files that are no command are journaled as ignored; the run continues.", async () => {
  await using world = await working();
  const { rig, run } = world;
  const { run: id } = await rig.status();
  const dir = commandFolder(rig);
  const stop = { v: 1, run: id, epoch: 1, kind: "stop" };
  putCommand(rig, `${uuid}1.json`, { ...stop, id: `${uuid}1`, epoch: 7 });
  putCommand(rig, `${uuid}2.json`, { ...stop, id: `${uuid}2`, run: "another" });
  putCommand(rig, `${uuid}3.json`, "{");
  writeFileSync(join(rig.outside, "target"), JSON.stringify({ ...stop, id: `${uuid}4` }));
  symlinkSync(join(rig.outside, "target"), join(dir, `${uuid}4.json`));
  execFileSync("mkfifo", [join(dir, `${uuid}5.json`)]);
  putCommand(rig, `${uuid}6.json`, " ".repeat(200_000));
  await run.waitForEvent("command-ignored", ({ command }) => command === `${uuid}6`);

  const ignored = rig.events("command-ignored").map(({ command, kind, why }) => [command, kind, why]);
  expect(ignored.toSorted()).toEqual([
    [`${uuid}1`, "stop", "it was sent at epoch 7, and the run is at 1: another process has resumed it since"],
    [`${uuid}2`, "stop", "it was sent to run another"],
    [`${uuid}3`, "unknown", "it is not a command: it is not JSON"],
    [`${uuid}4`, "unknown", "it is not a command: it is not a regular file"],
    [`${uuid}5`, "unknown", "it is not a command: it is not a regular file"],
    [`${uuid}6`, "unknown", "it is not a command: it has 200000 bytes"],
  ]);
  expect(existsSync(join(rig.outside, "target"))).toBe(true);
  // The honest twin: the same words with the run's own epoch are obeyed.
  putCommand(rig, `${uuid}7.json`, { ...stop, id: `${uuid}7` });
  expectCode(await run.ended, 130);
  expect(commandNames(rig)).toEqual([]);
});

test("A sender gives up after 10 s on a driver that does not answer, and the command is not obeyed later.", async () => {
  await using world = await working();
  const { rig, run } = world;
  process.kill(run.pid, "SIGSTOP");
  const sender = await rig.stint(["stop"]);
  expectCode(sender, 1);
  expect(sender.stderr).toContain(
    `stint: not accepted: process ${run.pid}, which runs plan work, did not respond within 10 s, so the command was withdrawn.`,
  );
  expect(commandNames(rig)).toEqual([]);
  process.kill(run.pid, "SIGCONT");
  rig.release("go");
  expectCode(await run.ended, 0);
  expect(rig.events("stopped")).toEqual([]);
});

test("Ctrl-C at the sender withdraws the command.", async () => {
  await using world = await working();
  const { rig, run } = world;
  process.kill(run.pid, "SIGSTOP");
  const sender = rig.start(["stop"]);
  await untilSent(rig);
  expectCode(await sender.kill("SIGINT"), 130);
  expect(commandNames(rig)).toEqual([]);
  process.kill(run.pid, "SIGCONT");
  rig.release("go");
  expectCode(await run.ended, 0);
});

test("A folder that cannot be written is said with its cure; the run is not disturbed, and the next command arrives.", async () => {
  await using world = await working();
  const { rig, run } = world;
  const dir = commandFolder(rig);
  rmSync(dir, { recursive: true });
  writeFileSync(dir, "");
  const sender = await rig.stint(["pause"]);
  expectCode(sender, 1);
  expect(sender.stderr).toBe(`stint: not accepted: ${dir} is not a folder. Move it away, then try again.\n`);
  expect(readFileSync(dir, "utf8")).toBe("");
  rmSync(dir);
  expectCode(await rig.stint(["stop"]), 0);
  expectCode(await run.ended, 130);
});

test("Many senders at once, with and without a driver: each command is in the journal once.", async () => {
  await using world = await working();
  const { rig, run } = world;
  const sendAll = async () => Promise.all(Array.from({ length: 5 }, () => rig.stint(["pause"])));
  for (const ended of await sendAll()) expectCode(ended, 0);
  await run.waitForEvent("agent-finished");
  await run.kill("SIGKILL");
  for (const ended of await sendAll()) expectCode(ended, 0);
  const commands = rig.events("paused").map(({ command }) => command);
  expect(new Set(commands).size).toBe(10);
  expect(commands).toHaveLength(10);
  rig.release("go");
  expectCode(await rig.stint(["resume"]), 0);
  expect(commitsOf(rig)).toEqual(["01-a"]);
});
