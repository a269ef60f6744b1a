import { execFileSync } from "node:child_process";
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Command } from "../../../../src/engine/commands.ts";
import { commandFiles } from "../../../../src/run/commands/command-files.ts";
import { runLimits } from "../../../../src/run/limits.ts";

const id = "00000000-0000-4000-8000-000000000001";
const pause: Command = { v: 1, id, run: "r", epoch: 1, kind: "pause" };
let root: string;
let dir: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "stint-commands-"));
  dir = join(root, "commands");
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(text: string, name = `${id}.json`): string {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  writeFileSync(join(dir, name), text);
  return join(dir, name);
}

function whyNone(): string {
  const [arrived] = commandFiles(dir).take();
  if (arrived === undefined || arrived.command.ok) throw new Error("a command was found");
  return arrived.command.failure.message;
}

test("a command arrives as it was sent, in a private file, and is gone when its journal entry is there", () => {
  const files = commandFiles(dir);
  expect(files.take()).toEqual([]);
  expect(files.write(pause)).toEqual({ ok: true, value: undefined });
  expect(statSync(dir).mode & 0o777).toBe(0o700);
  expect(statSync(join(dir, `${id}.json`)).mode & 0o777).toBe(0o600);

  expect(files.take()).toEqual([{ id, command: { ok: true, value: pause } }]);
  expect(readdirSync(dir)).toEqual([`${id}.taken`]);
  files.remove(id);
  expect(readdirSync(dir)).toEqual([]);
  files.remove(id);
});

test("a command is found among any number of files that senders left half written when they were killed", () => {
  for (let at = 0; at < 3 * runLimits.commandFilesMax; at += 1) put("", `.${id}.json.${at}.tmp`);
  const files = commandFiles(dir);
  files.write(pause);
  expect(files.take()).toEqual([{ id, command: { ok: true, value: pause } }]);
});

test.each<Command>([
  { v: 1, id, run: "r", epoch: 3, kind: "requeue", task: "01-a" },
  { v: 1, id, run: "r", epoch: 3, kind: "answer", question: "01-a", answer: 'with "quotes"\nand lines' },
  { v: 1, id, run: "r", epoch: 3, kind: "take", task: "01-a" },
])("every kind keeps its words: $kind", (command) => {
  commandFiles(dir).write(command);
  expect(commandFiles(dir).take()).toEqual([{ id, command: { ok: true, value: command } }]);
});

test("what a driver that died had taken is taken once more", () => {
  commandFiles(dir).write(pause);
  commandFiles(dir).take();
  expect(commandFiles(dir).take()).toEqual([{ id, command: { ok: true, value: pause } }]);
});

test("either the driver takes a command or its sender has it back, never both", () => {
  const files = commandFiles(dir);
  files.write(pause);
  expect(files.withdraw(id)).toBe(true);
  expect(files.take()).toEqual([]);
  expect(files.withdraw(id)).toBe(false);

  files.write(pause);
  expect(files.take()).toHaveLength(1);
  expect(files.withdraw(id)).toBe(false);
});

test("a file still being written is no command yet", () => {
  put(JSON.stringify(pause), `.${id}.json.abc.tmp`);
  put(JSON.stringify(pause), "note.json");
  expect(commandFiles(dir).take()).toEqual([]);
  renameSync(join(dir, "note.json"), join(dir, `${id}.json`));
  expect(commandFiles(dir).take()).toHaveLength(1);
});

test.each([
  ["not JSON", "{", "it is not a command: it is not JSON"],
  ["not an object", "[]", "it is not a command: it does not have the fields of a command"],
  [
    "an unknown kind",
    JSON.stringify({ ...pause, kind: "approve" }),
    "it is not a command: it does not have the fields of a command",
  ],
  [
    "a later version",
    JSON.stringify({ ...pause, v: 2 }),
    "it is not a command: it does not have the fields of a command",
  ],
  [
    "a field too many",
    JSON.stringify({ ...pause, task: "x" }),
    "it is not a command: it does not have the fields of a command",
  ],
  [
    "another id than its name",
    JSON.stringify({ ...pause, id: "x" }),
    "it is not a command: its file name is not its id",
  ],
  [
    "too large",
    " ".repeat(runLimits.commandBytesMax + 1),
    `it is not a command: it has ${runLimits.commandBytesMax + 1} bytes`,
  ],
])("%s is no command", (_, text, why) => {
  put(text);
  expect(whyNone()).toBe(why);
});

