import { baseLimits } from "./limits.ts";

/** Compares two texts and returns unified hunks for people and prompts; empty if both are the same. */
export function textDiff(before: string, after: string): string[] {
  const steps = stepsBetween(linesOf(before), linesOf(after));
  return hunksOf(steps).flatMap((hunk) => [headOf(steps, hunk), ...steps.slice(hunk.from, hunk.to).map(shown)]);
}

interface Step {
  readonly sign: " " | "-" | "+";
  readonly line: string;
}

/** Splits text into lines, without the empty piece after the last line's end. */
function linesOf(text: string): string[] {
  const lines = text.split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

function shown({ sign, line }: Step): string {
  return sign + line;
}

function stepsBetween(before: readonly string[], after: readonly string[]): Step[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const middle = changesBetween(before.slice(start, before.length - end), after.slice(start, after.length - end));
  return [...all(" ", before.slice(0, start)), ...middle, ...all(" ", before.slice(before.length - end))];
}

function all(sign: Step["sign"], lines: readonly string[]): Step[] {
  return lines.map((line) => ({ sign, line }));
}

/** Finds the longest list of lines that both have; texts that are too long for that become one change. */
function changesBetween(before: readonly string[], after: readonly string[]): Step[] {
  if ((before.length + 1) * (after.length + 1) > baseLimits.textDiffCellsMax)
    return [...all("-", before), ...all("+", after)];
  const common = commonLengths(before, after);
  const width = after.length + 1;
  const steps: Step[] = [];
  let [old, now] = [0, 0];
  while (old < before.length && now < after.length) {
    if (before[old] === after[now]) {
      steps.push({ sign: " ", line: before[old]! });
      [old, now] = [old + 1, now + 1];
    } else if (common[(old + 1) * width + now]! >= common[old * width + now + 1]!) {
      steps.push({ sign: "-", line: before[old]! });
      old += 1;
    } else {
      steps.push({ sign: "+", line: after[now]! });
      now += 1;
    }
  }
  return [...steps, ...all("-", before.slice(old)), ...all("+", after.slice(now))];
}

/** Counts for every pair of places how many lines both have in the same order from there on. */
function commonLengths(before: readonly string[], after: readonly string[]): Uint32Array {
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  for (let old = before.length - 1; old >= 0; old -= 1) {
    for (let now = after.length - 1; now >= 0; now -= 1) {
      lengths[old * width + now] =
        before[old] === after[now]
          ? lengths[(old + 1) * width + now + 1]! + 1
          : Math.max(lengths[(old + 1) * width + now]!, lengths[old * width + now + 1]!);
    }
  }
  return lengths;
}

interface Hunk {
  readonly from: number;
  readonly to: number;
}

/** This many unchanged lines are shown around a change. */
const around = 3;

function hunksOf(steps: readonly Step[]): Hunk[] {
  const hunks: Hunk[] = [];
  for (const [at, { sign }] of steps.entries()) {
    if (sign === " ") continue;
    const [from, to] = [Math.max(0, at - around), Math.min(steps.length, at + around + 1)];
    const last = hunks.at(-1);
    if (last !== undefined && from <= last.to) hunks[hunks.length - 1] = { from: last.from, to };
    else hunks.push({ from, to });
  }
  return hunks;
}

function headOf(steps: readonly Step[], { from, to }: Hunk): string {
  const [before, inside] = [steps.slice(0, from), steps.slice(from, to)];
  const place = (other: Step["sign"]) => {
    const count = inside.filter(({ sign }) => sign !== other).length;
    const first = before.filter(({ sign }) => sign !== other).length + (count === 0 ? 0 : 1);
    return `${first},${count}`;
  };
  return `@@ -${place("+")} +${place("-")} @@`;
}
