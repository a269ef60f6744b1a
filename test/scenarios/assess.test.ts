import { readlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { makes } from "../rig/plan.ts";
import { createRig, type RigOptions } from "../rig/rig.ts";
import { assess, draftOf, errors, said, textIn } from "../rig/drafts.ts";

const files = { "src/a.txt": "a\n", "package.json": '{"scripts":{"build":"true"}}\n' };
const rigFor = (more: RigOptions = {}) => createRig({ ...more, files: { ...files, ...more.files } });

describe("a draft that could be a plan", () => {
  test("comes back as documents of its folder, with every check run, and nothing to fix", async () => {
    await using rig = await rigFor();
    const assessed = await assess(rig, { draft: draftOf({ tasks: { "01-a": makes("ready.txt") } }) });
    expect(errors(assessed)).toEqual([]);
    expect([...assessed.documents.keys()].toSorted()).toEqual([
      "plans/work/plan.md",
      "plans/work/scope.md",
      "plans/work/tasks/01-a.md",
    ]);
    expect(
      assessed.checked.map(({ owner, checked }) => [owner, checked.map(({ evidence }) => evidence.state)]),
    ).toEqual([["01-a", ["red"]]]);
    expect(assessed.plan?.tasks.map(({ id }) => id)).toEqual(["01-a"]);
    expect(rig.git("status", "--porcelain")).toBe("");
  });
});

describe("checks that cannot be what they should", () => {
  test("a check whose program is not there is impossible; one that asks for it first is not", async () => {
    await using rig = await rigFor();
    const bad = { "01-a": makes("ready.txt", { checks: ["frobnicate --all"] }) };
    const found = errors(await assess(rig, { draft: draftOf({ tasks: bad }) }));
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(
      /^tasks\/01-a\.md:9: error \(check\): impossible check: `frobnicate --all` is broken on the base, neither red nor green: command not found \(exit 127\)/,
    );
    expect(found[0]).toContain("`test -x bin/tool && bin/tool`");
    const good = { "01-a": makes("ready.txt", { checks: ["test -x bin/frobnicate && bin/frobnicate"] }) };
    expect(errors(await assess(rig, { draft: draftOf({ tasks: good }) }))).toEqual([]);
  });

  test("a check that does not end, and one in a folder that is not there, are impossible", async () => {
    await using rig = await rigFor();
    const checks = [{ run: "sleep 60", timeout: "1s" }, { run: "true", cwd: "nowhere" }, "test -e ready.txt"];
    const found = errors(await assess(rig, { draft: draftOf({ tasks: { "01-a": makes("ready.txt", { checks }) } }) }));
    expect(found.map((line) => line.replace(/^.*broken on the base, neither red nor green: /, ""))).toEqual([
      "did not end within 1 s. Raise the check's `timeout:`, or make the command end by itself.",
      "cwd nowhere is not a folder inside the checkout. Correct it in the check. If the task makes the folder, leave cwd out and write `cd nowhere && …`, which is red without it.",
    ]);
  });

  test("what is broken only until an earlier task is done is a warning", async () => {
    await using rig = await rigFor();
    const tasks = {
      "01-a": makes("tool/run.sh"),
      "02-b": makes("b.txt", { depends: ["01-a"], checks: [{ run: "grep ready b.txt", cwd: "tool" }] }),
    };
    const assessed = await assess(rig, { draft: draftOf({ tasks }) });
    expect(errors(assessed)).toEqual([]);
    expect(said(assessed).filter((line) => line.includes("impossible check"))[0]).toContain(
      "It is fine only if 01-a provides what it lacks.",
    );
  });

  test("checks that are all green before the work prove nothing; one red among them is enough", async () => {
    await using rig = await rigFor();
    const green = { "01-a": makes("ready.txt", { checks: ["true", { exists: "src/a.txt" }] }) };
    expect(errors(await assess(rig, { draft: draftOf({ tasks: green }) }))).toEqual([
      "tasks/01-a.md:8: error (check): proves nothing: green before the work (`true`, `exists: src/a.txt`). Make a check that is red now and green when the task is done.",
    ]);
    const red = { "01-a": makes("ready.txt", { checks: ["true", { exists: "ready.txt" }] }) };
    expect(errors(await assess(rig, { draft: draftOf({ tasks: red }) }))).toEqual([]);
  });

  test("a check marked red: false that alone is red shows nothing", async () => {
    await using rig = await rigFor();
    const checks = [{ run: "test -e ready.txt", red: false }, { run: "true" }];
    const found = errors(await assess(rig, { draft: draftOf({ tasks: { "01-a": makes("ready.txt", { checks }) } }) }));
    expect(found[0]).toContain("`test -e ready.txt` is marked `red: false` and is red on the base");
  });

  test("no check of a draft gets the network, not even one that asks for it", async () => {
    await using rig = await rigFor({ sandbox: "bwrap" });
    const probe = `test "$(readlink /proc/self/ns/net)" = "${readlinkSync("/proc/self/ns/net")}"`;
    const tasks = {
      "01-a": makes("ready.txt", { checks: [{ run: probe, network: true }, "grep -q ready ready.txt"] }),
    };
    const assessed = await assess(rig, { draft: draftOf({ tasks }) });
    expect(errors(assessed)).toEqual([]);
    expect(assessed.checked[0]?.checked[0]?.evidence.state).toBe("red");
    expect(said(assessed).find((line) => line.includes("needs network access"))).toContain("before a person approves");
    for (const [path, bytes] of assessed.documents) rig.write(path, Buffer.from(bytes).toString("utf8"));
    const asked = JSON.parse((await rig.stint(["check", "work", "--json"])).stdout) as { state: string }[];
    expect(asked.map(({ state }) => state)).toEqual(["green", "red"]);
  });

  test("a set-up that fails, and a rule that is red, are for a person and no errors of the draft", async () => {
    const draft = draftOf({ tasks: { "01-a": makes("ready.txt") } });
    await using failing = await rigFor({ config: { workspace: { setup: "echo no such mirror >&2; exit 3" } } });
    const assessed = await assess(failing, { draft });
    expect(errors(assessed)).toEqual([]);
    expect(
      said(assessed).filter((line) => line.startsWith(".stint/config.yaml:1: warning (check): set-up fails")),
    ).toHaveLength(1);
    await using red = await rigFor({ rules: { checks: ["test -e never"] } });
    expect(said(await assess(red, { draft })).find((line) => line.startsWith(".stint/rules.md"))).toContain(
      "warning (check): `test -e never` of the rules is red on the base already",
    );
  });
});

describe("a draft that lint refuses", () => {
  const refused = async (draft: Readonly<Record<string, string>>) => {
    await using rig = await rigFor();
    const assessed = await assess(rig, { draft });
    expect(assessed.checked).toEqual([]);
    return errors(assessed);
  };
  const good = draftOf({ tasks: { "01-a": makes("ready.txt") } });

  test("an invented path, an existing one that is to be created, and a test that nobody makes", async () => {
    const tasks = {
      "01-a": makes("x", { files: { modify: ["src/invented.ts"], create: ["src/a.txt"], delete: ["old.ts"] } }),
      "02-b": makes("b.txt", { checks: ["node --test src/b.test.js"] }),
      "03-c": makes("c.txt", { checks: ["npm run nope"] }),
    };
    const found = await refused(draftOf({ tasks }));
    expect(found).toEqual([
      expect.stringContaining(
        "tasks/01-a.md:6: error (lint): files.modify names src/invented.ts, which neither exists at HEAD",
      ),
      expect.stringContaining(
        "tasks/01-a.md:8: error (lint): files.create names src/a.txt, which already exists at HEAD",
      ),
      expect.stringContaining("tasks/01-a.md:10: error (lint): files.delete names old.ts"),
      expect.stringContaining(
        "tasks/02-b.md:9: error (lint): impossible check: `node --test src/b.test.js` runs src/b.test.js",
      ),
      expect.stringContaining('tasks/03-c.md:9: error (lint): package.json at HEAD has no script "nope".'),
    ]);
  });

  test("a test file that the task makes is no invention", async () => {
    await using rig = await rigFor();
    const task = { files: { create: ["src/b.test.js"] }, checks: ["node --test src/b.test.js"] };
    expect(errors(await assess(rig, { draft: draftOf({ tasks: { "01-a": task } }) }))).toEqual([]);
  });

  test("a cycle", async () => {
    const tasks = { "01-a": makes("a", { depends: ["02-b"] }), "02-b": makes("b", { depends: ["01-a"] }) };
    expect(await refused(draftOf({ tasks }))).toEqual([
      "tasks/01-a.md:4: error (lint): Tasks wait for each other: 01-a -> 02-b -> 01-a. Remove one of these dependencies.",
    ]);
  });

  test("no checks, no tasks, no scope, a scope without its headings", async () => {
    expect(await refused(draftOf({ tasks: { "01-a": makes("a", { checks: [] }) } }))).toEqual([
      expect.stringContaining("tasks/01-a.md:8: error (lint): the task has no checks"),
    ]);
    const { "tasks/01-a.md": _, ...without } = good;
    expect(await refused(without)).toContainEqual("plan.md:1: error (lint): the plan has no files tasks/<id>.md");
    const { "scope.md": __, ...noScope } = good;
    expect(await refused(noScope)).toEqual([
      "scope.md:1: error (lint): the plan has no scope.md; write one with the headings Understanding, Goals, Gaps",
    ]);
    expect(await refused({ ...good, "scope.md": "## Understanding\n\nx\n" })).toEqual([
      "scope.md:1: error (lint): scope.md lacks the headings Goals, Gaps",
    ]);
  });

  test("YAML that cannot be read, with its line", async () => {
    const found = await refused({ ...good, "tasks/01-a.md": "---\ntitle: a\nfiles: [\n---\n## Goal\nx\n" });
    expect(found[0]).toMatch(/^tasks\/01-a\.md:[34]: error \(lint\): YAML: /);
  });

  test("a box that is ticked before anything is done", async () => {
    const ticked = { ...good, "plan.md": good["plan.md"]!.replace("- [ ]", "- [x]") };
    await using rig = await rigFor();
    const assessed = await assess(rig, { draft: ticked });
    expect(errors(assessed)).toEqual([
      expect.stringMatching(/^plan\.md:\d+: error \(done\): the box of "01-a" is ticked, but it is not done/),
    ]);
    expect(textIn(assessed, "plan.md")).toBe(good["plan.md"]);
  });
});

test("a hundred problems are listed up to the bound, and the rest is counted", async () => {
  await using rig = await rigFor();
  const tasks = Object.fromEntries(
    Array.from({ length: 100 }, (_, at) => [`t${at}`, makes(`f${at}`, { files: { modify: [`gone-${at}`] } })]),
  );
  const found = said(await assess(rig, { draft: draftOf({ tasks }) }));
  expect(found).toHaveLength(61);
  expect(found.at(-1)).toMatch(/and \d+ more problems, 40 of them errors, not listed here\.$/);
});

describe("inputs and rules", () => {
  test("an input that a task names lints clean, one that no task names is reported, one under its inbox name is explained", async () => {
    await using rig = await rigFor();
    const inputs = { "inputs/login.png": "png", "inputs/notes/a.md": "a", "inputs/notes/b.md": "b" };
    const tasks = { "01-a": makes("a", { source_docs: ["plans/work/inputs/login.png"] }) };
    const found = errors(await assess(rig, { draft: draftOf({ tasks }), inputs }));
    expect(found).toEqual([
      "inputs/notes/a.md:1: error (inputs): no task names this input. Write plans/work/inputs/notes/a.md under source_docs of the task it is for, and the facts that task needs into its text.",
      expect.stringContaining("inputs/notes/b.md:1: error (inputs)"),
    ]);
    const all = { "01-a": makes("a", { source_docs: ["plans/work/inputs/login.png", "plans/work/inputs/notes/"] }) };
    expect(errors(await assess(rig, { draft: draftOf({ tasks: all }), inputs }))).toEqual([]);
    const inbox = { "01-a": makes("a", { source_docs: ["inputs/login.png"] }) };
    expect(errors(await assess(rig, { draft: draftOf({ tasks: inbox }), inputs }))).toContainEqual(
      expect.stringMatching(/^tasks\/01-a\.md:.*The input is plans\/work\/inputs\/login\.png in the repository\.$/),
    );
  });

  test("rules are kept as a proposal; what is wrong with them is a warning, and those in force are no proposal", async () => {
    await using rig = await rigFor({ rules: { max_changed_lines: 100 } });
    const draft = draftOf({ tasks: { "01-a": makes("a") } });
    const assessed = await assess(rig, { draft, rules: "---\nprotct: []\n---\n" });
    expect(textIn(assessed, "proposed-rules.md")).toBe("---\nprotct: []\n---\n");
    expect(errors(assessed)).toEqual([]);
    expect(said(assessed).filter((line) => line.startsWith("rules.md:2: warning (lint)"))).toHaveLength(1);
    const inForce = rig.git("show", "HEAD:.stint/rules.md") + "\n";
    const same = await assess(rig, { draft, rules: inForce });
    expect([same.rules, textIn(same, "proposed-rules.md")]).toEqual([null, undefined]);
  });

  test("a line of plan.md is reported as its planner wrote it, whatever was recorded above", async () => {
    await using rig = await rigFor();
    const good = draftOf({ tasks: { "01-a": makes("a") } });
    const draft = { ...good, "plan.md": good["plan.md"]!.replace("[01-a](tasks/01-a.md)", "[02-b](tasks/02-b.md)") };
    const line = draft["plan.md"].split("\n").findIndex((text) => text.includes("[02-b]")) + 1;
    const asked = { id: "fee", question: "How much?", options: [], recommend: null, answer: "1", assumed: false };
    const found = errors(await assess(rig, { draft, answered: [asked] }));
    expect(found).toContain(`plan.md:${line}: error (lint): no task file tasks/02-b.md exists for this line`);
  });

  test("decisions are recorded in the plan, and a contradiction is reported", async () => {
    await using rig = await rigFor();
    const decisions = [{ id: "fee", question: "How much?", answer: "2" }];
    const asked = { id: "fee", question: "How much?", options: ["1", "2"], recommend: "1" };
    const draft = draftOf({ tasks: { "01-a": makes("a") }, decisions });
    const assessed = await assess(rig, { draft, answered: [{ ...asked, answer: "1", assumed: false }] });
    expect(assessed.plan?.decisions.map(({ id, answer, assumed }) => [id, answer, assumed])).toEqual([
      ["fee", "1", false],
    ]);
    expect(errors(assessed)[0]).toContain('error (decisions): decision fee: a person answered "1"');
  });
});
