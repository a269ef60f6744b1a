import { cliLimits } from "../limits.ts";
import type { CommandWatch } from "../../checks/running-command.ts";
import { printedLast, type Printed } from "../../run/activity.ts";
import type { Io } from "../io.ts";
import { runningText } from "../render-running.ts";
import { clip } from "../width.ts";

/** Shows what is happening, for how long and what it printed last: a line at the bottom of a terminal, else a line now and then. */
export interface Ticker {
  /** Sets what is happening now; null if nothing is, or if a person is being asked. */
  readonly set: (what: string | null, last?: () => Printed) => void;
  /** Prints a line above it. */
  readonly above: (print: () => void) => void;
}

/** Without a terminal and without `err` nothing is shown. */
export function createTicker({
  terminal,
  paint,
  err,
}: Pick<Io, "terminal" | "paint"> & Partial<Pick<Io, "err">>): Ticker {
  let going: { readonly text: () => string } | null = null;
  let timer: NodeJS.Timeout | undefined;
  const wipe = () => {
    if (going === null || terminal === undefined) return;
    terminal.write("\r\u{1b}[2K");
    terminal.flush();
  };
  const draw = () => {
    if (going === null || terminal === undefined) return;
    terminal.write(`\r\u{1b}[2K${paint.dim(clip(going.text(), terminal.size().columns - 1))}`);
  };
  const [show, everyMs] =
    terminal === undefined
      ? [() => void (going !== null && err?.(going.text())), cliLimits.beatMs]
      : [draw, cliLimits.tickMs];
  return {
    set: (name, last = () => ({ line: "", mark: null })) => {
      wipe();
      clearInterval(timer);
      const begun = performance.now();
      going = name === null ? null : { text: () => runningText({ name, ms: performance.now() - begun, ...last() }) };
      if (going !== null) timer = setInterval(show, everyMs).unref();
    },
    above: (print) => {
      wipe();
      print();
      draw();
    },
  };
}

/** Shows each command while it runs; `before` says whose it is. */
export function showCommands({ set }: Ticker, before: () => string): CommandWatch {
  return ({ name, logFile }) => {
    set(`${before()}${name}`, () => printedLast(logFile));
    return () => set(null);
  };
}
