import { expect, test } from "vitest";
import { expectCode, verdictsOf } from "../rig/facts.ts";
import { createRig, type Rig } from "../rig/rig.ts";

/** The first check runs the agent's own tool; the second must not be helped by what that tool did. */
async function rigWith(tool: string, second: string, ignored = ""): Promise<Rig> {
  return createRig({
    files: { "test/a.test.sh": "grep -q ready a.txt\n", ".gitignore": `${ignored}\n` },
    plan: {
      tasks: { "01-a": { files: { create: ["a.txt", "tool.sh"] }, checks: ["test -e tool.sh && sh tool.sh", second] } },
    },
    config: {
      run: { attempts: 1 },
      workspace: { setup: "mkdir -p vendor && echo 'grep -q ready a.txt' > vendor/runner.sh" },
    },
    moves: {
      "01-a": [
        { write: "a.txt", text: "not yet\n" },
        { write: "tool.sh", text: `${tool}\n` },
      ],
    },
  });
}

const tricks = [
  ["a tracked test", "echo exit 0 > test/a.test.sh; echo ready > a.txt", "sh test/a.test.sh"],
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

test.each(tricks)("Code run by one check cannot help the next by rewriting %s.", async (_, tool, second) => {
  await using rig = await rigWith(tool, second);

  expectCode(await rig.stint(["run", "--yes"]), 3);

  const [verdict] = verdictsOf(rig, "01-a");
  expect(verdict).toMatchObject({ result: "failed", reason: "check" });
  expect(verdict?.checks[1]).toBe(`red ${second}`);
  expect(rig.processes()).toEqual([]);
});

test("Code run by one check cannot rewrite what set-up made for the next in an ignored folder.", async () => {
  await using rig = await rigWith("echo exit 0 > vendor/runner.sh", "sh vendor/runner.sh", "vendor/");

  expectCode(await rig.stint(["run", "--yes"]), 3);
  expect(verdictsOf(rig, "01-a")).toMatchObject([{ result: "failed", reason: "check" }]);
});
