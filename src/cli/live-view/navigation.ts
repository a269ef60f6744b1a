import { unreachable } from "../../base/result.ts";
import type { Key } from "./keys.ts";

/** What a person is looking at. */
export interface Navigation {
  readonly page: "run" | "log" | "keys";
  readonly selected: string | null;
  /** How many lines of the log are below the visible part; 0 follows it. */
  readonly below: number;
}

/** What a key asks for besides another page. */
export type Effect = "pause" | "leave" | "suspend" | "interrupt" | "redraw";

/** What a key can reach from here. */
export interface Around {
  /** The tasks that can be selected, in order. */
  readonly choices: readonly string[];
  /** The most that `below` can be. */
  readonly belowMax: number;
  /** Lines of the log that are shown at once. */
  readonly page: number;
}

/** The result of a key press. */
export interface Pressed {
  readonly navigation: Navigation;
  readonly effect?: Effect;
}

/** Keys whose meaning depends on the page. */
type PageKey = Exclude<Key, Effect | "help" | "other">;

/** The page of the run, with nothing selected. */
export const startPage: Navigation = { page: "run", selected: null, below: 0 };

/** Returns where a key press leads, and what else it asks for. */
export function press(navigation: Navigation, key: Key, around: Around): Pressed {
  if (key === "interrupt" || key === "suspend" || key === "redraw") return { navigation, effect: key };
  if (key === "pause") return { navigation, effect: "pause" };
  if (navigation.page === "keys") return { navigation: { ...navigation, page: "run" } };
  if (key === "other") return { navigation };
  if (key === "help") return { navigation: { ...navigation, page: "keys" } };
  return navigation.page === "log"
    ? { navigation: scroll(navigation, key, around) }
    : pressOnRun(navigation, key, around.choices);
}

function pressOnRun(navigation: Navigation, key: PageKey, choices: readonly string[]): Pressed {
  const at = navigation.selected === null ? -1 : choices.indexOf(navigation.selected);
  const select = (next: number) => ({ navigation: { ...navigation, selected: choices[next] ?? null } });
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
      return selected === undefined ? { navigation } : { navigation: { page: "log", selected, below: 0 } };
    }
    case "escape":
      return { navigation: { ...navigation, selected: null } };
    case "quit":
      return { navigation, effect: "leave" };
    default:
      return unreachable(key);
  }
}

function scroll(navigation: Navigation, key: PageKey, { belowMax, page }: Around): Navigation {
  const to = (below: number): Navigation => ({ ...navigation, below: Math.max(0, Math.min(below, belowMax)) });
  switch (key) {
    case "up":
      return to(navigation.below + 1);
    case "down":
      return to(navigation.below - 1);
    case "page-up":
      return to(navigation.below + page);
    case "page-down":
      return to(navigation.below - page);
    case "home":
      return to(belowMax);
    case "end":
      return to(0);
    case "escape":
    case "quit":
    case "log":
    case "enter":
      return { ...navigation, page: "run" };
    default:
      return unreachable(key);
  }
}
