import { runLimits } from "../../run/limits.ts";
import { messageOf } from "../../base/result.ts";
import { cliLimits } from "../limits.ts";
import type { Terminal } from "../terminal.ts";
import { cellsOf } from "../width.ts";
import { endKeys, readKeys, type Key } from "./keys.ts";
import { pagesOf, type PageOptions, type Subject } from "./pages.ts";
import { openScreen } from "./repaint.ts";
import { startPage, press, type Effect } from "./navigation.ts";
import { shown } from "./format.ts";

/** Where the view is shown, and what is called when it ends. */
export interface ViewOptions extends PageOptions {
  /** Called once the terminal is as it was: a person left the view, or it failed. */
  readonly left: (failure?: unknown) => void;
}

/** A view that is open. */
export interface View {
  /** Redraws soon: something happened that the subject knows. */
  readonly happened: () => void;
  readonly warn: (line: string) => void;
  /** Gives the terminal back; nothing is drawn after that. */
  readonly close: () => void;
}

/** Shows a run on the alternate screen until it is closed or left. Whatever fails here ends the view, never the run. */
export function openView(subject: Subject, options: ViewOptions): View {
  const { terminal, signal } = options;
  const screen = openScreen(terminal);
  const pages = pagesOf(subject, options);
  let navigation = startPage;
  let warning: string | null = null;
  let isOpen = true;
  const ends: (() => void)[] = [];
  const close = () => {
    isOpen = false;
    for (const end of ends.splice(0)) end();
    screen.close();
  };
  const leave = (failure?: unknown) => {
    if (!isOpen) return;
    close();
    options.left(failure);
  };
  const safely = (action: () => void) => {
    try {
      if (isOpen) action();
    } catch (failure) {
      leave(failure);
    }
  };
  const draw = () => {
    const lines = pages.lines(navigation, { notice: notices.current(), warning });
    screen.draw(terminal.isUnicode ? lines : lines.map(toAscii));
  };
  const pacer = createPacer(() => safely(draw), cliLimits.viewRedrawMs);
  const notices = noticesOf(pacer.soon);
  const perform = (effect: Effect | undefined) => {
    if (effect === "pause") pause(subject, notices.tell);
    if (effect === "interrupt") terminal.interrupt();
    if (effect === "redraw") screen.forget();
    if (effect === "leave" || effect === "suspend") leave();
    if (effect === "suspend") terminal.suspend();
  };
  const onKey = (key: Key) => {
    const pressed = press(navigation, key, pages.around(navigation));
    if (pressed.navigation.page !== navigation.page) pages.readOn();
    navigation = pressed.navigation;
    perform(pressed.effect);
    // A person who presses a key wants an answer at once.
    pacer.now();
  };
  const onTick = () => {
    if (navigation.below === 0) pages.readOn();
    pacer.soon();
  };
  const onResize = () => {
    screen.forget();
    pacer.now();
  };
  const tick = setInterval(onTick, runLimits.activityNoteMs).unref();
  signal.addEventListener("abort", pacer.soon);
  ends.push(
    pacer.stop,
    () => clearInterval(tick),
    () => signal.removeEventListener("abort", pacer.soon),
  );
  ends.push(
    terminal.onResize(onResize),
    terminal.onContinue(() => leave()),
  );
  safely(() => ends.push(...hearKeys(terminal, (key) => safely(() => onKey(key)))));
  pacer.now();
  const warn = (line: string) => {
    warning = shown(line);
    pacer.soon();
  };
  return { happened: pacer.soon, warn, close };
}

/** Rewrites a line for a terminal that draws only ASCII; it stays as wide as before. */
function toAscii(line: string): string {
  // Codes of colours are ASCII themselves.
  return line.replaceAll(/[\u{80}-\u{10ffff}]/gu, (char) => signs[char] ?? "?".repeat(cellsOf(char)));
}

const signs: Readonly<Record<string, string>> = {
  "━": "=",
  "─": "-",
  "…": "~",
  "·": "|",
  "›": ">",
  "✓": "+",
  "↑": "^",
  "↓": "v",
  "⏎": "/",
};

interface Pacer {
  readonly soon: () => void;
  readonly now: () => void;
  readonly stop: () => void;
}

/** Draws at once or a moment later, at most once every `leastMs`. */
function createPacer(draw: () => void, leastMs: number): Pacer {
  let due: NodeJS.Timeout | undefined;
  let drawnAt = 0;
  const now = () => {
    clearTimeout(due);
    due = undefined;
    drawnAt = Date.now();
    draw();
  };
  return {
    // A clock that was set back must not stop the view until then.
    soon: () => (due ??= setTimeout(now, Math.min(leastMs, Math.max(0, drawnAt + leastMs - Date.now()))).unref()),
    now,
    stop: () => clearTimeout(due),
  };
}

/** A message about what was just typed, shown instead of the keys for a while. */
interface Notices {
  readonly tell: (text: string, isOver?: () => boolean) => void;
  readonly current: () => string | undefined;
}

function noticesOf(refresh: () => void): Notices {
  let said:
    { readonly text: string; readonly until: number; readonly isOver?: (() => boolean) | undefined } | undefined;
  return {
    tell: (text, isOver) => {
      said = { text: shown(text), until: Date.now() + cliLimits.viewNoticeMs, isOver };
      refresh();
    },
    current: () => {
      if (said !== undefined && (said.until < Date.now() || said.isOver?.() === true)) said = undefined;
      return said?.text;
    },
  };
}

function pause(subject: Subject, tell: Notices["tell"]): void {
  const isPaused = subject.state().paused;
  const kind = isPaused ? "resume" : "pause";
  tell(isPaused ? "Resuming …" : "Pausing …", () => subject.state().paused !== isPaused);
  void subject
    .command(kind)
    .catch(messageOf)
    .then((why) => why !== undefined && tell(why));
}

/** A lone Esc is recognised by nothing following it. */
function hearKeys({ onKeys }: Terminal, perform: (key: Key) => void): (() => void)[] {
  if (onKeys === undefined) return [];
  let pending = "";
  let lone: NodeJS.Timeout | undefined;
  const unhear = onKeys((bytes) => {
    clearTimeout(lone);
    const read = readKeys(pending, bytes);
    pending = read.pending;
    read.keys.forEach(perform);
    if (pending === "") return;
    lone = setTimeout(() => {
      const keys = endKeys(pending);
      pending = "";
      keys.forEach(perform);
    }, cliLimits.viewEscapeMs).unref();
  });
  return [unhear, () => clearTimeout(lone)];
}
