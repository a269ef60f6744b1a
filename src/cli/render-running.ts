import { clock } from "../base/duration.ts";
import { inOneLine, shortened, visible } from "../base/visible.ts";
import type { Printed } from "../run/activity.ts";
import { cliLimits } from "./limits.ts";

/** Something that runs now. */
export interface Running extends Printed {
  readonly name: string;
  /** What it runs for, said before its name. */
  readonly about?: string | undefined;
  readonly ms: number;
}

/** Writes what runs in one line, with its clock and what it printed last: "npm test, 1:10, 12/340, last: adds two numbers". */
export function runningText({ name, about, ms, mark, line }: Running, columns = Number.POSITIVE_INFINITY): string {
  const before = about === undefined ? "" : `${about}: `;
  // In a narrow place the clock matters more than the end of a name.
  const charsMax = Math.min(before.length + cliLimits.runningNameCharsMax, Math.max(8, columns - clockColumns));
  const parts = [
    shortened(`${before}${inOneLine(name)}`, charsMax),
    clock(Math.round(ms / 1000) * 1000),
    ...(mark === null || line.includes(mark) ? [] : [mark]),
    ...(line === "" ? [] : [`last: ${line}`]),
  ];
  return visible(parts.join(", "));
}

/** The room for a clock and how far a command is. */
const clockColumns = 20;
