import { expect, test } from "vitest";
import type { Key } from "../../../../src/cli/live-view/keys.ts";
import { startPage, press, type Around, type Navigation } from "../../../../src/cli/live-view/navigation.ts";

const around: Around = { choices: ["a", "b", "c"], belowMax: 30, page: 10 };

function after(keys: readonly Key[], navigation: Navigation = startPage) {
  return keys.reduce((now, key) => press(now.navigation, key, around), { navigation } as ReturnType<typeof press>);
}

test("arrows select a task and stop at the ends, Enter opens its log, Esc goes back and then selects none", () => {
  expect(after(["down"]).navigation.selected).toBe("a");
  expect(after(["down", "down", "down", "down"]).navigation.selected).toBe("c");
  expect(after(["down", "down", "up", "up"]).navigation.selected).toBe("a");
  const log = after(["down", "down", "enter"]).navigation;
  expect(log).toEqual({ page: "log", selected: "b", below: 0 });
  expect(after(["escape"], log).navigation).toEqual({ page: "run", selected: "b", below: 0 });
  expect(after(["escape", "escape"], log).navigation.selected).toBe(null);
  expect(after(["log"]).navigation).toMatchObject({ page: "log", selected: "a" });
});

test("the log scrolls within its ends; q goes back from it, and leaves the view from the run", () => {
  const log = after(["enter"]).navigation;
  expect(after(["up", "up"], log).navigation.below).toBe(2);
  expect(after(["page-up", "page-up", "page-up", "page-up"], log).navigation.below).toBe(30);
  expect(after(["home", "end"], log).navigation.below).toBe(0);
  expect(after(["quit"], log)).toEqual({ navigation: { ...log, page: "run" } });
  expect(after(["quit"]).effect).toBe("leave");
});

test("? shows the keys and any key goes back, but Ctrl-C, Ctrl-Z and p are what they are everywhere", () => {
  const keys = after(["help"]).navigation;
  expect(keys.page).toBe("keys");
  expect(after(["other"], keys).navigation.page).toBe("run");
  for (const key of ["interrupt", "suspend", "pause"] as const) expect(after([key], keys).effect).toBe(key);
});
