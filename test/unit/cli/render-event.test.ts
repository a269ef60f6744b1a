import { expect, test } from "vitest";
import { outcomeText, renderEvent, renderWithEvidence } from "../../../src/cli/render-event.ts";
import { cliLimits } from "../../../src/cli/limits.ts";
import type { CheckEvidence } from "../../../src/engine/evidence.ts";
import type { RunEvent } from "../../../src/engine/events.ts";
import { fold } from "../../../src/engine/evolve.ts";
import type { ProgramFacts } from "../../../src/engine/session.ts";
import type { RunEntry } from "../../../src/hooks/run-entry.ts";
import { honest, spec, World } from "../../rig/world.ts";

const entryOf = (event: RunEvent) => ({ ...event, at: "2026-11-16T10:00:00.000Z" }) as RunEntry;
/** A line without its time. */
const said = (event: RunEvent) => renderEvent(entryOf(event)).replace(/^\d\d:\d\d:\d\d {2}/, "");
const ofA = { task: "a", attempt: 2 } as const;

test("every event of a run is one line that starts with the time", () => {
  const world = new World([spec("a"), spec("b", ["a"])]);
  world.go(
    honest((task, attempt) => (task === "b" && attempt === 1 ? { kind: "crashed", detail: "" } : { kind: "ok" })),
  );
  expect(new Set(world.events.map(({ type }) => type)).size).toBeGreaterThan(10);
  const lines = world.events.map((event) => renderEvent(entryOf(event)));
  expect(lines.filter((line) => !/^\d\d:\d\d:\d\d {2}\S[^\n]*$/.test(line))).toEqual([]);
});

test("what an agent reports is printed as its claim, and text of others cannot act on the terminal", () => {
  const spent = { usage: { inputTokens: 0, outputTokens: 0, usd: 0, unpricedTokens: 0 }, reportProblem: null };
  const report = { status: "done", summary: "", reason: "", notes: "", needFiles: [] } as const;
  const ended = { type: "agent-finished", ...ofA, ...spent } as const;
  expect(said({ ...ended, outcome: { kind: "ok" }, report })).toBe(
    "a #2 agent finished and says it is done (not verified yet)",
  );
  expect(said({ ...ended, outcome: { kind: "crashed", detail: "exit 1\u{1b}[2J" }, report: null })).toBe(
    "a #2 agent stopped: crashed (exit 1\\u{1b}[2J)",
  );
});

test("a session that ended badly says how, and until when a usage limit lasts", () => {
  const until = new Date(2026, 10, 16, 12, 0).toISOString();
  expect(outcomeText({ kind: "limit", until }, new Date(2026, 10, 16, 9, 0).getTime())).toBe("usage limit until 12:00");
  expect(outcomeText({ kind: "limit", until }, 0)).toBe("usage limit until Mon Nov 16, 12:00");
  expect(outcomeText({ kind: "limit", until: null }, 0)).toBe("usage limit");
  expect(outcomeText({ kind: "idle", detail: "" }, 0)).toBe("idle");
});

test("a session that does not count as an attempt says so, with what it cost; one that counts does not", () => {
  const usage = { inputTokens: 3_000, outputTokens: 100, usd: 0.12, unpricedTokens: 0 };
  const ended = { type: "agent-finished", ...ofA, usage, report: null, reportProblem: null } as const;
  expect(said({ ...ended, outcome: { kind: "interrupted", detail: "paused" } })).toBe(
    "a #2 agent stopped: interrupted (paused); not counted as an attempt; 0.12 USD · 3.0k tokens in, 100 out",
  );
  expect(said({ ...ended, outcome: { kind: "crashed", detail: "exit 1" } })).toBe(
    "a #2 agent stopped: crashed (exit 1); 0.12 USD · 3.0k tokens in, 100 out",
  );
});

test("a pause says how to resume or end this very run", () => {
  const { state } = new World([spec("a")]);
  expect(renderEvent(entryOf({ type: "paused", command: "c" }), state)).toContain(
    "paused: `stint resume r` in any terminal resumes it, `stint stop --run r` ends it",
  );
  expect(renderEvent(entryOf({ type: "pausing", command: "c", finishing: ["a"] }), state)).toContain(
    "pausing: 1 session is finishing; `stint pause --now --run r` stops it",
  );
});

test("a false start says that it is not counted as an attempt; a failure after a tool call does not", () => {
  const firstEnd = (program: Partial<ProgramFacts>) => {
    const world = new World([spec("a")]);
    const script = honest((_task, attempt) => (attempt === 1 ? { kind: "crashed", detail: "exit 1" } : { kind: "ok" }));
    world.go((action, state) => {
      const event = script(action, state);
      return event.type === "agent-finished"
        ? { ...event, program: { durationMs: 900, usedTools: false, ...program } }
        : event;
    });
    const at = world.events.findIndex(({ type }) => type === "agent-finished");
    return renderEvent(entryOf(world.events[at]!), fold(world.events.slice(0, at + 1))).slice(10);
  };
  expect(firstEnd({ falseStart: "exit 1" })).toMatch(
    /^a #1 agent stopped: crashed \(exit 1\); not counted as an attempt;/,
  );
  expect(firstEnd({ usedTools: true })).toMatch(/^a #1 agent stopped: crashed \(exit 1\); 0\.50 USD/);
});

test("a message of several lines is one line that people can read", () => {
  const ended = { type: "agent-finished", ...ofA, report: null, reportProblem: null } as const;
  const usage = { inputTokens: 0, outputTokens: 0, usd: 0, unpricedTokens: 0 };
  const outcome = { kind: "crashed", detail: "exit 1\n\n  no such file\r\n" } as const;
  expect(said({ ...ended, usage, outcome })).toBe("a #2 agent stopped: crashed (exit 1 ⏎ no such file)");
});

const green: CheckEvidence = { label: "npm test", state: "green", why: "", tail: "ok", durationMs: 1 };

test("the line of a verdict counts its checks and names what is reused, flaky or failing without the work", () => {
  const checks: CheckEvidence[] = [
    { ...green, cached: true },
    { ...green, label: "lint", flaky: true },
    { ...green, label: "old", state: "red", excused: true },
  ];
  expect(said({ type: "verdict", ...ofA, result: "passed", guards: [], checks } as unknown as RunEvent)).toBe(
    "a #2 verified: 2 of 3 checks passed (1 reused: same tree; flaky: lint; also failing without this work: old)",
  );
});

test("below a verdict is its evidence: what guards say, and the end of the output of checks that are not green", () => {
  const tail = Array.from({ length: cliLimits.checkLinesShownMax + 5 }, (_, at) => `line ${at}`).join("\n");
  const red: CheckEvidence = { label: "npm test", state: "red", why: "exit code 1", tail, durationMs: 1, of: "b" };
  const guards = [{ guard: "scope", path: "x.ts", why: "is out of scope", evidence: "+ a\u{7}" }];
  const verdict = { type: "verdict", ...ofA, result: "failed", why: "red", guards, checks: [green, red] };
  const lines = renderWithEvidence(entryOf(verdict as unknown as RunEvent)).slice(1);
  expect(lines.slice(0, 5)).toEqual([
    "          scope: x.ts is out of scope",
    "            | + a\\u{7}",
    "          green: npm test",
    "          red, a check of b: npm test (exit code 1)",
    "            | line 5",
  ]);
  expect(lines).toHaveLength(4 + cliLimits.checkLinesShownMax);
});
