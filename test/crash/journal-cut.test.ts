import { cpSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { decide } from "../../src/engine/decide.ts";
import type { RunEvent } from "../../src/engine/events.ts";
import { fold } from "../../src/engine/evolve.ts";
import { summarise } from "../../src/engine/summary.ts";
import { journalStart, scan } from "../../src/journal/scan.ts";
import { commitsOf, expectCode, sessionsOf } from "../rig/facts.ts";
import { newestJournal } from "../rig/follow.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig, type Rig } from "../rig/rig.ts";

/** `STINT_CUTS=all` runs the CLI at every line and in the middle of every line; without it, around what moves the ref. */
const isWhole = process.env["STINT_CUTS"] === "all";

const recorded = readdirSync("test/fixtures", { recursive: true, encoding: "utf8" }).filter((name) =>
  /journal.*\.jsonl$/.test(name),
);

test.each(recorded)("%s cut behind any line folds, and what is next can be decided and shown.", (name) => {
  const lines = readFileSync(join("test/fixtures", name), "utf8").trimEnd().split("\n");
  for (let count = 0; count <= lines.length; count++) {
    const state = fold(lines.slice(0, count).map((line) => JSON.parse(line) as RunEvent));
    if (state === undefined) continue;
    expect(decide(state)).toEqual(decide(state));
    expect(summarise(state, false).tasks).toHaveLength(state.tasks.size);
  }
});

test("A real journal cut at any byte is read as its exact prefix of whole lines, and only the rest is torn.", () => {
  const whole = readFileSync("test/fixtures/journals-2026-11-16/work-lost.jsonl");
  for (let [size, lines] = [0, 0]; size <= whole.length; size++) {
    if (whole[size - 1] === 0x0a) lines += 1;
    const scanned = scan("journal.jsonl", whole.subarray(0, size), journalStart);
    if (!scanned.ok) throw new Error(`cut at ${size}: ${scanned.failure.message}`);
    const { entries, cursor, torn } = scanned.value;
    if (entries.length !== lines || cursor.offset + torn.length !== size) expect.fail(`cut at ${size}`);
  }
});

/** A finished run of one task, of which the journal can be cut again and again while git stays as it is. */
async function finishedRig(): Promise<{ readonly rig: Rig; readonly journal: string; readonly restore: () => void }> {
  const rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    config: { run: { attempts: 1 } },
    moves: { "01-a": writes("a.txt") },
  });
  expectCode(await rig.stint(["run", "--yes"]), 0);
  const copy = join(rig.root, "copy");
  cpSync(rig.gitDir, copy, { recursive: true });
  const restore = () => {
    rmSync(rig.gitDir, { recursive: true });
    cpSync(copy, rig.gitDir, { recursive: true });
  };
  return { rig, journal: newestJournal(rig.gitDir) ?? "", restore };
}

test(
  "Cut behind the word that the ref is about to move, the CLI completes without a session; cut before it, it stops and says so until the journal is back.",
  { timeout: 600_000 },
  async () => {
    const { rig: made, journal, restore } = await finishedRig();
    await using rig = made;
    const bytes = readFileSync(journal);
    const lines = bytes.toString("utf8").split("\n").slice(0, -1);
    const types = lines.map((line) => (JSON.parse(line) as RunEvent).type);
    const intended = types.indexOf("integrating") + 1;
    const cuts = cutsOf(lines, intended);
    process.stdout.write(`Cuts by the CLI: ${cuts.length} of ${2 * lines.length + 1}, the rest by STINT_CUTS=all\n`);
    for (const { count, size } of cuts) {
      restore();
      writeFileSync(journal, bytes.subarray(0, size));
      const { code, stderr } = await rig.stint(["resume"]);
      const where = `cut at byte ${size}, behind ${types[count - 1]}: ${stderr}`;
      expect(code, where).toBe(count < 2 ? 2 : count < intended ? 1 : 0);
      expect(stderr, where).not.toMatch(/Internal error|^ +at /m);
      expect(commitsOf(rig)).toEqual(["01-a"]);
      expect(sessionsOf(rig).length, where).toBeLessThanOrEqual(1);
      if (code === 1)
        expect(stderr, where).toMatch(/^stint: refs\/stint\/runs\/\S+ is at \w+, and the journal of the run has \w+: /);
      if (code === 0) expect(rig.events("run-finished")).toHaveLength(1);
      if (code === 0) continue;
      writeFileSync(journal, bytes);
      expectCode(await rig.stint(["resume"]), 0);
    }
  },
);

/** Places to cut: behind lines, and within the line that follows. */
function cutsOf(lines: readonly string[], intended: number): { readonly count: number; readonly size: number }[] {
  const counts = isWhole ? [...lines.keys(), lines.length] : [1, intended - 1, intended, lines.length - 1];
  return counts.flatMap((count) => {
    const size = lines.slice(0, count).reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
    const within = isWhole || count === intended - 1 || count === intended;
    const next = lines[count];
    return [
      { count, size },
      ...(within && next !== undefined ? [{ count, size: size + Math.ceil(next.length / 2) }] : []),
    ];
  });
}
