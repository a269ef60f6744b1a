/**
 * Finds how far a runner says it is, in the last lines it printed: "12/340" of most runners, "37%" of pytest, "ok 12" of
 * TAP with its plan where that is in sight, "12 passed". Undefined where no line says so.
 */
export function progressMark(lines: readonly string[]): string | undefined {
  const plan = lines.map((line) => /^1\.\.(\d+)/.exec(line)?.[1]).find((count) => count !== undefined);
  for (const line of lines.toReversed()) {
    const mark = ratioIn(line) ?? percentIn(line) ?? tapIn(line, plan) ?? /\b\d+ pass(?:ed|ing)\b/.exec(line)?.[0];
    if (mark !== undefined) return mark;
  }
  return undefined;
}

/** A date, a path or a version is no ratio, and nothing is done more than whole. */
function ratioIn(line: string): string | undefined {
  const all = [...line.matchAll(/(?<![\w./:-])(\d+) ?(?:\/|of) ?(\d+)(?![\w/-]|\.\d)/g)];
  const [, done, whole] = all.findLast(([, part, of]) => Number(part) <= Number(of) && Number(of) > 1) ?? [];
  return done === undefined ? undefined : `${done}/${whole}`;
}

function percentIn(line: string): string | undefined {
  const [, percent] = /(?<![\w.])(\d{1,3}(?:\.\d+)?) ?%/.exec(line) ?? [];
  return percent === undefined || Number(percent) > 100 ? undefined : `${percent}%`;
}

function tapIn(line: string, plan: string | undefined): string | undefined {
  const [, count] = /^(?:not )?ok (\d+)\b/.exec(line) ?? [];
  return count === undefined ? undefined : plan === undefined ? `${count} done` : `${count}/${plan}`;
}
