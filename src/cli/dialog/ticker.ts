import { cliLimits } from "../limits.ts";
import { aboutDuration } from "../../base/duration.ts";
import type { Io } from "../io.ts";

/** A line at the bottom of a terminal that shows what is happening and for how long; other lines push it down. */
export interface Ticker {
  /** Sets what is happening now; null if nothing is, or if a person is being asked. */
  readonly set: (what: string | null) => void;
  /** Prints a line above it. */
  readonly above: (print: () => void) => void;
}

/** Draws nothing without a terminal. */
export function createTicker({ terminal, paint }: Pick<Io, "terminal" | "paint">): Ticker {
  if (terminal === undefined) return { set: () => undefined, above: (print) => print() };
  let going: { readonly what: string; readonly since: number } | null = null;
  let timer: NodeJS.Timeout | undefined;
  const wipe = () => {
    if (going === null) return;
    terminal.write("\r\u{1b}[2K");
    terminal.flush();
  };
  const draw = () => {
    if (going === null) return;
    const line = `${going.what}, ${aboutDuration(performance.now() - going.since)}`;
    terminal.write(`\r\u{1b}[2K${paint.dim(line.slice(0, terminal.size().columns - 1))}`);
  };
  return {
    set: (what) => {
      wipe();
      clearInterval(timer);
      going = what === null ? null : { what, since: performance.now() };
      if (going !== null) timer = setInterval(draw, cliLimits.planningTickMs).unref();
    },
    above: (print) => {
      wipe();
      print();
      draw();
    },
  };
}
