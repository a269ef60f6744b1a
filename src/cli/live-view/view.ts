import { cliLimits } from "../limits.ts";
import { runLimits } from "../../run/limits.ts";
import { messageOf } from "../../base/result.ts";
import type { Terminal } from "../terminal.ts";
import { endKeys, readKeys, type Key } from "./keys.ts";
import { createPacer } from "./pacer.ts";
import { pagesOf, type PageOptions, type Subject } from "./pages.ts";
import { openScreen } from "./screen.ts";
import { typed } from "./typed.ts";
import { firstUi, press, type Effect } from "./ui.ts";
import { shown } from "./words.ts";

/** Where it is shown, and who is told that it is over. */
export interface ViewOptions extends PageOptions {
  /** Called once the terminal is as it was: a person left the view, or it failed. */
  readonly left: (failure?: unknown) => void;
}

/** A view that is open. */
export interface View {
  /** Something happened, of which the subject knows. */
  readonly happened: () => void;
  readonly warn: (line: string) => void;
  /** Gives the terminal back; nothing is drawn any more. */
  readonly close: () => void;
}

/** Shows a run on the alternate screen until it is closed or left. Whatever fails here ends the view, never the run. */
export function openView(subject: Subject, options: ViewOptions): View {
  const { terminal, signal } = options;
  const screen = openScreen(terminal);
  const pages = pagesOf(subject, options);
  let ui = firstUi;
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
    const lines = pages.lines(ui, { notice: notices.current(), warning });
    screen.draw(terminal.isUnicode ? lines : lines.map(typed));
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
    const pressed = press(ui, key, pages.around(ui));
    if (pressed.ui.page !== ui.page) pages.readOn();
    ui = pressed.ui;
    perform(pressed.effect);
    // Whoever presses a key wants an answer at once.
    pacer.now();
  };
  const onTick = () => {
    if (ui.below === 0) pages.readOn();
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

/** A word about what was just typed, in the place of the keys until it is over. */
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
  tell(isPaused ? "Going on …" : "Pausing …", () => subject.state().paused !== isPaused);
  void subject
    .command(kind)
    .catch(messageOf)
    .then((why) => why !== undefined && tell(why));
}

/** A lone Esc is known by what does not follow it. */
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
