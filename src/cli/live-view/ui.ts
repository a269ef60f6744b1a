import { unreachable } from "../../base/result.ts";
import type { Key } from "./keys.ts";

/** What a person looks at. */
export interface Ui {
  readonly page: "run" | "log" | "keys";
  readonly selected: string | null;
  /** How many lines of the log lie below what is shown; 0 follows it. */
  readonly below: number;
}

/** What a key asks for besides another picture. */
export type Effect = "pause" | "leave" | "suspend" | "interrupt" | "redraw";

/** What a key can reach from here. */
export interface Around {
  /** The tasks that can be chosen, in order. */
  readonly choices: readonly string[];
  /** The most that `below` can be. */
  readonly belowMax: number;
  /** Lines of the log that are shown at once. */
  readonly page: number;
}

/** What a key leads to. */
export interface Pressed {
  readonly ui: Ui;
  readonly effect?: Effect;
}

/** Keys that mean something else on each page. */
type PageKey = Exclude<Key, Effect | "help" | "other">;

/** The run, with nothing chosen. */
export const firstUi: Ui = { page: "run", selected: null, below: 0 };

/** What follows from a key. */
export function press(ui: Ui, key: Key, around: Around): Pressed {
  if (key === "interrupt" || key === "suspend" || key === "redraw") return { ui, effect: key };
  if (key === "pause") return { ui, effect: "pause" };
  if (ui.page === "keys") return { ui: { ...ui, page: "run" } };
  if (key === "other") return { ui };
  if (key === "help") return { ui: { ...ui, page: "keys" } };
  return ui.page === "log" ? { ui: scroll(ui, key, around) } : pressOnRun(ui, key, around.choices);
}

function pressOnRun(ui: Ui, key: PageKey, choices: readonly string[]): Pressed {
  const at = ui.selected === null ? -1 : choices.indexOf(ui.selected);
  const select = (next: number) => ({ ui: { ...ui, selected: choices[next] ?? null } });
  switch (key) {
    case "up":
      return select(Math.max(0, at - 1));
    case "down":
      return select(Math.min(choices.length - 1, at + 1));
    case "home":
    case "page-up":
      return select(0);
    case "end":
    case "page-down":
      return select(choices.length - 1);
    case "enter":
    case "log": {
      const selected = choices[Math.max(0, at)];
      return selected === undefined ? { ui } : { ui: { page: "log", selected, below: 0 } };
    }
    case "escape":
      return { ui: { ...ui, selected: null } };
    case "quit":
      return { ui, effect: "leave" };
    default:
      return unreachable(key);
  }
}

function scroll(ui: Ui, key: PageKey, { belowMax, page }: Around): Ui {
  const to = (below: number): Ui => ({ ...ui, below: Math.max(0, Math.min(below, belowMax)) });
  switch (key) {
    case "up":
      return to(ui.below + 1);
    case "down":
      return to(ui.below - 1);
    case "page-up":
      return to(ui.below + page);
    case "page-down":
      return to(ui.below - page);
    case "home":
      return to(belowMax);
    case "end":
      return to(0);
    case "escape":
    case "quit":
    case "log":
    case "enter":
      return { ...ui, page: "run" };
    default:
      return unreachable(key);
  }
}
