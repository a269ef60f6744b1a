import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectCode, verdictsOf } from "../rig/facts.ts";
import { createRig, type Rig } from "../rig/rig.ts";

const tricks = [
  [
    "a tracked test",
    "echo exit 0 > test/a.test.sh; for file in a-*.txt; do echo ready > $file; done",
    "sh test/a.test.sh",
  ],
  [
    "git's view of it",
    "git update-index --assume-unchanged test/a.test.sh; echo exit 0 > test/a.test.sh",
    "sh test/a.test.sh",
  ],
  ["what set-up made", "echo exit 0 > vendor/runner.sh", "sh vendor/runner.sh"],
  ["the home folder", 'echo exit 0 > "$HOME/.rc"', '. "$HOME/.rc" 2>/dev/null || sh test/a.test.sh'],
  [
    "the temporary folder",
    'echo exit 0 > "${TMPDIR:-/nowhere}/rc"',
    'if [ -e "$TMPDIR/rc" ]; then . "$TMPDIR/rc"; fi; sh test/a.test.sh',
  ],
  [
    "Stint's own list of the tree",
    "GIT_INDEX_FILE=../tree.index git rm -q --cached test/a.test.sh; rm test/a.test.sh",
    "test ! -e test/a.test.sh || sh test/a.test.sh",
  ],
  [
    "what lies beside the tree",
    "mkdir ../node_modules; echo exit 0 > ../node_modules/rc",
    "if [ -e ../node_modules/rc ]; then exit 0; fi; sh test/a.test.sh",
  ],
  [
    "the test, by a process left behind",
    "setsid sh -c 'while :; do echo exit 0 > test/a.test.sh; done' > /dev/null 2>&1 &",
    "sh test/a.test.sh",
  ],
] as const;

const settings = {
  run: { attempts: 1 },
  workspace: { setup: "mkdir -p vendor && echo 'grep -q ready a-*.txt' > vendor/runner.sh" },
};

/** One task for each trick: its first check runs the agent's own tool; the second must not be helped by what that tool did. */
async function rigWith(ways: readonly (readonly [string, string, string])[], ignored = ""): Promise<Rig> {
  const taskOf = (at: number, second: string) => ({
    files: { create: [`a-${at}.txt`, `tool-${at}.sh`] },
    checks: [`test -e tool-${at}.sh && sh tool-${at}.sh`, second],
  });
  const movesOf = (at: number, tool: string) => [
    { write: `a-${at}.txt`, text: "not yet\n" },
    { write: `tool-${at}.sh`, text: `${tool}\n` },
  ];
  return createRig({
    files: { "test/a.test.sh": "grep -q ready a-*.txt\n", ".gitignore": `${ignored}\n` },
    plan: { tasks: Object.fromEntries(ways.map(([, , second], at) => [idOf(at), taskOf(at, second)])) },
    config: settings,
    moves: Object.fromEntries(ways.map(([, tool], at) => [idOf(at), movesOf(at, tool)])),
  });
}

function idOf(at: number): string {
  return `0${at + 1}-a`;
}

describe("where the work is not done", () => {
  let rig: Rig;

  beforeAll(async () => {
    rig = await rigWith(tricks);
    expectCode(await rig.stint(["run", "--yes"]), 3);
  }, 240_000);

  afterAll(async () => rig[Symbol.asyncDispose]());

  test.each(tricks.map(([name, , second], at) => [name, idOf(at), second] as const))(
    "Code run by one check cannot help the next by rewriting %s.",
    async (_, id, second) => {
      const [verdict] = verdictsOf(rig, id);
      expect(verdict).toMatchObject({ result: "failed", reason: "check" });
      expect(verdict?.checks[1]).toBe(`red ${second}`);
      expect(rig.processes()).toEqual([]);
    },
  );
});

test("Code run by one check cannot rewrite what set-up made for the next in an ignored folder.", async () => {
  await using rig = await rigWith([["", "echo exit 0 > vendor/runner.sh", "sh vendor/runner.sh"]], "vendor/");

  expectCode(await rig.stint(["run", "--yes"]), 3);
  expect(verdictsOf(rig, "01-a")).toMatchObject([{ result: "failed", reason: "check" }]);
});
