import { shortened } from "../base/visible.ts";
import { planLimits } from "../plan/limits.ts";
import { guardsLimits } from "./limits.ts";

/** A line of a file before (`-`) or after (`+`) the work; lines count from 1. */
export interface EvidenceLine {
  readonly sign: "-" | "+";
  readonly line: number;
  readonly text: string;
}

/** Shows the lines that prove a violation as a diff does; the first of many. */
export function evidenceLines(lines: readonly EvidenceLine[]): string {
  const shown = lines.slice(0, guardsLimits.evidenceLinesMax);
  const more = lines.length - shown.length;
  const texts = shown.map(({ sign, line, text }) => {
    return `${sign} ${line}: ${shortened(text.trimEnd(), planLimits.evidenceLineCharsMax)}`;
  });
  return [...texts, ...(more > 0 ? [`  and ${more} more lines`] : [])].join("\n");
}

/** Finds lines that one text has and the other has not, or has fewer of; a line that only moved is neither added nor removed. */
export function changedLines(before: string | null, after: string | null): EvidenceLine[] {
  const [was, is] = [linesOf(before), linesOf(after)];
  return [...surplus(was, is, "-"), ...surplus(is, was, "+")];
}

/** Finds the lines that the work added. */
export function addedLines(before: string | null, after: string | null): EvidenceLine[] {
  return surplus(linesOf(after), linesOf(before), "+");
}

function linesOf(text: string | null): readonly string[] {
  return text === null ? [] : text.split(/\r?\n/);
}

/** Where a line occurs more often than before, its last occurrences count as new. */
function surplus(lines: readonly string[], others: readonly string[], sign: "-" | "+"): EvidenceLine[] {
  const left = new Map<string, number>();
  for (const other of others) left.set(other.trim(), (left.get(other.trim()) ?? 0) + 1);
  return lines.flatMap((text, at) => {
    const known = left.get(text.trim()) ?? 0;
    if (known > 0) left.set(text.trim(), known - 1);
    return known > 0 || text.trim() === "" ? [] : [{ sign, line: at + 1, text }];
  });
}
