import { expect, test } from "vitest";
import type { RunEvent } from "../../../src/engine/events.ts";
import { progressKeeper } from "../../../src/run/progress.ts";
import { runLimits } from "../../../src/run/limits.ts";
import { renderProgress } from "../../../src/report/progress.ts";
import { honest, spec, World } from "../../rig/world.ts";

/** A keeper of progress whose clock stands still until it is moved. */
function kept(options: { readonly fails?: boolean; readonly writeMs?: number } = {}) {
  const world = new World([spec("a"), spec("b")]);
  const written: string[] = [];
  const timers = new Set<{ at: number; wake: () => void }>();
  let [now, owns] = [0, true];
  const clock = {
    now: () => new Date(now).toISOString(),
    elapsed: () => now,
    after: (ms: number, wake: () => void) => {
      const timer = { at: now + ms, wake };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    waitUntil: async () => undefined,
  };
  const documents = {
    runDir: "/run",
    attemptDir: () => "/attempt",
    write: (path: string, text: string) => {
      now += options.writeMs ?? 0;
      if (options.fails === true) throw new Error("no space left on device");
      written.push(`${path}\n${text}`);
    },
  };
  const keeper = progressKeeper({ clock, documents }, { state: world.state, stillOwn: () => owns });
  return {
    world,
    written,
    timers,
    add: (event: RunEvent) => {
      world.add(event);
      keeper.note(event);
    },
    pass: (ms: number) => {
      now += ms;
      for (const timer of [...timers].filter(({ at }) => at <= now)) {
        timers.delete(timer);
        timer.wake();
      }
    },
    lose: () => (owns = false),
    end: keeper.end,
  };
}

const started: RunEvent = { type: "attempt-started", task: "a", attempt: 1, base: "base", role: "executor" };
const ignored: RunEvent = { type: "command-ignored", command: "c", kind: "pause", why: "late" };

test("the first event is written at once, those of the same second together, a moment later and as they stand then", () => {
  const { add, pass, written } = kept();
  add(ignored);
  expect(written).toHaveLength(1);
  add(started);
  for (let count = 0; count < 100; count += 1) add(ignored);
  expect(written).toHaveLength(1);
  pass(runLimits.progressMs);
  expect(written).toHaveLength(2);
  expect(written[1]).toContain("/run/progress.md\n# p\n");
  expect(written[1]).toContain("- [ ] `a` a: running\n");
  pass(60_000);
  expect(written).toHaveLength(2);
});

test("what may last is written at once, and nothing is left to be written after it", () => {
  const lasting: readonly RunEvent[] = [
    { type: "parked", reason: "limit", why: "the limit", until: null },
    { type: "paused", command: "p" },
    { type: "stopped", why: "asked" },
    { type: "run-finished", outcome: "done", tip: "base" },
  ];
  for (const event of lasting) {
    const { add, written, timers } = kept();
    add(ignored);
    add(started);
    expect(timers.size).toBe(1);
    add(event);
    expect(written).toHaveLength(2);
    expect(timers.size).toBe(0);
  }
});

test("a disk that takes nothing fails no event, and it is tried again later", () => {
  const { add, pass, written, timers } = kept({ fails: true });
  add(started);
  add(ignored);
  expect(timers.size).toBe(1);
  pass(runLimits.progressMs);
  add({ type: "stopped", why: "asked" });
  expect(written).toEqual([]);
});

test("a driver that lost the run to another writes nothing more", () => {
  const { add, pass, written, lose } = kept();
  add(started);
  add(ignored);
  lose();
  pass(runLimits.progressMs);
  expect(written).toHaveLength(1);
});

test("at the end what was put off is written, and no timer keeps a process that is done", () => {
  const { add, end, written, timers } = kept({ writeMs: 500 });
  add(ignored);
  add(started);
  expect([written.length, timers.size]).toEqual([1, 1]);
  end();
  expect([written.length, timers.size]).toEqual([2, 0]);
  expect(written[1]).toContain("- [ ] `a` a: running\n");
  end();
  expect(written).toHaveLength(2);
});

test("at the end a driver that lost the run writes nothing, and waits for nothing", () => {
  const { add, end, lose, written, timers } = kept();
  add(ignored);
  add(started);
  lose();
  end();
  expect([written.length, timers.size]).toEqual([1, 0]);
});

test("where writing is slow it is done more seldom: at most that share of the time", () => {
  const { add, pass, written } = kept({ writeMs: 500 });
  add(started);
  add(ignored);
  pass(500 / runLimits.progressShareMax - 1);
  expect(written).toHaveLength(1);
  pass(1);
  expect(written).toHaveLength(2);
});

test("progress tells the plan, the run, when, the counts, and each task with its commit or its reason", () => {
  const world = new World([spec("a"), spec("b", ["a"]), spec("c", ["b"])], { attempts: 1 });
  world.go(
    honest((task) => (task === "b" ? { kind: "crashed", detail: "exit 1" } : { kind: "ok" })),
    40,
  );
  expect(renderProgress(world.state, "2026-11-16T08:00:00.000Z")).toBe(
    [
      "# p",
      "",
      "Plan `p`, run `r`, `2026-11-16 08:00:00 +00:00`: waiting: blocked: b",
      "",
      "1 of 3 tasks on `stint/p`, 1 blocked.",
      "",
      "- [x] `a` a: `p-a-1-1`",
      "- [ ] `b` b: **blocked**: 1 of 1 attempts failed; the last: the session crashed: exit 1",
      "- [ ] `c` c: waits for b (blocked)",
      "",
    ].join("\n"),
  );
});
