import * as fc from "fast-check";
import { expect, test } from "vitest";
import { approvalHash, approvedBytes } from "../../../src/plan/hash.ts";
import { tickedTasks, tickExactly, tickTask } from "../../../src/plan/tick.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (data: Uint8Array) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(data);

function ticked(planMd: Uint8Array, id: string): Uint8Array {
  const result = tickTask(planMd, id);
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

function changedOffsets(before: Uint8Array, after: Uint8Array): number[] {
  expect(after.length).toBe(before.length);
  return [...before.keys()].filter((i) => before[i] !== after[i]);
}

const oddPlan = [
  "\uFEFF---",
  "title: Ünusual   # keep me",
  "---",
  "## Overview",
  "- [ ] [a](tasks/a.md) not a task line",
  "```md",
  "## Tasks",
  "- [ ] [a](tasks/a.md) in a fence",
  "```",
  "",
  "## Tasks   ",
  "<!-- keep this",
  "- [ ] [a](tasks/a.md) in a comment",
  "-->",
  "~~~",
  "- [ ] [a](tasks/a.md) in another fence",
  "~~~",
  "    - [ ] [a](tasks/a.md) indented like code",
  "*   [ ]   [b](tasks/b.md)   spaced",
  " -\t[ ] [a](tasks/a.md) é the one  ",
  "+ [x] [c](tasks/c.md) done",
  "## Notes",
  "- [ ] [a](tasks/a.md) elsewhere",
].join("\r\n");

test("ticking changes one byte and nothing else", () => {
  const before = bytes(oddPlan);
  const after = ticked(before, "a");
  const [offset, ...more] = changedOffsets(before, after);
  expect(more).toEqual([]);
  expect([before[offset ?? 0], after[offset ?? 0]]).toEqual([0x20, 0x78]);
  expect(text(after)).toBe(oddPlan.replace(" -\t[ ] [a]", " -\t[x] [a]"));
});

test("a ticked box stays ticked", () => {
  const before = bytes(oddPlan);
  expect(ticked(before, "c")).toEqual(before);
  expect(ticked(ticked(before, "a"), "a")).toEqual(ticked(before, "a"));
});

test("what cannot be ticked says why", () => {
  const twice = "---\n---\n## Tasks\n- [ ] [a](tasks/a.md)\n- [ ] [a](tasks/a.md)\n";
  expect(tickTask(bytes(oddPlan), "zz")).toEqual({
    ok: false,
    failure: { reason: "no-line", message: 'plan.md has no line for the task "zz" under "## Tasks"' },
  });
  expect(tickTask(bytes(twice), "a")).toEqual({
    ok: false,
    failure: { reason: "duplicate-line", message: 'plan.md lists the task "a" twice' },
  });
  expect(tickTask(bytes("## Tasks\n- [ ] [a](tasks/a.md)\n"), "a")).toEqual({
    ok: false,
    failure: { reason: "unreadable", message: "plan.md cannot be ticked: it has no closed front matter" },
  });
  expect(tickTask(Uint8Array.of(0xff), "a")).toEqual({
    ok: false,
    failure: { reason: "unreadable", message: "plan.md cannot be ticked: the file is not valid UTF-8 here" },
  });
});

test("approval sees every byte of plan.md but the ticks of task lines", () => {
  const path = "plans/p/plan.md";
  expect(text(approvedBytes(path, bytes(oddPlan)))).toBe(oddPlan.replace("+ [x] [c]", "+ [ ] [c]"));
  const elsewhere = oddPlan.replace("- [ ] [a](tasks/a.md) elsewhere", "- [x] [a](tasks/a.md) elsewhere");
  expect(text(approvedBytes(path, bytes(elsewhere)))).toBe(elsewhere.replace("+ [x] [c]", "+ [ ] [c]"));
  expect(text(approvedBytes("plans/p/scope.md", bytes(oddPlan)))).toBe(oddPlan);
  expect([...approvedBytes(path, Uint8Array.of(0xff, 0xfe))]).toEqual([0xff, 0xfe]);
});

test("a plan of many ticked lines is hashed soon", () => {
  const lines = Array.from({ length: 30_000 }, (_, i) => `- [x] [t${i}](tasks/t${i}.md)\n`);
  const normal = text(approvedBytes("plans/p/plan.md", bytes(`---\n---\n## Tasks\n${lines.join("")}`)));
  expect(normal).not.toContain("[x]");
});

const piece = fc.constantFrom(
  "## Tasks",
  "## Notes",
  "# Title",
  "```",
  "~~~~",
  "<!-- note",
  "-->",
  "<!-- one line -->",
  "prose with ünïcode 🎈",
  "",
  "- a note",
  "- [ ] [t0](tasks/t0.md) zero",
  "*  [ ]  [t1](tasks/t1.md)  one",
  "  - [x] [t2](tasks/t2.md) two",
  "1. [ ] [t3](tasks/t3.md)",
  "- [-] [t4](tasks/t4.md)",
);

test("for any plan, a tick changes at most one byte and never the approval", () => {
  const plans = fc.record({
    lines: fc.array(piece, { maxLength: 30 }),
    end: fc.constantFrom("\n", "\r\n"),
    bom: fc.constantFrom("", "\uFEFF"),
    id: fc.constantFrom("t0", "t1", "t2", "t3", "t4"),
  });
  fc.assert(
    fc.property(plans, ({ lines, end, bom, id }) => {
      const before = bytes(bom + ["---", "title: T", "---", "## Tasks", ...lines].join(end));
      const result = tickTask(before, id);
      if (!result.ok) return;
      const changed = changedOffsets(before, result.value);
      expect(changed.length).toBeLessThanOrEqual(1);
      for (const offset of changed) expect([before[offset], result.value[offset]]).toEqual([0x20, 0x78]);
      expect(changed.length === 0).toBe(approvedBytes("plans/p/plan.md", before)[changed[0] ?? -1] === undefined);
      expect(hashOf(result.value)).toBe(hashOf(before));
      const again = tickTask(result.value, id);
      expect(again.ok && Buffer.from(again.value).equals(Buffer.from(result.value))).toBe(true);
    }),
    { numRuns: 500 },
  );
});

function hashOf(planMd: Uint8Array): string {
  return approvalHash(new Map([["plans/p/plan.md", { bytes: planMd }]]), "p");
}

test("a revised plan.md gets exactly the ticks of what is done, whatever its planner ticked", () => {
  const plan = (a: string, b: string, c: string) =>
    bytes(
      `---\nstint: 1\n---\n## Tasks\n- [${a}] [a](tasks/a.md) é\n- [${b}] [b](tasks/b.md)\n- [${c}] [c](tasks/c.md)\n`,
    );
  const exactly = (planMd: Uint8Array, ids: readonly string[]) => {
    const result = tickExactly(planMd, new Set(ids));
    if (!result.ok) throw new Error(result.failure.message);
    return text(result.value);
  };
  expect(exactly(plan(" ", "x", "x"), ["a", "c", "removed"])).toBe(text(plan("x", " ", "x")));
  expect(exactly(plan("x", "x", "x"), [])).toBe(text(plan(" ", " ", " ")));
  expect([...tickedTasks(plan("x", " ", "x"))]).toEqual(["a", "c"]);
  expect([...tickedTasks(bytes("no front matter"))]).toEqual([]);
  expect(tickExactly(bytes("no front matter"), new Set())).toMatchObject({ failure: { reason: "unreadable" } });
});
