import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectCode } from "../rig/facts.ts";
import { untilFound } from "../rig/follow.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig } from "../rig/rig.ts";
import { changesIn, changingCalls, hasStrace, traced } from "../rig/traced.ts";

test.skipIf(!hasStrace)(
  "`stint status --watch` takes no lock and writes nothing where runs are kept, from the middle of a run to its end.",
  async () => {
    await using rig = await createRig({
      plan: { tasks: { "01-a": makes("a.txt") } },
      moves: { "01-a": [{ hold: "mid" }, ...writes("a.txt")] },
    });
    const run = rig.start(["run", "--yes"]);
    await run.waitForHold("mid");
    const watching = traced(rig, ["status", "--watch"], changingCalls);
    const trace = () => readFileSync(join(rig.outside, "strace-1.txt"), "utf8");
    const isReading = () => (/ pread64\(.*journal\.jsonl>/.test(trace()) ? true : undefined);
    await untilFound(() => [rig.outside], isReading, AbortSignal.timeout(60_000));
    rig.release("mid");
    expectCode(await run.ended, 0);
    const calls = await watching;
    expect(changesIn(rig, calls)).toEqual([]);
    // It saw the end: the control that the trace tells what was read.
    expect(calls.filter((line) => / pread64\(.*journal\.jsonl>/.test(line)).length).toBeGreaterThan(1);
  },
);
