import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { frame, type JournalEntry } from "../../src/journal/framing.ts";
import { expectCode } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes, plan } from "../rig/plan.ts";
import { createRig, type Rig } from "../rig/rig.ts";

interface Runs {
  readonly rig: Rig;
  /** Of the damaged run; the other one is of plan `other`. */
  readonly id: string;
  readonly journal: string;
  readonly lines: readonly string[];
  readonly other: string;
}

let runs: Runs;

beforeAll(async () => {
  runs = await twoRuns();
});

afterEach(() => writeFileSync(runs.journal, textOf(runs.lines)));

afterAll(async () => runs.rig[Symbol.asyncDispose]());

/** A finished run whose journal is to be damaged, and a whole one of another plan that was begun before. */
async function twoRuns(): Promise<Runs> {
  const rig = await createRig({
    files: plan({ name: "other", tasks: { "01-o": makes("o.txt") } }),
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: { "01-a": writes("a.txt"), "01-o": writes("o.txt") },
  });
  expectCode(await rig.stint(["run", "--yes", "other"]), 0);
  const other = await rig.status();
  expectCode(await rig.stint(["run", "--yes", "work"]), 0);
  const { run: id } = await rig.status();
  const journalOf = (run: string) => join(rig.gitDir, "stint", "runs", run, "journal.jsonl");
  return { rig, id, journal: journalOf(id), lines: linesOf(journalOf(id)), other: journalOf(other.run) };
}

function linesOf(file: string): string[] {
  return readFileSync(file, "utf8").trimEnd().split("\n");
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

/** A line that fits but for its epoch, with the right hash. */
function ofLowerEpoch(last: string): string[] {
  const { seq, at, hash } = JSON.parse(last) as JournalEntry;
  const higher = frame({ seq: seq + 1, epoch: 9, at, event: { type: "stopped" } }, hash);
  return [higher.line, frame({ seq: seq + 2, epoch: 8, at, event: { type: "stopped" } }, higher.hash).line];
}

const forgeries: Record<string, (runs: Runs) => readonly [text: string, line: number]> = {
  "a duplicate line": ({ lines }) => [textOf([...lines, lines.at(-1) ?? ""]), lines.length + 1],
  "swapped lines": ({ lines: [one = "", two = "", ...rest] }) => [textOf([two, one, ...rest]), 1],
  "a missing line": ({ lines }) => [textOf(lines.toSpliced(4, 1)), 5],
  "a line of a lower epoch": ({ lines }) => [textOf([...lines, ...ofLowerEpoch(lines.at(-1) ?? "")]), lines.length + 2],
  "a line of another run": ({ lines, other }) => [textOf(lines.with(6, linesOf(other)[6] ?? "")), 7],
};

test("Duplicate, swapped, missing and foreign lines, and one of a lower epoch: resume refuses each, names byte and line, and leaves the file.", async () => {
  const { rig } = runs;
  for (const [what, forge] of Object.entries(forgeries)) {
    const [text, line] = forge(runs);
    writeFileSync(runs.journal, text);
    const refused = await rig.stint(["resume", runs.id]);
    expect(refused.code, what).toBe(1);
    expect(refused.stderr, what).toContain(damagedAt(runs.journal, text, line));
    expect(readFileSync(runs.journal, "utf8")).toBe(text);
  }
  writeFileSync(runs.journal, textOf(runs.lines));
  expectCode(await rig.stint(["resume", runs.id]), 0);
});

function damagedAt(journal: string, text: string, line: number): string {
  const offset = Buffer.byteLength(textOf(text.split("\n").slice(0, line - 1)));
  return `${journal} is damaged at byte ${offset}, line ${line}: `;
}

test("A flipped byte: every command that reads the run says where with exit code 1, none changes it, and other runs remain usable.", async () => {
  const { rig, id, journal, lines } = runs;
  const line = Math.ceil(lines.length / 2);
  const text = textOf(lines.with(line - 1, lines[line - 1]?.replace('"at":"2', '"at":"3') ?? ""));
  writeFileSync(journal, text);
  const commands: readonly (readonly [args: readonly string[], code: number])[] = [
    [["status", id], 1],
    [["log", "--run", id], 1],
    [["resume", id], 1],
    [["pause", "--run", id], 1],
    // Those are about all runs: they warn, and do what they can.
    [["status"], 0],
    [["resume"], 0],
    [["gc"], 0],
    [["run", "other"], 0],
  ];
  for (const [args, code] of commands) {
    const ended = await rig.stint(args);
    const said = `${args.join(" ")}: ${ended.stdout}${ended.stderr}`;
    expect(ended.code, said).toBe(code);
    if (args[1] !== "other") expect(said).toContain(damagedAt(journal, text, line));
    expect(said).not.toMatch(/Internal error|^ +at /m);
    expect(readFileSync(journal, "utf8"), said).toBe(text);
  }
});

test("Where the only run is damaged, status does not say that there is none.", async () => {
  const { rig, journal, other } = runs;
  rmSync(dirname(other), { recursive: true });
  writeFileSync(journal, readFileSync(journal, "utf8").replace('"plan":"work"', '"plan":"w0rk"'));

  for (const command of ["status", "log", "resume", "stop"]) {
    const refused = await rig.stint([command]);
    expectCode(refused, 1);
    expect(refused.stderr).toContain(`warning: ${journal} is damaged at byte 0, line 1: `);
  }
});
