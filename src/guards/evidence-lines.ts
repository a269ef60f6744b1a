import { limits } from "../base/limits.ts";
import { shortened } from "../base/visible.ts";

/** A line of a file before (`-`) or after (`+`) the work; lines count from 1. */
export interface EvidenceLine {
  readonly sign: "-" | "+";
  readonly line: number;
  readonly text: string;
}

/** Lines that prove a violation, as a diff shows them; the first of many. */
export function evidenceLines(lines: readonly EvidenceLine[]): string {
  const shown = lines.slice(0, limits.evidenceLinesMax);
  const more = lines.length - shown.length;
  const texts = shown.map(({ sign, line, text }) => {
    return `${sign} ${line}: ${shortened(text.trimEnd(), limits.evidenceLineCharsMax)}`;
  });
  return [...texts, ...(more > 0 ? [`  and ${more} more lines`] : [])].join("\n");
}
