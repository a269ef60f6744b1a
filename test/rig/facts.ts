import { expect } from "vitest";
import type { Ended } from "./cli.ts";
import type { JournalEvent } from "./follow.ts";
import type { Rig } from "./rig.ts";

/** A verdict in short: guards as `scope b.txt`, checks as `red grep -q ready a.txt`. */
export interface VerdictFacts {
  readonly result: unknown;
  readonly reason: unknown;
  readonly guards: readonly string[];
  readonly checks: readonly string[];
}

interface Evidence {
  readonly guards: readonly { readonly guard: string; readonly path: string }[];
  readonly checks: readonly { readonly label: string; readonly state: string }[];
}

/** Expects an exit code; a failure shows what the command said. */
export function expectCode({ code, stdout, stderr }: Ended, expected: number | null): void {
  expect(code, `${stdout}${stderr}`).toBe(expected);
}

/** What the harness concluded of each attempt at a task, in order. */
export function verdictsOf(rig: Rig, task: string): readonly VerdictFacts[] {
  return rig.events("verdict", task).map((event) => {
    const { guards, checks } = event as JournalEvent & Evidence;
    return {
      result: event["result"],
      reason: event["reason"],
      guards: guards.map(({ guard, path }) => `${guard} ${path}`),
      checks: checks.map(({ state, label }) => `${state} ${label}`),
    };
  });
}

/** The task of every commit on the run's branch, oldest first, as its trailer says. */
export function commitsOf(rig: Rig, branch = "stint/work"): readonly string[] {
  const format = "--format=%(trailers:key=Stint-Task,valueonly,separator=%x2C)";
  return rig.git("log", "--reverse", format, `main..${branch}`).split("\n").filter(Boolean);
}

/** The paths that a commit changed against its parent. */
export function pathsOf(rig: Rig, commit: string): readonly string[] {
  return rig.git("diff-tree", "--no-commit-id", "--name-only", "-r", commit).split("\n");
}

/** Which tasks got a session, in order: an empty list proves that no agent was started. */
export function sessionsOf(rig: Rig): readonly string[] {
  return rig.events("agent-started").map((event) => `${event.task} ${event.attempt}`);
}
