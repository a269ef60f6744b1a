import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { redactor } from "../../../src/base/redact.ts";
import type { EventOf } from "../../../src/engine/events.ts";
import { openJournal } from "../../../src/journal/journal.ts";
import { realMachine } from "../../../src/project/machine.ts";
import type { Ports } from "../../../src/run/ports.ts";
import { assembleRun, beginJournal, openRunJournal, recordResume, type Parts } from "../../../src/run/run-journal.ts";
import { tempDir } from "../../rig/git.ts";
import { settings, spec, World } from "../../rig/world.ts";

const [started] = new World([spec("a")]).events;
const verdict: EventOf<"verdict"> = {
  type: "verdict",
  ...{ task: "a", attempt: 1, result: "failed", reason: "check", tip: "base" },
  ...{ placed: null, guards: [], checks: [], why: "it printed hunter2-and-more" },
};

/** A run on a real journal; `order` is what happened, in order. */
function begun() {
  const path = join(tempDir(), "journal.jsonl");
  const order: string[] = [];
  const observe = ({ type }: { type: string }) => void order.push(`observed ${type}`);
  const opened = beginJournal(realMachine, { path, observe }, [started!]);
  if (!opened.ok) throw new Error(opened.failure.message);
  const { journal, state } = opened.value;
  const ports = {
    clock: realMachine.clock,
    documents: {
      ...{ runDir: "/run", attemptDir: () => "/attempt" },
      write: (file: string) => {
        order.push(`wrote ${file}`);
        throw new Error("ENOSPC");
      },
    },
    rooms: { sweep: async () => void order.push("swept rooms") },
  } as unknown as Ports;
  const redact = redactor([{ name: "TOKEN", value: "hunter2-and-more" }]);
  const run = assembleRun({ ports, state, pid: 1, journal, observe, redact } as unknown as Parts);
  return { path, order, run, journal, state };
}

test("an event is durable and redacted before anybody sees it; documents that cannot be written change nothing", () => {
  const { path, order, run, journal } = begun();
  const rung = run.bell.count();
  run.append({ type: "attempt-started", task: "a", attempt: 1, base: "base", role: "executor" });
  run.append(verdict);
  expect(order.filter((what) => !what.includes("progress"))).toEqual([
    "observed run-started",
    "observed attempt-started",
    "observed verdict",
    "wrote /attempt/verdict.json",
  ]);
  expect(readFileSync(path, "utf8")).toContain('"type":"verdict"');
  expect(readFileSync(path, "utf8")).not.toContain("hunter2");
  expect(run.bell.count()).toBe(rung + 2);
  run.endNotes();
  journal.close();
});

test("an event that the journal does not take did not happen: the state and the observers do not know it", () => {
  const { order, run, journal, state } = begun();
  journal.close();
  expect(() => run.append({ type: "stopped", why: "interrupted" })).toThrow();
  expect(state.stopped).toBeNull();
  expect(order).toEqual(["observed run-started"]);
});

test("a journal is opened again with the state that it ended in", () => {
  const { path, run, journal } = begun();
  run.append({ type: "stopped", why: "interrupted" });
  journal.close();
  const opened = openRunJournal(realMachine, path);
  if (!opened.ok) throw new Error(opened.failure.message);
  expect(opened.value.state).toMatchObject({ run: "r", stopped: "interrupted" });
  opened.value.journal.close();
});

test("a driver records repairs first, then that it drives the run, and only then ends what checks left running", async () => {
  const { run, order, journal } = begun();
  const repair = { type: "journal-repaired", bytes: 3, keptAt: "/kept" } as const;
  await recordResume(run, { repairs: [repair] }, settings);
  expect(order.filter((what) => !what.startsWith("wrote"))).toEqual([
    "observed run-started",
    "observed journal-repaired",
    "observed resumed",
    "swept rooms",
  ]);
  journal.close();
});

test("a journal without an event is no run", () => {
  const dir = join(tempDir(), "run");
  mkdirSync(dir);
  const path = join(dir, "journal.jsonl");
  const empty = openJournal(realMachine.files, path);
  if (empty.ok) empty.value.journal.close();
  expect(() => openRunJournal(realMachine, path)).toThrow(`${path} has no events`);
});
