import { expect, test } from "vitest";
import { expectCode, verdictsOf } from "../rig/facts.ts";
import { writes, type Move } from "../rig/moves.ts";
import { createRig, type Rig } from "../rig/rig.ts";

const repo = {
  "a.txt": "old\n",
  "test/a.test.sh": "grep -q ready a.txt\n",
  "accept/run.sh": "grep -q ready a.txt\n",
  "helper.txt": "old\n",
};

/** A task whose checks are a test and a script, neither of which it names; the settings grant what is asked for. */
async function grantingRig(moves: readonly Move[], config: Record<string, unknown> = {}): Promise<Rig> {
  return createRig({
    files: repo,
    rules: { forbid: ["vault/**"] },
    config: { run: { scope_requests: "grant", attempts: 1, ...config } },
    plan: {
      tasks: { "01-a": { files: { modify: ["a.txt"] }, checks: ["sh test/a.test.sh", "sh accept/run.sh"] } },
    },
    moves: { "01-a": moves },
  });
}

function asksFor(...files: readonly string[]): Move {
  return { report: { status: "done", summary: "Needed.", need_files: files } };
}

const cheats = (file: string): readonly Move[] => [
  { write: file, text: "exit 0\n" },
  { write: "a.txt", text: "not done\n" },
];

test("Control: settings that grant do grant a plain file, and the change to it lands.", async () => {
  await using rig = await grantingRig([
    ...writes("a.txt"),
    { write: "helper.txt", text: "new\n" },
    asksFor("helper.txt"),
  ]);

  expectCode(await rig.stint(["run", "--yes"]), 0);
  expect(rig.git("show", "stint/work:helper.txt")).toBe("new");
});

test.each([
  ["test/a.test.sh", "test file, protected"],
  ["accept/run.sh", "a check names it"],
])("An agent cannot grant itself what judges it: %s is asked about, and named as what it is.", async (file, note) => {
  await using rig = await grantingRig([...cheats(file), asksFor("helper.txt", file)]);

  const run = await rig.stint(["run", "--yes"]);

  expectCode(run, 3);
  expect(rig.events("scope-decided")).toEqual([]);
  expect(run.stdout).toContain(`May it also create or change ${file} (${note}), helper.txt?`);
  expectCode(await rig.stint(["answer", "01-a.1", "refuse"]), 0);
  expectCode(await rig.stint(["resume"]), 3);
  expect(verdictsOf(rig, "01-a")[0]?.guards).toEqual([`${note.startsWith("test") ? "protected" : "scope"} ${file}`]);
  expect(rig.events("task-integrated")).toEqual([]);
});

test("Control: granted by a person, the files may change; then only the look at the tests alone sees the cheat.", async () => {
  const files = ["test/a.test.sh", "accept/run.sh"];
  await using rig = await grantingRig([...files.flatMap(cheats), asksFor(...files)]);
  expectCode(await rig.stint(["run", "--yes"]), 3);
  expectCode(await rig.stint(["answer", "01-a.1", "grant"]), 0);

  const resumed = await rig.stint(["resume"]);
  expectCode(resumed, 3);
  expect(rig.events("verdict").at(-1)?.["guards"]).toEqual([
    {
      guard: "tests",
      path: "test/a.test.sh",
      why: "was changed, and with nothing but the tests changed, on the code as it was, `sh test/a.test.sh` is green. Put the tests back and change the code; where only tests are wrong, let a task name nothing else.",
    },
  ]);
});

test("An agent cannot grant itself what judges another task, and so undo that task's work unseen.", async () => {
  await using rig = await createRig({
    files: { "a.txt": "old\n", "accept/a.sh": "grep -q ready a.txt\n" },
    config: { run: { scope_requests: "grant", attempts: 1 } },
    plan: {
      tasks: {
        "01-a": { files: { modify: ["a.txt"] }, checks: ["sh accept/a.sh"] },
        "02-b": { files: { create: ["b.txt"] }, depends: ["01-a"], checks: ["test -e b.txt"] },
      },
    },
    moves: {
      "01-a": writes("a.txt"),
      "02-b": [...cheats("accept/a.sh"), ...writes("b.txt"), asksFor("a.txt", "accept/a.sh")],
    },
  });

  const run = await rig.stint(["run", "--yes"]);

  expectCode(run, 3);
  expect(run.stdout).toContain("accept/a.sh (a check of another task names it), a.txt?");
  expect(rig.git("show", "stint/work:a.txt")).toBe("ready");
  // The control: granted by a person, the very cheat lands, and everything is green.
  expectCode(await rig.stint(["answer", "02-b.1", "grant"]), 0);
  expectCode(await rig.stint(["resume"]), 0);
  expect(rig.git("show", "stint/work:a.txt")).toBe("not done");
});

