import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { checksLimits } from "../../../../src/checks/limits.ts";
import { heardIn, readReports } from "../../../../src/checks/witness/report.ts";
import { nodeWitness, withWitnesses } from "../../../../src/checks/witness/witness.ts";

const begun = { runner: "vitest", begun: true };
const ended = { runner: "vitest", ended: true };
const ran = (group: string) => ({ runner: "vitest", group, name: "adds", state: "run" });

function text(...lines: readonly unknown[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

test("tests are counted by file, files are named as in the tree, and each runner is counted apart", () => {
  const skipped = { ...ran("/room/test/a.test.ts"), state: "skipped" };
  const vitest = text(begun, ran("/room/test/a.test.ts"), ran("/room/test/a.test.ts"), skipped, ended);
  const pytest = text({ runner: "pytest", begun: true }, { ...ran("/elsewhere/t.py"), runner: "pytest" });
  expect(heardIn([vitest, pytest], "/room")).toEqual({
    tests: [
      { runner: "pytest", run: 1, skipped: 0, groups: { "/elsewhere/t.py": 1 } },
      { runner: "vitest", run: 2, skipped: 1, groups: { "test/a.test.ts": 2 } },
    ],
    unended: ["pytest"],
    failed: 0,
    names: { failing: [], others: ["test/a.test.ts: adds", "/elsewhere/t.py: adds"] },
  });
});

test("failed tests are counted, but not what is skipped and fails", () => {
  const failed = { ...ran("/room/a.test.ts"), failed: true };
  expect(heardIn([text(begun, failed, { ...failed, state: "skipped" }, ended)], "/room").failed).toBe(1);
});

test("of several tests with one title, the one that failed counts, and a title cannot draw on a terminal", () => {
  const failed = { ...ran("/room/a.test.ts"), failed: true };
  const odd = { ...ran("/room/a.test.ts"), name: "a\u001b[2J", state: "skipped" };
  const { names } = heardIn([text(begun, failed, ran("/room/a.test.ts"), odd, ended)], "/room");
  expect(names).toEqual({ failing: ["a.test.ts: adds"], others: ["a.test.ts: a [2J"] });
});

test("a file in which its runner found no test has none, whoever else says so", () => {
  const runner = text(begun, { runner: "vitest", group: "/room/a.test.ts" }, ran("/room/b.test.ts"), ended);
  const { tests } = heardIn([runner, text(ran("/room/a.test.ts"))], "/room");
  expect(tests).toEqual([{ runner: "vitest", run: 1, skipped: 0, groups: { "a.test.ts": 0, "b.test.ts": 1 } }]);
});

test("a runner that began twice and ended once did not end; another process cannot end it", () => {
  expect(heardIn([text(begun, ended), text(begun), text(ended)], "/room").unended).toEqual(["vitest"]);
});

test("a file that was looked into and has no test is known, and one that was there and never began ran nothing", () => {
  const looked = text(begun, { runner: "vitest", group: "/room/test/helper.ts" }, ended);
  expect(heardIn([looked], "/room").tests).toEqual([
    { runner: "vitest", run: 0, skipped: 0, groups: { "test/helper.ts": 0 } },
  ]);
  expect(heardIn([text(ended)], "/room")).toEqual({
    tests: [{ runner: "vitest", run: 0, skipped: 0, groups: {} }],
    unended: [],
    failed: 0,
    names: { failing: [], others: [] },
  });
});

test.each([
  ["no JSON", "{"],
  ["no object", "null"],
  ["a list", "[]"],
  ["an unknown runner", '{"runner":"mine","begun":true}'],
  ["the name of a method", '{"runner":"toString","begun":true}'],
  ["a runner that is no text", '{"runner":["vitest"],"begun":true}'],
  ["an unknown state", '{"runner":"vitest","group":"a","state":"passed"}'],
  ["a group that is no text", '{"runner":"vitest","group":{"a":1},"state":"run"}'],
  ["a group that would draw on a terminal", '{"runner":"vitest","group":"a\\u001b[2J","state":"run"}'],
  ["nothing said", '{"runner":"vitest"}'],
  ["a line without end", `{"runner":"vitest","begun":true,"name":"${"x".repeat(checksLimits.witnessLineCharsMax)}"}`],
])("a line of hostile code is dropped: %s", (_, line) => {
  expect(heardIn([`${line}\n`], "/room")).toEqual({
    tests: [],
    unended: [],
    failed: 0,
    names: { failing: [], others: [] },
  });
});

test("a group named like a part of every object is an ordinary group", () => {
  const { tests } = heardIn([text(begun, ran("__proto__"), ran("constructor"), ended)], "/room");
  expect(Object.entries(tests[0]?.groups ?? {})).toEqual([
    ["__proto__", 1],
    ["constructor", 1],
  ]);
});

test("tests in more files than the journal keeps are counted as a whole", () => {
  const files = Array.from({ length: checksLimits.witnessGroupsMax + 1 }, (_, at) => ran(`/room/${at}.test.ts`));
  const { tests } = heardIn([text(begun, ...files, ended)], "/room");
  expect(tests[0]).toMatchObject({
    run: checksLimits.witnessGroupsMax + 1,
    groups: { "*": checksLimits.witnessGroupsMax + 1 },
  });
});

test("only files of the protocol are read: no link, no pipe, nothing of another name", async () => {
  const dir = mkdtempSync(join(tmpdir(), "reports-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  writeFileSync(join(dir, "a.jsonl"), text(begun, ran(`${dir}/a.test.ts`), ended));
  writeFileSync(join(dir, "b.txt"), text(begun));
  writeFileSync(join(dir, "outside"), text(begun));
  symlinkSync(join(dir, "outside"), join(dir, "c.jsonl"));
  execFileSync("mkfifo", [join(dir, "d.jsonl")]);
  expect(await readReports(dir, dir)).toEqual({
    tests: [{ runner: "vitest", run: 1, skipped: 0, groups: { "a.test.ts": 1 } }],
    unended: [],
    failed: 0,
    names: { failing: [], others: ["a.test.ts: adds"] },
  });
  expect(await readReports(join(dir, "nowhere"), dir)).toEqual({
    tests: [],
    unended: [],
    failed: 0,
    names: { failing: [], others: [] },
  });
});

test("what a check has in its environment still counts, behind what the witness needs", () => {
  const place = { tools: '/with space/and "quote"', reports: "/reports" };
  const preload = '--require="/with space/and \\"quote\\"/node/preload.cjs"';
  expect(withWitnesses({ A: "1" }, place, [nodeWitness])).toEqual({
    A: "1",
    ROOM_WITNESS: "/reports",
    NODE_OPTIONS: preload,
  });
  expect(withWitnesses({ NODE_OPTIONS: "--no-warnings" }, place, [nodeWitness])["NODE_OPTIONS"]).toBe(
    `${preload} --no-warnings`,
  );
});
