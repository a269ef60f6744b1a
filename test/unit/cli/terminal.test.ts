import { expect, test } from "vitest";
import { isUnicode } from "../../../src/cli/terminal.ts";

test.each([
  [{ LANG: "de_DE.UTF-8" }, true],
  [{ LANG: "en_GB.utf8" }, true],
  [{ LC_ALL: "C", LANG: "de_DE.UTF-8" }, false],
  [{ LC_ALL: "", LC_CTYPE: "C.UTF-8", LANG: "C" }, true],
  [{ LANG: "C" }, false],
  [{}, false],
])("the first locale that is set decides whether a terminal draws Unicode: %j", (env, expected) => {
  expect(isUnicode(env)).toBe(expected);
});
