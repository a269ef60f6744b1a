import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { realFiles } from "../../src/journal/file-port.ts";
import { openJournal } from "../../src/journal/journal.ts";
import type { Running } from "../rig/cli.ts";
import { expectCode } from "../rig/facts.ts";
import { newestJournal } from "../rig/follow.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig, type Rig } from "../rig/rig.ts";
import { changesIn, changingCalls, hasStrace, startStopped, traced } from "../rig/traced.ts";

const at = "2026-11-15T20:17:33.000Z";

/** Ten followers, of which the first stops the whole process between two parts of its first read; then all follow to the last event. */
const script = `
  import { realFiles } from "${join(import.meta.dirname, "../../src/journal/file-port.ts")}";
  import { readFrom } from "${join(import.meta.dirname, "../../src/journal/follow.ts")}";
  import { journalStart } from "${join(import.meta.dirname, "../../src/journal/scan.ts")}";
  const [path] = process.argv.slice(2);
  let stopped = false;
  const read = (fd, into, position) => {
    if (stopped) return realFiles.read(fd, into, position);
    const count = realFiles.read(fd, into.subarray(0, into.byteLength / 2), position);
    stopped = true;
    process.stdout.write("stopping\\n");
    process.kill(process.pid, "SIGSTOP");
    return count;
  };
  const followers = Array.from({ length: 10 }, () => ({ cursor: journalStart, seen: [], isDone: false }));
  const look = (follower) => {
    const followed = readFrom({ ...realFiles, read }, path, follower.cursor);
    if (!followed.ok) throw new Error(followed.failure.message);
    follower.cursor = followed.value.cursor;
    for (const { seq, type } of followed.value.entries) follower.seen.push(seq), (follower.isDone ||= type === "last");
  };
  while (followers.some(({ isDone }) => !isDone)) followers.filter(({ isDone }) => !isDone).forEach(look);
  process.stdout.write(JSON.stringify(followers.map(({ seen }) => seen)) + "\\n");
`;

let folder: string;
const started: ChildProcess[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "stint-followers-"));
  const stdin = { contents: script, resolveDir: import.meta.dirname, loader: "ts" as const };
  const outfile = join(folder, "follow.mjs");
  await build({ stdin, outfile, bundle: true, platform: "node", format: "esm", target: "node20" });
});

afterAll(() => {
  for (const child of started) child.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});

test("fifty followers, stopped in the middle of a read, keep no event from being appended, and then see each once and whole", async () => {
  const path = join(folder, "journal.jsonl");
  const opened = openJournal(realFiles, path);
  if (!opened.ok) throw new Error(opened.failure.message);
  const { journal } = opened.value;
  const append = (type: string) => expect(journal.append({ type, text: "x".repeat(9000) }, at).ok).toBe(true);
  for (let event = 0; event < 20; event += 1) append("before");
  const followers = Array.from({ length: 5 }, () => startFollower(path));
  await Promise.all(followers.map(async ({ lines }) => expect((await lines.next()).value).toBe("stopping")));
  // They are stopped, or about to be: whatever of theirs could hold the writer up would hold it up for ever.
  for (let event = 0; event < 100; event += 1) append("while stopped");
  for (const { child } of followers) await untilStopped(child);
  for (const { child } of followers) child.kill("SIGCONT");
  for (let event = 0; event < 50; event += 1) append("beside");
  append("last");
  const seqs = Array.from({ length: 171 }, (_, index) => index + 1);
  for (const { lines } of followers) {
    const seen = JSON.parse(String((await lines.next()).value)) as number[][];
    expect(seen).toEqual(Array.from({ length: 10 }, () => seqs));
  }
  journal.close();
});

describe.skipIf(!hasStrace)("while a run is driven", () => {
  let rig: Rig;
  let run: Running;

  beforeAll(async () => {
    rig = await createRig(plan);
    run = rig.start(["run", "--yes"]);
    await run.waitForHold("mid");
  });

  afterAll(async () => rig[Symbol.asyncDispose]());

  test("`stint status` takes no lock, writes nothing where runs are kept, and makes durable what it shows before it shows it.", async () => {
    const looking = await traced(rig, ["status"], changingCalls);
    expect(changesIn(rig, looking)).toEqual([]);
    const last = (call: RegExp) => looking.findLastIndex((line) => call.test(line));
    const synced = last(/ fsync\(.*journal\.jsonl>\) += 0/);
    expect(synced).toBeGreaterThan(last(/ pread64\(.*journal\.jsonl>/));
    expect(looking.findIndex((line) => / write\(1<.*\/stdout>/.test(line))).toBeGreaterThan(synced);
  });

  test("It continues and ends while `stint status` and `stint log` are stopped in the middle of reading its journal.", async () => {
    const reading = { call: "pread64", file: newestJournal(rig.gitDir) ?? "" };
    const readers = [["status"], ["log"]].map((words) => startStopped(rig, words, reading));
    for (const reader of readers) await reader.isStopped();
    rig.release("mid");
    expectCode(await run.ended, 0);
    for (const reader of readers) {
      const said = await reader.goOn();
      // What they read was whole, and older than what happened meanwhile.
      expectCode(said, 0);
      expect(said.stdout).toContain("01-a");
      expect(said.stdout).not.toMatch(/run finished|02-b.*integrated/);
    }
  });

  test("A command that takes part is seen to lock and to write, by the same trace.", async () => {
    const taking = changesIn(rig, await traced(rig, ["resume"], changingCalls)).join("\n");
    expect(taking).toMatch(/flock\(/);
    expect(taking).toMatch(/openat\(.*O_CREAT/);
  });
});

const plan = {
  plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt", { depends: ["01-a"] }) } },
  moves: { "01-a": writes("a.txt"), "02-b": [{ hold: "mid" }, ...writes("b.txt")] },
};

function startFollower(path: string) {
  const child = spawn(process.execPath, [join(folder, "follow.mjs"), path], { stdio: ["ignore", "pipe", "inherit"] });
  started.push(child);
  return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
}

/** It said so just before. */
async function untilStopped({ pid }: ChildProcess): Promise<void> {
  while (!/\) [Tt] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"))) await new Promise(setImmediate);
}
