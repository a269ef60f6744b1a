import { guardsLimits } from "./limits.ts";
import { planLimits } from "../plan/limits.ts";
import { shortened } from "../base/visible.ts";

/** A line of a file before (`-`) or after (`+`) the work; lines count from 1. */
export interface EvidenceLine {
  readonly sign: "-" | "+";
  readonly line: number;
  readonly text: string;
}

/** Lines that prove a violation, as a diff shows them; the first of many. */
export function evidenceLines(lines: readonly EvidenceLine[]): string {
  const shown = lines.slice(0, guardsLimits.evidenceLinesMax);
  const more = lines.length - shown.length;
  const texts = shown.map(({ sign, line, text }) => {
    return `${sign} ${line}: ${shortened(text.trimEnd(), planLimits.evidenceLineCharsMax)}`;
  });
  return [...texts, ...(more > 0 ? [`  and ${more} more lines`] : [])].join("\n");
}
