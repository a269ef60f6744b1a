import { expect, test } from "vitest";
import { readIni, readToml, tomlSettings } from "../../../src/syntax/settings.ts";

test("TOML is read by path: tables, lists of tables, dotted keys, and texts over several lines.", () => {
  const text = `
title = "a"
[tool.pytest.ini_options]
addopts = """
-q
-k nothing"""
testpaths = ["tests", 'more']
retry = 3
[[test]]
name = "first"
harness = false
[[test]]
name = "second"
[dependencies]
serde = { version = "1", path = "x" }
a.b = true
`;
  expect(Object.fromEntries(tomlSettings(text))).toEqual({
    title: "a",
    "tool.pytest.ini_options.addopts": "-q\n-k nothing",
    "tool.pytest.ini_options.testpaths": ["tests", "more"],
    "tool.pytest.ini_options.retry": "3",
    "test[0].name": "first",
    "test[0].harness": "false",
    "test[1].name": "second",
    "dependencies.serde.version": "1",
    "dependencies.serde.path": "x",
    "dependencies.a.b": "true",
  });
});

test("A quoted key with dots cannot pass for a setting of another table.", () => {
  const text = '"tool.a.b" = "decoy"\n[tool.a]\nb = "real"\n';
  expect(tomlSettings(text).get("tool.a.b")).toBe("real");
});

test("Invalid TOML says where and why; for those who only look for hints there is nothing in it.", () => {
  expect(readToml("a = 1\nb = \n")).toEqual({ fault: "line 2: invalid value" });
  expect(readToml(`${"a.".repeat(100)}a = 1\n`)).toEqual({ fault: "tables are nested deeper than 64 levels" });
  expect(tomlSettings("a = 1\nb = \n")).toEqual(new Map());
});

test("INI is read as Python's tools do: indented lines continue a value, and only whole lines are comments.", () => {
  const text = `
# above
[tool:pytest]
addopts =
    -q

    ; between
    --deselect=tests/a.py
Markers: slow # takes long
[coverage:report]
  omit = a
  fail_under = 90
`;
  expect(readIni(text)).toEqual(
    new Map([
      ["tool:pytest.addopts", "-q\n--deselect=tests/a.py"],
      ["tool:pytest.markers", "slow # takes long"],
      ["coverage:report.omit", "a"],
      ["coverage:report.fail_under", "90"],
    ]),
  );
});

test.each([
  ["a = 1\n", "line 1: a setting before the first [section]"],
  ["[a]\nb\n", "line 2: neither a section nor `name = value`"],
  ["[a]\nb = 1\nB = 2\n", "line 3: a.b is set twice"],
  ["[a]\n[b]\n[a]\n", "line 3: a second section [a]"],
])("INI that Python refuses is refused: %j", (text, fault) => {
  expect(readIni(text)).toEqual({ fault });
});
