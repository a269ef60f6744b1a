import { dirname, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig, type Rig } from "../rig/rig.ts";
import { hasStrace, traced } from "../rig/traced.ts";

const options = {
  plan: { tasks: { "01-a": makes("src/a.txt") } },
  moves: { "01-a": writes("src/a.txt") },
};

const calls = ["rename", "renameat", "renameat2", "link", "linkat", "mkdir", "mkdirat", "fsync", "write"];

describe.skipIf(!hasStrace)("Whatever an event speaks of has a name on the disk before the event", () => {
  test("in a first run: the folders of the state, Stint's own repository, its objects and its refs.", async () => {
    await using rig = await createRig(options);
    const trace = await traced(rig, ["run", "--yes"], calls);
    expect(rig.events("task-integrated")).toHaveLength(1);
    const { made, late } = namesIn(rig, trace);
    expect(late).toEqual([]);
    // The trace has seen all of them: each kind would show if it were late.
    for (const kind of [/^runs$/, /^approvals$/, /^control\.git$/, /\/objects\/..\/./, /\/refs\/stint\/runs\/./]) {
      expect(made.filter((name) => kind.test(name))).not.toEqual([]);
    }
  });
});

interface Names {
  /** Below the state folder, in the order they were made. */
  readonly made: readonly string[];
  /** Those whose folder was not synced before the next line of a journal. */
  readonly late: readonly string[];
}

function namesIn(rig: Rig, trace: readonly string[]): Names {
  const state = join(rig.gitDir, "stint");
  const made: string[] = [];
  const late = new Set<string>();
  const waiting = new Set<string>();
  for (const call of whole(trace)) {
    const path = madeBy(call);
    if (path !== undefined && (path === state || path.startsWith(`${state}/`)) && matters(path)) {
      made.push(path.slice(state.length + 1));
      waiting.add(path);
    }
    const synced = /^fsync\(\d+<([^>]*)>/.exec(call)?.[1];
    for (const name of waiting) if (dirname(name) === synced) waiting.delete(name);
    if (/^write\(\d+<[^>]*journal\.jsonl>/.test(call)) for (const name of waiting) late.add(name);
  }
  return { made, late: [...late] };
}

/** Locks, logs and what git has under a temporary name may be lost. */
function matters(path: string): boolean {
  return !/\/locks\b|\/attempts\b|\/commands\b|\.lock$|\.tmp$|\/tmp_obj|control\.new-|\/info\b/.test(path);
}

/** The name that a call made, if it succeeded. */
function madeBy(call: string): string | undefined {
  const [, name = "", words = ""] = /^(\w+)\((.*)\) += 0$/.exec(call) ?? [];
  if (!/^(rename|link|mkdir)/.test(name)) return undefined;
  const last = [...words.matchAll(/(?:AT_FDCWD<([^>]*)>, )?"([^"]*)"/g)].at(-1);
  return last === undefined ? undefined : resolve(last[1] ?? "/", last[2] ?? "");
}

/** Calls that another thread's interrupted are written in two parts; they count where they end. */
function whole(trace: readonly string[]): string[] {
  const begun = new Map<string, string>();
  return trace.flatMap((line) => {
    const [, pid = "", call = ""] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const [, start] = /^(.*) <unfinished \.\.\.>$/.exec(call) ?? [];
    if (start !== undefined) begun.set(pid, start);
    const [, end] = /^<\.\.\. \w+ resumed>(.*)$/.exec(call) ?? [];
    return start !== undefined ? [] : end === undefined ? [call] : [`${begun.get(pid) ?? ""}${end}`];
  });
}
