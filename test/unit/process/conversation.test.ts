import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Ended, supervise, type SuperviseOptions } from "../../../src/process/supervise.ts";

let folder: string;

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "supervise-")));
});

afterEach(() => fs.rmSync(folder, { recursive: true }));

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
  const options: SuperviseOptions = {
    argv: ["sh", "-c", script],
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "" },
    logFile: path.join(folder, "log"),
    outputBytesMax: 100_000,
    wallMsMax: 50_000,
    stopLadderStepMs: 20,
    signal: new AbortController().signal,
    conversation: (say) => {
      speak = say;
      open?.(say);
    },
    hear: (line) => hear(line, speak),
  };
  return supervise(options);
}
