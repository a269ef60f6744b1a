import type { RunState } from "../../engine/state.ts";
import type { Activity } from "../../run/activity.ts";
import type { Paint } from "../paint.ts";
import type { Terminal } from "../terminal.ts";
import { clip } from "../width.ts";
import type { RunHistory } from "./history.ts";
import { choices, frame } from "./frame.ts";
import { logFrame, logRoom, type TaskLog } from "./log-page.ts";
import { viewModel } from "./model.ts";
import { commandText } from "./rows.ts";
import type { Around, Navigation } from "./navigation.ts";
import type { Drawing } from "./drawing.ts";

/** The run that is shown, whichever process drives it. */
export interface Subject {
  readonly state: () => RunState;
  readonly record: RunHistory;
  readonly activity: () => Activity;
  readonly driver: () => number | null;
  /** Why the user's branch could not follow the run when this process opened it. */
  readonly branchProblem?: string | undefined;
  /** Whether it is this process that drives it, so that Ctrl-C ends the run. */
  readonly isOwn: boolean;
  /** Opens the log of a task, as a page of this size shows it. */
  readonly log: (task: string, drawing: Pick<Drawing, "size" | "paint">) => TaskLog;
  /** Pauses or resumes the run; returns what went wrong, if something did. */
  readonly command: (kind: "pause" | "resume") => Promise<string | undefined>;
}

/** Where pages are shown. */
export interface PageOptions {
  readonly terminal: Terminal;
  readonly paint: Paint;
  readonly signal: AbortSignal;
}

/** What is shown besides the run. */
export interface Asides {
  /** Shown instead of the keys, for a moment. */
  readonly notice: string | undefined;
  readonly warning: string | null;
}

/** The pages of the view as lines, drawn from what is known now. */
export interface Pages {
  readonly lines: (navigation: Navigation, asides: Asides) => string[];
  readonly around: (navigation: Navigation) => Around;
  /** Reads more of the log for the next redraw; not while a person has scrolled up, because the text must not move. */
  readonly readOn: () => void;
}

/** Keeps what was read of a log from one redraw to the next. */
export function pagesOf(subject: Subject, { terminal, paint, signal }: PageOptions): Pages {
  let log: { readonly of: TaskLog; readonly width: number } | undefined;
  let isCurrent = false;
  const hasKeys = terminal.onKeys !== undefined;
  const model = () => {
    const { record, branchProblem } = subject;
    const [state, activity, driver] = [subject.state(), subject.activity(), subject.driver()];
    const shown = { state, record, ...activity, driver, branchProblem };
    return viewModel({ ...shown, now: Date.now(), isStopping: signal.aborted, hasKeys });
  };
  const logOf = (task: string) => {
    const size = terminal.size();
    if (log?.of.task !== task || log.width !== size.columns)
      log = { of: subject.log(task, { size, paint }), width: size.columns };
    else if (isCurrent) return log.of;
    log.of.readOn();
    isCurrent = true;
    return log.of;
  };
  return {
    lines: (navigation, { notice, warning }) => {
      const drawing = {
        size: terminal.size(),
        paint,
        footer: notice ?? (hasKeys ? footerOf(navigation, subject) : ""),
      };
      if (navigation.page === "keys") return keysFrame(drawing, subject.isOwn);
      if (navigation.page === "run" || navigation.selected === null)
        return frame(model(), { ...drawing, selected: navigation.selected, warning });
      const running = commandText(subject.activity().commands, navigation.selected, Date.now());
      return logFrame(logOf(navigation.selected), { below: navigation.below, drawing, running });
    },
    around: (navigation) => {
      const page = logRoom(terminal.size().rows);
      const belowMax = Math.max(0, (log?.of.lines.length ?? 0) - page);
      return { choices: navigation.page === "run" ? choices(model()) : [], belowMax, page };
    },
    readOn: () => {
      isCurrent = false;
    },
  };
}

/** The page of keys; Ctrl-C ends the run only in the terminal that drives it. */
function keysFrame({ size, paint, footer }: Drawing, isDriver: boolean): string[] {
  const { columns, rows } = size;
  const interrupt = isDriver ? "stop the run cleanly, to be resumed; press it twice to quit at once" : "the same as q";
  const lines = [...first, ["Ctrl-C", interrupt] as const, ...last].map(([key, does]) =>
    clip(` ${key.padEnd(9)} ${does}`, columns),
  );
  const body = [paint.bold(clip(" Keys", columns)), "", ...lines];
  const blank = Array.from({ length: Math.max(0, rows - body.length - 1) }, () => "");
  return [...body, ...blank, paint.dim(clip(footer, columns))].slice(0, rows);
}

type KeyLine = readonly [key: string, does: string];

const first: readonly KeyLine[] = [
  ["p", "pause or resume the run, like `stint pause` and `stint resume`"],
  ["↑ ↓", "select a task"],
  ["Enter, l", "open its log: what its agent says and does; Esc goes back"],
  ["q", "close this view; the run continues"],
];

const last: readonly KeyLine[] = [
  ["Ctrl-Z", "close this view and suspend, as in any program"],
  ["?", "show this page"],
];

function footerOf({ page }: Navigation, { state, driver }: Subject): string {
  if (page === "keys") return "any other key: back";
  if (page === "log") return "↑↓ PgUp PgDn scroll   Esc back   ? keys";
  const pause = driver() === null ? "" : `p ${state().paused ? "resume" : "pause"}   `;
  return `${pause}↑↓ select   Enter log   q close   ? keys`;
}
