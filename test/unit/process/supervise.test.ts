import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Ended, SuperviseOptions } from "../../../src/process/supervise.ts";
import { superviseScript } from "../../rig/supervised.ts";
import { isAlive } from "../../../src/process/identity.ts";
import type { ProcessIdentity } from "../../../src/engine/session.ts";

let folder: string;

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "supervise-")));
});

afterEach(() => fs.rmSync(folder, { recursive: true }));

test("an exit code, a signal and a missing program are different ends", async () => {
  expect(await run("exit 3")).toMatchObject({ kind: "exited", code: 3 });
  expect(await run("exit 127")).toMatchObject({ kind: "exited", code: 127 });
  expect(await run("kill -SEGV $$")).toMatchObject({ kind: "signalled", signal: "SIGSEGV" });
  expect(await run("", { argv: ["no-such-agent"], env: { PATH: "/usr/bin:.:/bin" } })).toMatchObject({
    kind: "spawn-failed",
    fault: "program",
    message: "no-such-agent was not found on PATH.",
  });
  expect(await run("", { argv: ["./missing"] })).toMatchObject({
    fault: "no-file",
    message: `${folder}/missing does not exist.`,
  });
  expect(await run("", { cwd: `${folder}/gone` })).toMatchObject({
    kind: "spawn-failed",
    fault: "environment",
    message: `The working directory ${folder}/gone does not exist.`,
  });
  const unusable = { kind: "spawn-failed", fault: "command" };
  expect(await run("", { argv: ["sh", "a\0b"] })).toMatchObject(unusable);
  expect(await run("", { env: { PATH: "/bin", BAD: "a\0b" } })).toMatchObject(unusable);
  expect(await run(`# ${"x".repeat(3_000_000)}`)).toMatchObject(unusable);
});

test("an end by wall time is reported, also when the child ignores INT and TERM", async () => {
  const ended = await run('trap "" INT TERM; while :; do sleep 0.01; done', { wallMsMax: 100, stopLadderStepMs: 20 });
  expect(ended).toMatchObject({ kind: "timeout", survivors: [] });
});

test("each line of standard output is heard, errors are only kept", async () => {
  const lines: string[] = [];
  const ended = await run("echo one; echo oops >&2; printf two", { hear: (line) => (lines.push(line), "more") });
  expect(lines).toEqual(["one", "two"]);
  expect(ended.tail).toMatch(/one\n(two)?oops\n(two)?/);
});

test("a last line without a newline is heard although somebody holds the pipe, and nothing is heard afterwards", async () => {
  const lines: string[] = [];
  let holder = 0;
  const ended = await run("printf last", {
    hear: (line) => (lines.push(line), "more"),
    started: async ({ pid }) => {
      holder = fs.openSync(`/proc/${pid}/fd/1`, "w");
    },
  });
  expect(ended).toMatchObject({ kind: "exited", code: 0, tail: "last" });
  expect(lines).toEqual(["last"]);
  expect(() => fs.writeSync(holder, " and more\n")).toThrow("EPIPE");
  fs.closeSync(holder);
  await new Promise(setImmediate);
  expect(lines).toEqual(["last"]);
});

test("a listener with a bug fails the session, and its processes are ended", async () => {
  const processes: ProcessIdentity[] = [];
  const bug = (): never => {
    throw new Error("Internal error: expected a line, but was another");
  };
  const started = async (identity: ProcessIdentity): Promise<void> => void processes.push(identity);
  await expect(run("echo x; exec sleep 1000", { hear: bug, started })).rejects.toThrow(
    "Internal error: expected a line",
  );
  await expect(run("printf x", { hear: bug, started })).rejects.toThrow("Internal error: expected a line");
  expect(processes.map(isAlive)).toEqual([false, false]);
});

test("question and answer go back and forth until the last word, which closes the child's input", async () => {
  const heard: string[] = [];
  const ended = await converse('while read -r word; do echo "heard $word"; done; exit 7', {
    open: (say) => say("one\n"),
    hear: (line, say) => {
      heard.push(line);
      if (line === "heard one") say("two\n");
      return line === "heard two" ? "final" : "more";
    },
  });
  expect(heard).toEqual(["heard one", "heard two"]);
  expect(ended).toMatchObject({ kind: "exited", code: 7 });
});

test("what is said to a child that has closed its input, has ended or is long gone is lost without harm", async () => {
  let sayLater: Say | undefined;
  const ended = await converse("exec <&-; echo closed; exit 4", {
    open: (say) => {
      sayLater = say;
    },
    hear: (_line, say) => {
      for (let times = 0; times < 10; times += 1) say("x".repeat(100_000));
      return "more";
    },
  });
  expect(ended).toMatchObject({ kind: "exited", code: 4 });
  sayLater?.("too late");
  await new Promise(setImmediate);
});

test("a megabyte is read by a child that takes its time", async () => {
  const ended = await converse("sleep 0.2; head -c 1000000 | wc -c", {
    open: (say) => say("x".repeat(1_000_000)),
    hear: () => "final",
  });
  expect(ended).toMatchObject({ kind: "exited", code: 0, tail: "1000000\n" });
});

test("a child that asks and asks but reads no answer is ended before the answers fill the memory", async () => {
  const answer = "x".repeat(1_000_000);
  const ended = await converse("while :; do echo question; done", {
    hear: (_line, say) => {
      say(answer);
      return "more";
    },
  });
  expect(ended).toMatchObject({ kind: "exceeded", what: "more than 64 MB of unread input", survivors: [] });
});

type Say = (text: string) => void;

interface Talk {
  readonly open?: (say: Say) => void;
  readonly hear: (line: string, say: Say) => "more" | "final";
}

async function converse(script: string, { open, hear }: Talk): Promise<Ended> {
  let speak: Say = () => undefined;
  return await run(script, {
    stopLadderStepMs: 20,
    conversation: (say) => {
      speak = say;
      open?.(say);
    },
    hear: (line) => hear(line, speak),
  });
}

async function run(script: string, options: Partial<SuperviseOptions> = {}): Promise<Ended> {
  return superviseScript(folder, script, options);
}
