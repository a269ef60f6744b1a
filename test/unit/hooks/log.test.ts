import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hooksLimits } from "../../../src/hooks/limits.ts";
import { openHookLog } from "../../../src/hooks/log.ts";
import { createHooked } from "../../rig/hooked.ts";

test("a line has its time, nothing that a terminal obeys and a bounded length; only its owner reads it", () => {
  using hooked = createHooked();
  const { file, note } = openHookLog(hooked.dir);
  note("one\ntwo \u001b[2J");
  note("x".repeat(hooksLimits.hookLogLineCharsMax + 1));
  const [first = "", second = ""] = readFileSync(file, "utf8").split("\n");
  expect(first).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z one\\ntwo \\u\{1b\}\[2J$/);
  expect(second.endsWith(`${"x".repeat(hooksLimits.hookLogLineCharsMax)}…`)).toBe(true);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("a full log is kept beside a new one, and replaces the full one before it", () => {
  using hooked = createHooked();
  const { file, note } = openHookLog(hooked.dir);
  writeFileSync(`${file}.1`, "older");
  const full = "x".repeat(hooksLimits.hookLogBytesMax);
  writeFileSync(file, full);
  note("new");
  expect(readFileSync(`${file}.1`, "utf8")).toBe(full);
  expect(readFileSync(file, "utf8")).toMatch(/ new\n$/);
});

test("a log that cannot be written is no reason to fail", () => {
  using hooked = createHooked();
  expect(() => openHookLog(join(hooked.dir, "missing")).note("x")).not.toThrow();
});
