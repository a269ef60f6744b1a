import { createHash } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { expect, test } from "vitest";
import type { RunEvent } from "../../../src/engine/events.ts";
import { realFiles, type FilePort } from "../../../src/journal/file-port.ts";
import { readFrom } from "../../../src/journal/follow.ts";
import { openJournal } from "../../../src/journal/journal.ts";
import { journalStart } from "../../../src/journal/scan.ts";
import { readStanding } from "../../../src/project/checkpoint.ts";
import { projectLimits } from "../../../src/project/limits.ts";
import { tempDir } from "../../rig/git.ts";
import { honest, spec, World } from "../../rig/world.ts";

const reader = { files: realFiles, program: "this program" };
const at = "2026-11-15T20:17:33.000Z";

function append(journal: string, events: readonly RunEvent[]): void {
  const opened = openJournal({ ...realFiles, fsync: () => undefined }, journal);
  if (!opened.ok) throw new Error(opened.failure.message);
  for (const event of events) expect(opened.value.journal.append(event, at).ok).toBe(true);
  opened.value.journal.close();
}

/** An event that alone makes a checkpoint worth while. */
function long(why: string): RunEvent {
  return { type: "stopped", why: why.repeat(projectLimits.checkpointBytesMin / why.length) };
}

/** A run of three tasks: one has landed, one is blocked, one waits for it. */
function events(): readonly RunEvent[] {
  const world = new World([spec("a"), spec("b"), spec("c", ["b"])], { attempts: 1 });
  world.go(honest((task) => (task === "b" ? { kind: "crashed", detail: "exit 1" } : { kind: "ok" })));
  return [...world.events, long("a")];
}

function laid(recorded = events()) {
  const dir = tempDir();
  const places = { journal: join(dir, "journal.jsonl"), checkpoint: join(dir, "checkpoint") };
  append(places.journal, recorded);
  return { dir, places, read: (by = reader) => readStanding(places, by) };
}

/** What a reader without any checkpoint finds. */
function truth(places: { readonly journal: string }): unknown {
  const none = { ...places, checkpoint: join(tempDir(), "none") };
  return shown(readStanding(none, reader));
}

function shown(read: ReturnType<typeof readStanding>): unknown {
  if (!read.ok) return read;
  const { state, ...rest } = read.value;
  const tasks = [...(state?.tasks.values() ?? [])].map((task) => ({ ...task, spec: { ...task.spec } }));
  return { ...rest, tasks, tip: state?.tip, stopped: state?.stopped };
}

function sealed(content: unknown, program = reader.program): Buffer {
  const body = serialize(content);
  return Buffer.concat([createHash("sha256").update(`${program}\n`).update(body).digest(), body]);
}

/** A checkpoint of the same journal that says something else, under a seal that is right. */
function lying(checkpoint: string): Buffer {
  const content = deserialize(readFileSync(checkpoint).subarray(32));
  content.state.near.tip = "a lie";
  return sealed(content);
}

test("the first reader of a long journal writes a checkpoint for its owner alone; it changes no answer", () => {
  const { dir, places, read } = laid();
  const first = shown(read());
  expect(readdirSync(dir).toSorted()).toEqual(["checkpoint", "journal.jsonl"]);
  expect(statSync(places.checkpoint).mode & 0o777).toBe(0o600);
  expect(shown(read())).toStrictEqual(first);
  expect(first).toMatchObject({ begun: at, stopped: (long("a") as { why: string }).why });
});

test("of the events, those of tasks that are not over are kept, and the last", () => {
  const { read } = laid();
  read();
  const again = read();
  const kept = again.ok ? again.value.open : [];
  expect(new Set(kept.map((entry) => ("task" in entry ? entry.task : entry.type)))).toEqual(new Set(["b", "stopped"]));
  expect(kept.map(({ type }) => type)).toContain("task-blocked");
});

test("a short journal gets none, and one that has grown a little keeps the one it has; much more is stored again", () => {
  const short = laid(events().slice(0, -1));
  short.read();
  expect(existsSync(short.places.checkpoint)).toBe(false);
  const { places, read } = laid();
  read();
  const before = readFileSync(places.checkpoint);
  append(places.journal, [{ type: "stopped", why: "a little" }]);
  expect(shown(read())).toStrictEqual(truth(places));
  expect(readFileSync(places.checkpoint).equals(before)).toBe(true);
  append(places.journal, [long("b"), { type: "stopped", why: "much" }]);
  expect(shown(read())).toMatchObject({ stopped: "much" });
  expect(readFileSync(places.checkpoint).equals(before)).toBe(false);
  expect(shown(read())).toStrictEqual(truth(places));
});

test("control: a checkpoint is believed if its seal, its program and its journal are right, so each test below can fail", () => {
  const { places, read } = laid();
  read();
  writeFileSync(places.checkpoint, lying(places.checkpoint));
  expect(shown(read())).toMatchObject({ tip: "a lie" });
});

