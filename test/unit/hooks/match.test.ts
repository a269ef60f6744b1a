import { expect, test } from "vitest";
import { loadConfig } from "../../../src/config/load.ts";
import type { RunEvent } from "../../../src/engine/events.ts";
import { matchedName, messageOf } from "../../../src/hooks/message.ts";
import { entry, run } from "../../rig/hooked.ts";

const ofTask = { task: "01-a", attempt: 1 };
const parked = (reason: string, until: string | null) => ({ type: "parked", reason, why: "", until }) as RunEvent;
const blocked = (kind: string) => ({ type: "task-blocked", kind, why: "", ...ofTask }) as RunEvent;

/** Every short name, on the events it stands for and on those it does not. */
const short = ["blocked", "asks", "waits", "limit", "done"];
const heard: readonly (readonly [string, RunEvent, readonly string[]])[] = [
  ["a task that is exhausted", blocked("exhausted"), ["blocked"]],
  ["a task whose agent asks", blocked("reported-blocked"), ["blocked", "asks"]],
  [
    "a question",
    { type: "question", id: "q", about: "scope", question: "", options: [], files: [], ...ofTask },
    ["asks"],
  ],
  ["a limit with a reset", parked("limit", "2026-11-16T13:00:00Z"), ["limit"]],
  ["a limit without one", parked("limit", null), ["waits", "limit"]],
  ["a service that is overloaded for now", parked("overloaded", "2026-11-16T13:00:00Z"), []],
  ["one that stays so", parked("overloaded", null), ["waits"]],
  ["a cap", parked("budget", null), ["waits"]],
  ["red final checks", parked("final-red", null), ["waits"]],
  ["a login that is missing", parked("auth", null), ["waits"]],
  ["tasks done as asked", parked("rest", null), []],
  ["the end", { type: "run-finished", outcome: "unproven", tip: "t" }, ["done"]],
  ["a commit", { type: "task-integrated", commit: "c", ...ofTask }, []],
];

test.each(heard)("%s is heard under its short names", (_, event, names) => {
  expect(short.filter((name) => matchedName({ on: [name] }, event) === name)).toEqual(names);
  expect(matchedName({ on: [event.type] }, event)).toBe(event.type);
});

test("a hook that asks twice for the same event is told once, under the name it wrote first", () => {
  expect(matchedName({ on: ["limit", "task-blocked", "blocked"] }, blocked("exhausted"))).toBe("task-blocked");
});

test("a message holds the journal's line; of one that is too long, the long fields are left out and named", () => {
  const line = entry(7, { type: "task-integrated", commit: "c", ...ofTask });
  const about = { run, plan: "work", name: "task-integrated" };
  expect(messageOf(line, about)).toEqual({
    seq: 7,
    id: `${run}/7`,
    name: "task-integrated",
    body: JSON.stringify({ run, plan: "work", hook: "task-integrated", event: line }),
  });

  const long = entry(8, { type: "stopped", why: "x".repeat(300_000) });
  const { why: _, ...rest } = long as typeof long & { why: string };
  expect(JSON.parse(messageOf(long, { ...about, name: "stopped" }).body)).toEqual({
    run,
    plan: "work",
    hook: "stopped",
    event: rest,
    cut: ["why"],
  });
});

function complaints(text: string): string[] {
  const { problems } = loadConfig({ project: { file: ".stint/config.yaml", bytes: Buffer.from(text) } });
  return problems.map(({ line, column, code, message }) => `${line}:${column} ${code}: ${message}`);
}

test("a name that is no event is an error where it stands, with the nearest one or all there are", () => {
  const text = "hooks:\n  - { on: [done, blokced], webhook: 'http://x' }\n  - { on: [task-integrate], command: [x] }\n";
  expect(complaints(text)).toEqual([
    '2:18 unknown-event: hooks[0].on[1] is an unknown event "blokced"; did you mean "blocked"?',
    '3:12 unknown-event: hooks[1].on[0] is an unknown event "task-integrate"; did you mean "task-integrated"?',
  ]);
  expect(complaints("hooks: [{ on: [zzz], command: [x] }]")).toEqual([
    expect.stringMatching(
      /^1:16 unknown-event: hooks\[0\]\.on\[0\] is an unknown event "zzz"; known events: blocked, asks, waits, limit, done, plan-approved, .*, run-finished$/,
    ),
  ]);
  expect(complaints("hooks: [{ on: [], command: [x] }]")).toEqual([
    "1:11 bad-value: hooks[0].on must name at least one event",
  ]);
  expect(
    complaints("hooks: [{ on: [blocked, verdict], command: [x] }, { on: [done], webhook: 'https://x/y' }]"),
  ).toEqual([]);
});

test.each(["file:///etc/passwd", "javascript:alert(1)", "data:text/plain,x", "ftp://x/", "//x/y", "x", "http:"])(
  "%s is no address of a webhook",
  (url) => {
    expect(complaints(`hooks: [{ on: [done], webhook: '${url}' }]`)).toEqual([
      "1:23 bad-value: hooks[0].webhook must be an address that starts with http:// or https://",
    ]);
  },
);

test("a password in an address is refused without being told", () => {
  expect(complaints("hooks: [{ on: [done], webhook: 'https://me:canary@x.example/y' }]")).toEqual([
    "1:23 bad-value: hooks[0].webhook must not contain a user name or password: use a command instead, which can read them from your environment",
  ]);
});

test("a hook has one target, and its command begins with a program", () => {
  expect(complaints("hooks: [{ on: [done], webhook: 'http://x', command: [x] }, { on: [done] }]")).toEqual([
    "1:9 bad-value: hooks[0] must have exactly one of webhook and command",
    "1:60 bad-value: hooks[1] must have exactly one of webhook and command",
  ]);
  expect(complaints("hooks: [{ on: [done], command: [''] }]")).toEqual([
    "1:23 bad-value: hooks[0].command must begin with the name of a program",
  ]);
});
