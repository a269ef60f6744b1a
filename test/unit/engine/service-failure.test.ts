import { expect, test } from "vitest";
import { isOutOfReach, isUnpaid, outcomeName } from "../../../src/engine/service-failure.ts";

test.each([
  "server_error: API Error: Connection refused — a firewall or proxy may be blocking it (ECONNREFUSED)",
  "server_error: API Error: Unable to connect to API (ConnectionRefused)",
  "server_error: API Error: getaddrinfo ENOTFOUND api.example",
  "Connection failed: error sending request",
  "stream disconnected before completion: error sending request for url (https://api.example/v1/responses)",
  "exit 1: [API Error: exception TypeError: fetch failed sending request]",
])("nothing was reached: %s", (detail) => {
  expect(outcomeName({ kind: "overloaded", detail })).toBe("its service could not be reached");
});

test.each([
  "529: server_error: API Error: 529 Overloaded",
  "503: server_error: upstream connect error: connection refused",
  "unexpected status 502 Bad Gateway: fetch failed",
  'exit 244: [API Error: {"error":{"code":500,"message":"connection refused"}}]',
  "We’re currently experiencing high demand, which may cause temporary errors.",
  "stream disconnected before completion: idle timeout",
])("honest: something answered: %s", (detail) => {
  expect(outcomeName({ kind: "overloaded", detail })).toBe("overloaded");
});

test("other outcomes keep their names, whatever they quote", () => {
  expect(isOutOfReach({ kind: "crashed", detail: "ECONNREFUSED" })).toBe(false);
  expect(outcomeName({ kind: "crashed", detail: "ECONNREFUSED" })).toBe("crashed");
  expect(isUnpaid({ kind: "auth", detail: "400: billing_error: Credit balance is too low" })).toBe(true);
  expect(isUnpaid({ kind: "auth", detail: "401: authentication_failed: Invalid API key" })).toBe(false);
});