test("a link, a folder and a pipe are not followed, opened or waited for", () => {
  const target = put(JSON.stringify(pause), "target");
  const file = join(dir, `${id}.json`);
  const makers = [
    () => symlinkSync(target, file),
    () => mkdirSync(file),
    () => void execFileSync("mkfifo", [file]),
    () => symlinkSync("/nowhere", file),
  ];
  for (const make of makers) {
    make();
    expect(whyNone()).toBe("it is not a command: it is not a regular file");
    commandFiles(dir).setAside(id);
    expect(readdirSync(dir).toSorted()).toEqual(["aside", "target"]);
    rmSync(join(dir, "aside"), { recursive: true });
  }
  expect(readFileSync(target, "utf8")).toBe(JSON.stringify(pause));
});

test.skipIf(process.getuid?.() !== 0)("what another user wrote is no command", () => {
  chownSync(put(JSON.stringify(pause)), 12_345, 12_345);
  expect(whyNone()).toBe("it is not a command: user 12345 wrote it");
});

test("what is no command is kept aside, for people, and never looked at again", () => {
  put("{");
  const files = commandFiles(dir);
  expect(files.take()).toHaveLength(1);
  files.setAside(id);
  expect(readFileSync(join(dir, "aside", `${id}.json`), "utf8")).toBe("{");
  expect(files.take()).toEqual([]);
});

test("a folder that is none, or is open to others, is not used; the sender learns the cure", () => {
  writeFileSync(dir, "");
  expect(commandFiles(dir).take()).toEqual([]);
  expect(commandFiles(dir).write(pause)).toMatchObject({
    failure: { message: `${dir} is not a folder. Move it away, then try again.` },
  });
  rmSync(dir);
  mkdirSync(join(root, "elsewhere"), { mode: 0o700 });
  symlinkSync(join(root, "elsewhere"), dir);
  expect(commandFiles(dir).write(pause).ok).toBe(false);
  expect(readdirSync(join(root, "elsewhere"))).toEqual([]);
  rmSync(dir);
  mkdirSync(dir);
  execFileSync("chmod", ["777", dir]);
  put(JSON.stringify(pause));
  expect(commandFiles(dir).take()).toEqual([]);
  expect(commandFiles(dir).write(pause)).toMatchObject({ failure: { message: expect.stringContaining("chmod 700") } });
});

test("an answer of many pages is refused before it is sent; one of some pages is not", () => {
  const answer = (length: number): Command => ({ ...pause, kind: "answer", question: "q", answer: "x".repeat(length) });
  expect(commandFiles(dir).write(answer(runLimits.commandBytesMax))).toMatchObject({
    failure: { message: "the command is longer than 100000 bytes. Shorten it." },
  });
  expect(existsSync(join(dir, `${id}.json`))).toBe(false);
  expect(commandFiles(dir).write(answer(runLimits.commandBytesMax - 1_000)).ok).toBe(true);
  expect(commandFiles(dir).take()).toHaveLength(1);
});

test("a folder that somebody filled holds nobody up: a bounded number is taken at each look", () => {
  mkdirSync(dir, { mode: 0o700 });
  const count = runLimits.commandFilesMax + 10;
  for (let n = 0; n < count; n += 1) put("{", `00000000-0000-4000-8000-${String(n).padStart(12, "0")}.json`);
  const first = commandFiles(dir).take();
  expect(first).toHaveLength(runLimits.commandFilesMax);
  for (const arrived of first) commandFiles(dir).remove(arrived.id);
  expect(commandFiles(dir).take()).toHaveLength(10);
});

test("a look is asked for when something arrives", async () => {
  const files = commandFiles(dir);
  const woken = new Promise<void>((resolve) => {
    const stop = files.watch(() => {
      if (files.take().length === 0) return;
      stop();
      resolve();
    });
  });
  files.write(pause);
  await woken;
});
