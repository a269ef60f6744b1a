import { expect, test } from "vitest";
import type { RunEvent } from "../../../src/engine/events.ts";
import { eventTypes, headlines, headlinesOf } from "../../../src/engine/headlines.ts";
import { matchedName } from "../../../src/hooks/message.ts";

const ofTask = { task: "01-a", attempt: 1 };
const parked = (reason: string, until: string | null) => ({ type: "parked", reason, why: "", until }) as RunEvent;
const blocked = (kind: string) => ({ type: "task-blocked", kind, why: "", ...ofTask }) as RunEvent;

/** Events, each with the short names that stand for it. */
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

test.each(heard)("%s has its short names, and hooks hear of it under these and its type", (_, event, names) => {
  expect(headlines.filter((name) => headlinesOf(event).includes(name))).toEqual(names);
  expect(headlines.filter((name) => matchedName({ on: [name] }, event) === name)).toEqual(names);
  expect(eventTypes).toContain(event.type);
  expect(matchedName({ on: [event.type] }, event)).toBe(event.type);
});