test("a checkpoint with a flipped bit anywhere, or cut anywhere, is ignored and made anew", () => {
  const { places, read } = laid();
  const right = shown(read());
  const honestBytes = readFileSync(places.checkpoint);
  const lie = lying(places.checkpoint);
  const marks = Array.from({ length: 10 }, (_, index) => Math.floor((index * lie.byteLength) / 10));
  const flipped = [0, 31, 32, lie.byteLength - 1, ...marks].map((index) => {
    const bytes = Buffer.from(lie);
    bytes[index]! ^= 1;
    return bytes;
  });
  const cut = [0, 1, 31, 32, 33, lie.byteLength - 1, ...marks].map((size) => lie.subarray(0, size));
  const longer = Buffer.concat([lie, Buffer.from([0])]);
  for (const bytes of [...flipped, ...cut, longer]) {
    writeFileSync(places.checkpoint, bytes);
    expect(shown(read())).toStrictEqual(right);
    expect(readFileSync(places.checkpoint).equals(honestBytes)).toBe(true);
  }
});

test("a checkpoint of another program is ignored: it may fold events in another way", () => {
  const { places, read } = laid();
  const right = shown(read());
  writeFileSync(places.checkpoint, lying(places.checkpoint));
  expect(shown(read({ ...reader, program: "another program" }))).toStrictEqual(right);
});

test("what is no file in its place is ignored: a folder, a link, a link to nothing", () => {
  const { dir, places, read } = laid();
  const right = shown(read());
  writeFileSync(join(dir, "lie"), lying(places.checkpoint));
  for (const make of [
    () => mkdirSync(places.checkpoint),
    () => symlinkSync(join(dir, "lie"), places.checkpoint),
    () => symlinkSync(join(dir, "nothing"), places.checkpoint),
  ]) {
    rmSync(places.checkpoint, { recursive: true, force: true });
    make();
    expect(shown(read())).toStrictEqual(right);
  }
});

test("damage in the part of the journal that was read before is reported as a reader without a checkpoint reports it", () => {
  const { places, read } = laid();
  read();
  const whole = readFileSync(places.journal);
  for (const index of [0, 100, whole.indexOf("\n"), whole.indexOf("\n") + 5, whole.byteLength - 200]) {
    const damaged = Buffer.from(whole);
    damaged[index]! ^= 1;
    writeFileSync(places.journal, damaged);
    const said = readFrom(realFiles, places.journal, journalStart);
    expect(said).toMatchObject({ ok: false, failure: { reason: "damaged" } });
    expect(read()).toEqual(said);
  }
  writeFileSync(places.journal, whole);
  expect(shown(read())).toStrictEqual(truth(places));
});

test("damage behind the checkpoint is reported, and an unfinished line is not, as without one", () => {
  const { places, read } = laid();
  const right = shown(read());
  appendFileSync(places.journal, '{"v":1,"seq"');
  expect(shown(read())).toStrictEqual(right);
  appendFileSync(places.journal, ":1}\n");
  expect(read()).toEqual(readFrom(realFiles, places.journal, journalStart));
  expect(read()).toMatchObject({ ok: false });
});

test("a journal that was cut, replaced, emptied or removed is read as it is now", () => {
  const { places, read } = laid();
  read();
  writeFileSync(places.checkpoint, lying(places.checkpoint));
  const lie = readFileSync(places.checkpoint);
  const whole = readFileSync(places.journal);
  const other = readFileSync(laid([new World([spec("z")]).events[0]!, long("z")]).places.journal);
  const lastLine = whole.subarray(0, -1).lastIndexOf("\n") + 1;
  for (const change of [
    () => truncateSync(places.journal, lastLine),
    () => truncateSync(places.journal, whole.indexOf("\n") + 1),
    () => writeFileSync(places.journal, other),
    () => truncateSync(places.journal, 0),
    () => rmSync(places.journal),
  ]) {
    writeFileSync(places.journal, whole);
    writeFileSync(places.checkpoint, lie);
    change();
    const now = existsSync(places.journal) ? truth(places) : { ok: false };
    expect(shown(read())).toMatchObject(now as object);
    expect(shown(read())).not.toMatchObject({ tip: "a lie" });
  }
});

test("a disk that takes no checkpoint changes no answer", () => {
  const { places, read } = laid();
  const full: FilePort = {
    ...realFiles,
    open: (path, mode) => {
      if (mode === "create") throw Object.assign(new Error("EROFS: read-only file system"), { code: "EROFS" });
      return realFiles.open(path, mode);
    },
  };
  expect(shown(read({ ...reader, files: full }))).toStrictEqual(truth(places));
  expect(existsSync(places.checkpoint)).toBe(false);
});

test("a reader that dies while it writes leaves the old checkpoint or the new one", () => {
  const { dir, places, read } = laid();
  const right = shown(read());
  append(places.journal, [long("b")]);
  const before = readFileSync(places.checkpoint);
  for (const step of ["write", "fsync", "rename"] as const) {
    const dying: FilePort = {
      ...realFiles,
      [step]: () => {
        throw new Error(`killed at ${step}`);
      },
      unlink: () => undefined,
    };
    expect(() => read({ ...reader, files: dying })).toThrow(`killed at ${step}`);
    expect(readFileSync(places.checkpoint).equals(before)).toBe(true);
  }
  expect(readdirSync(dir).filter((name) => name.endsWith(".tmp"))).not.toEqual([]);
  expect(shown(read())).toStrictEqual(truth(places));
  expect(shown(read())).not.toStrictEqual(right);
});
