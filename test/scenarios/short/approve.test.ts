import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commitsOf, expectCode } from "../../rig/facts.ts";
import { writes } from "../../rig/moves.ts";
import { makes } from "../../rig/plan.ts";
import { createRig, type Rig } from "../../rig/rig.ts";

function edit(rig: Rig, path: string, from: string, to: string): void {
  const text = readFileSync(join(rig.repo, path), "utf8");
  expect(text).toContain(from);
  rig.write(path, text.replace(from, to));
  rig.commit(`Edit ${path}`);
}

test("A plan that nobody approved is not run: 3, and no run exists. An approval shows every command that would run, and then it runs, its boxes ticked or not.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: { "01-a": writes("a.txt") },
  });

  const tooSoon = await rig.stint(["run"]);
  expectCode(tooSoon, 3);
  expect(tooSoon.stderr).toContain("stint approve");
  expect(rig.journal()).toEqual([]);

  const approve = await rig.stint(["approve", "--yes"]);
  expectCode(approve, 0);
  expect(approve.stdout).toContain("grep -q ready a.txt");

  edit(rig, "plans/work/plan.md", "- [ ]", "- [x]");
  expectCode(await rig.stint(["run"]), 0);
  expect(commitsOf(rig)).toEqual(["01-a"]);
});

test("One changed byte of a command, or of a check of the rules, voids the approval: 3, with the difference. --yes approves what lint accepts.", async () => {
  await using rig = await createRig({
    rules: { checks: ["test -e README.md"] },
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: { "01-a": writes("a.txt") },
  });
  await rig.stint(["approve", "--yes"]);

  edit(rig, "plans/work/tasks/01-a.md", "grep -q ready a.txt", "grep -q r.ady a.txt");
  const changed = await rig.stint(["run"]);
  expectCode(changed, 3);
  const said = `${changed.stdout}${changed.stderr}`;
  expect(said).toMatch(/^-.*grep -q ready a\.txt$/m);
  expect(said).toMatch(/^\+.*grep -q r\.ady a\.txt$/m);

  rig.git("revert", "--no-edit", "HEAD");
  edit(rig, ".stint/rules.md", "test -e README.md", "test -f README.md");
  expectCode(await rig.stint(["run"]), 3);
  expect(rig.journal()).toEqual([]);

  expectCode(await rig.stint(["run", "--yes"]), 0);
  expect(rig.events("plan-approved")).toHaveLength(1);
});

test("An unanswered decision cannot be approved: 3.", async () => {
  await using rig = await createRig({
    plan: {
      tasks: { "01-a": makes("a.txt") },
      decisions: [{ id: "colour", question: "Which colour?", options: ["red", "blue"], recommend: "red" }],
    },
  });

  const approve = await rig.stint(["approve", "--yes"]);

  expectCode(approve, 3);
  expect(approve.stderr).toBe(
    [
      "stint: decisions are still open. Write an `answer` for each, then approve again:",
      "  plans/work/plan.md:6: colour: Which colour?",
      "    options: red, blue",
      "    recommended: `answer: red`\n",
    ].join("\n"),
  );
  expectCode(await rig.stint(["run"]), 3);
});

test("Characters that hide or reorder text are made visible in what is approved.", async () => {
  const hidden = "grep -q ready a.txt # \u202Eevil\u200B\u001B[2K";
  await using rig = await createRig({ plan: { tasks: { "01-a": makes("a.txt", { checks: [hidden] }) } } });

  const approve = await rig.stint(["approve", "--yes"]);

  // eslint-disable-next-line no-control-regex -- these characters are what must not come through.
  expect(approve.stdout).not.toMatch(/[\u202E\u200B\u001B]/);
  expect(approve.stdout).toContain("evil");
});

test("Without a terminal, approve shows the page and needs --yes: 3, and nothing is committed or recorded.", async () => {
  await using rig = await createRig({ plan: { tasks: { "01-a": makes("a.txt") } } });
  const says =
    "stint: not approved: nobody could read the page on a terminal and answer. Read the page, then approve it with";

  const clean = await rig.stint(["approve"]);
  rig.write("plans/work/notes.md", "a note\n");
  edit(rig, "plans/work/plan.md", "goal: Show one behaviour", "goal: Show another behaviour");
  rig.git("reset", "--quiet", "HEAD~1");
  const before = rig.fingerprint();
  const dirty = await rig.stint(["approve"]);

  expectCode(clean, 3);
  expect(clean.stdout).toContain("grep -q ready a.txt");
  expect(clean.stderr).toBe(`${says} \`stint approve work --yes\`.\n`);
  expectCode(dirty, 3);
  expect(dirty.stdout).toContain("Show another behaviour");
  expect(dirty.stderr).toBe(
    `${says} \`stint approve work --yes\`, which commits what is not committed yet:\n  plans/work/plan.md\n  plans/work/notes.md\n`,
  );
  expect(rig.fingerprint()).toEqual(before);
  expectCode(await rig.stint(["run"]), 3);
  expect(rig.journal()).toEqual([]);
  expectCode(await rig.stint(["approve", "--yes"]), 0);
  expect(rig.git("log", "-1", "--format=%s")).toBe("Plan work");
});

test("As data, the page is one line on standard output, and says so the next time that it is approved.", async () => {
  await using rig = await createRig({ plan: { tasks: { "01-a": makes("a.txt") } } });
  const read = (text: string) => JSON.parse(text) as Record<string, unknown>;

  const first = await rig.stint(["approve", "--json", "--yes"]);

  expectCode(first, 0);
  const page = read(first.stdout);
  expect(first.stdout.trimEnd()).not.toContain("\n");
  expect(page).toMatchObject({ plan: "work", approved: null, difference: [], waves: [["01-a"]], branch: "stint/work" });
  expect(page["commands"]).toContainEqual({ by: "task", of: "01-a", command: "grep -q ready a.txt" });
  expect(first.stderr).toBe(`Approved work at ${String(page["hash"]).slice(0, 12)}. Run it with \`stint run work\`.\n`);
  const again = read((await rig.stint(["approve", "--json", "--yes"])).stdout);
  expect(again["approved"]).toMatchObject({ hash: page["hash"], current: true });
  edit(rig, "plans/work/tasks/01-a.md", "grep -q ready a.txt", "grep -q r.ady a.txt");
  const changed = read((await rig.stint(["approve", "--json", "--yes"])).stdout);
  expect(changed["approved"]).toMatchObject({ hash: page["hash"], current: false });
  expect(changed["difference"]).toContain("+  - grep -q r.ady a.txt");
});

test("A dry run shows the same page, with the lanes and the cap of its own command line.", async () => {
  await using rig = await createRig({ plan: { tasks: { "01-a": makes("a.txt") } } });

  const dry = await rig.stint(["run", "--dry-run", "--parallel", "3", "--budget-usd", "7"]);

  expectCode(dry, 0);
  expect(dry.stdout).toContain("\n│ time:     about 15m with 3 in parallel (critical path 15m, total work 15m)\n");
  expect(dry.stdout).toContain("\n│ cap:      7.00 USD\n");
  const json = await rig.stint(["run", "--dry-run", "--json"]);
  expectCode(json, 0);
  expect(json.stdout).toBe((await rig.stint(["approve", "--json"])).stdout);
  expect(json.stderr).toBe("Dry run: nothing was done. Plan work at HEAD is not approved.\n");
});
