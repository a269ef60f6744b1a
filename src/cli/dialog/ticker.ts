import { cliLimits } from "../limits.ts";
import type { CommandWatch, RunningCommand } from "../../checks/running-command.ts";
import { printedLast, type Printed } from "../../run/activity.ts";
import type { Io } from "../io.ts";
import { runningText } from "../render-running.ts";
import { clip } from "../width.ts";

/** Shows what is happening, for how long and what it printed last: a line at the bottom of a terminal, else a line now and then. */
export interface Ticker {
  /** Sets what is happening now; null if nothing is, or if a person is being asked. */
  readonly set: (what: string | null, more?: Progress) => void;
  /** Prints a line above it. */
  readonly above: (print: () => void) => void;
}

/** What is known of what is happening. */
interface Progress {
  /** What it is for, said before its name. */
  readonly about?: string | undefined;
  readonly last?: () => Printed;
  /** When it began, by `performance.now()`; absent means now. */
  readonly since?: number;
}

/** Without a terminal and without `err` nothing is shown. */
export function createTicker({
  terminal,
  paint,
  err,
}: Pick<Io, "terminal" | "paint"> & Partial<Pick<Io, "err">>): Ticker {
  let going: { readonly text: (columns?: number) => string } | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isSlow = false;
  const wipe = () => {
    if (going === null || terminal === undefined) return;
    terminal.write("\r\u{1b}[2K");
    terminal.flush();
  };
  const draw = () => {
    if (going === null || terminal === undefined) return;
    // Room for the "^C" that a terminal shows: a line that it wraps cannot be wiped.
    const columns = terminal.size().columns - 3;
    terminal.write(`\r\u{1b}[2K${paint.dim(clip(going.text(columns), columns))}`);
  };
  const [show, everyMs] =
    terminal === undefined
      ? [() => void (going !== null && err?.(going.text())), cliLimits.beatMs]
      : [draw, cliLimits.tickMs];
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
    isSlow = false;
  };
  const tick = () => {
    isSlow = going !== null;
    if (isSlow) show();
    else stop();
  };
  return {
    set: (name, { last = () => ({ line: "", mark: null }), since = performance.now(), ...about } = {}) => {
      wipe();
      // Lines are printed only of what itself takes long; in a terminal many short steps are seen, too.
      if (terminal === undefined) stop();
      const text = (columns?: number) =>
        runningText({ name: name ?? "", ...about, ms: performance.now() - since, ...last() }, columns);
      going = name === null ? null : { text };
      if (isSlow) draw();
      if (going !== null) timer ??= setInterval(tick, everyMs).unref();
    },
    above: (print) => {
      wipe();
      print();
      draw();
    },
  };
}

/** Shows the command that started last while it runs, then the one before it; `about` says what they are for. */
export function showCommands({ set }: Ticker, about: () => string | undefined = () => undefined): CommandWatch {
  const running = new Set<RunningCommand & { readonly since: number }>();
  const show = () => {
    const last = [...running].at(-1);
    if (last === undefined) set(null);
    else set(last.name, { about: about(), last: () => printedLast(last.logFile), since: last.since });
  };
  return (command) => {
    const one = { ...command, since: performance.now() };
    running.add(one);
    show();
    return () => {
      running.delete(one);
      show();
    };
  };
}
