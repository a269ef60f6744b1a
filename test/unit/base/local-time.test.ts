import { afterEach, expect, test, vi } from "vitest";
import { localStamp, localTime } from "../../../src/base/local-time.ts";

afterEach(() => vi.unstubAllEnvs());

test("a time of today is shown by the hour, any other with its day", () => {
  const now = new Date(2026, 10, 16, 12, 0).getTime();
  expect(localTime(new Date(2026, 10, 16, 9, 5).toISOString(), now)).toBe("09:05");
  expect(localTime(new Date(2026, 10, 17, 9, 5).toISOString(), now)).toBe("Tue Nov 17, 09:05");
});

test.each([
  ["UTC", "2026-11-17 18:52:27 +00:00"],
  ["Europe/Berlin", "2026-11-17 19:52:27 +01:00"],
  ["Asia/Kolkata", "2026-11-18 00:22:27 +05:30"],
  ["America/St_Johns", "2026-11-17 15:22:27 -03:30"],
])("a document names the time in %s with its zone", (zone, text) => {
  vi.stubEnv("TZ", zone);
  expect(localStamp("2026-11-17T18:52:27.123Z")).toBe(text);
});