test("The honest twin: a person who is asked may grant a test, and the change to it lands.", async () => {
  await using rig = await grantingRig([
    ...writes("a.txt"),
    { append: "test/a.test.sh", text: "test -s a.txt\n" },
    asksFor("test/a.test.sh"),
  ]);
  expectCode(await rig.stint(["run", "--yes"]), 3);
  expectCode(await rig.stint(["answer", "01-a.1", "grant"]), 0);

  expectCode(await rig.stint(["resume"]), 0);
  expect(rig.git("show", "stint/work:test/a.test.sh")).toContain("test -s a.txt");
});

test("What may never change is not granted and nobody is asked; the honest part of the request is granted.", async () => {
  await using rig = await grantingRig([
    ...writes("a.txt"),
    { write: "helper.txt", text: "new\n" },
    { write: ".stint/config.yaml", text: "run: { sandbox: none }\n" },
    { write: "vault/key", text: "x\n" },
    asksFor("../x", ".stint/config.yaml", "plans/work/plan.md", "vault/key", "**", "helper.txt"),
  ]);

  expectCode(await rig.stint(["run", "--yes"]), 3);

  expect(rig.events("scope-decided")).toMatchObject([{ granted: true, files: ["helper.txt"] }]);
  expect(verdictsOf(rig, "01-a")[0]?.guards).toEqual(["protected .stint/config.yaml", "forbidden vault/key"]);
});

test("A file that was granted may be created and changed, not deleted.", async () => {
  await using rig = await grantingRig([...writes("a.txt"), { delete: "helper.txt" }, asksFor("helper.txt")]);

  expectCode(await rig.stint(["run", "--yes"]), 3);
  expect(verdictsOf(rig, "01-a")[0]?.guards).toEqual(["scope helper.txt"]);
});

test("100,000 files are no request: the report is not read, said once, and the checks decide.", async () => {
  const files = Array.from({ length: 100_000 }, (_, index) => `f${index}`);
  await using rig = await grantingRig([...writes("a.txt"), asksFor(...files)]);

  const run = await rig.stint(["run", "--yes"]);

  expectCode(run, 0);
  expect(run.stdout).toContain(
    "agent finished with an unreadable report: report.json: report.need_files: more than 20 files; a task that needs more should be split",
  );
  expect(rig.events("agent-finished")).toMatchObject([{ report: null }]);
});

test("Names and words that a terminal would obey or hide reach no screen as they are.", async () => {
  const evil = ["\u001b[2Jcleared", "src/\u202Etxt.live", "src/x\u200b.ts"];
  const words = "\u001b]52;c;ZXZpbA==\u0007 \u202Eplease\r";
  await using rig = await grantingRig(
    [...writes("a.txt"), { report: { status: "done", summary: words, need_files: [...evil, "helper.txt"] } }],
    { scope_requests: "ask" },
  );

  const run = await rig.stint(["run", "--yes"]);

  expectCode(run, 3);
  const status = await rig.stint(["status"]);
  const json = await rig.stint(["status", "--json"]);
  for (const { stdout, stderr } of [run, status, json]) {
    for (const char of "\u001b\u0007\u202e\u200b\r") expect(stdout + stderr).not.toContain(char);
    expect(stdout).toContain("u{202e}please");
  }
  expect(rig.events("question")).toMatchObject([{ files: ["helper.txt"] }]);
});

test("An agent that only asks, for another file each time, is free a few times; then a person is asked.", async () => {
  const asks: Move = {
    shell: `printf '{"status":"blocked","reason":"more","need_files":["more/%s.txt"]}' "$STINT_ATTEMPT" > "$STINT_OUTBOX/report.json"`,
  };
  await using rig = await grantingRig([asks]);

  expectCode(await rig.stint(["run", "--yes"]), 3);

  expect(rig.events("scope-decided")).toHaveLength(3);
  expect(rig.events("question")).toMatchObject([{ id: "01-a.4", files: ["more/4.txt"] }]);
});
