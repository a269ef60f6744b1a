import { expect, test } from "vitest";
import { loadConfig } from "../../../src/config/load.ts";

function complaints(text: string): string[] {
  const { problems } = loadConfig({ project: { file: ".stint/config.yaml", bytes: Buffer.from(text) } });
  return problems.map(({ line, column, code, message }) => `${line}:${column} ${code}: ${message}`);
}

test("a name that is no event is an error where it stands, with the nearest one or all there are", () => {
  const text = "hooks:\n  - { on: [done, blokced], webhook: 'http://x' }\n  - { on: [task-integrate], command: [x] }\n";
  expect(complaints(text)).toEqual([
    '2:18 unknown-event: hooks[0].on[1] is an unknown event "blokced"; did you mean "blocked"?',
    '3:12 unknown-event: hooks[1].on[0] is an unknown event "task-integrate"; did you mean "task-integrated"?',
  ]);
  expect(complaints("hooks: [{ on: [zzz], command: [x] }]")).toEqual([
    expect.stringMatching(
      /^1:16 unknown-event: hooks\[0\]\.on\[0\] is an unknown event "zzz"; known events: blocked, asks, waits, limit, done, plan-approved, .*, run-finished$/,
    ),
  ]);
  expect(complaints("hooks: [{ on: [], command: [x] }]")).toEqual([
    "1:11 bad-value: hooks[0].on must name at least one event",
  ]);
  expect(
    complaints("hooks: [{ on: [blocked, verdict], command: [x] }, { on: [done], webhook: 'https://x/y' }]"),
  ).toEqual([]);
});

test.each(["file:///etc/passwd", "javascript:alert(1)", "data:text/plain,x", "ftp://x/", "//x/y", "x", "http:"])(
  "%s is no address of a webhook",
  (url) => {
    expect(complaints(`hooks: [{ on: [done], webhook: '${url}' }]`)).toEqual([
      "1:23 bad-value: hooks[0].webhook must be an address that starts with http:// or https://",
    ]);
  },
);

test("a password in an address is refused without being shown", () => {
  expect(complaints("hooks: [{ on: [done], webhook: 'https://me:canary@x.example/y' }]")).toEqual([
    "1:23 bad-value: hooks[0].webhook must not contain a user name or password: use a command instead, which can read them from your environment",
  ]);
});

test("a hook has one target, and its command begins with a program", () => {
  expect(complaints("hooks: [{ on: [done], webhook: 'http://x', command: [x] }, { on: [done] }]")).toEqual([
    "1:9 bad-value: hooks[0] must have exactly one of webhook and command",
    "1:60 bad-value: hooks[1] must have exactly one of webhook and command",
  ]);
  expect(complaints("hooks: [{ on: [done], command: [''] }]")).toEqual([
    "1:23 bad-value: hooks[0].command must begin with the name of a program",
  ]);
});
