import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { Page } from "../../src/cli/approval-page/model.ts";
import { makes, plan } from "../rig/plan.ts";
import { createRig, type Rig } from "../rig/rig.ts";

const picture = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(3_000_000, 7)]);
const named = makes("ready.txt", { source_docs: ["plans/work/inputs/login.png", "plans/work/inputs/notes/"] });

function put(rig: Rig, path: string, bytes: string | Buffer): void {
  mkdirSync(dirname(join(rig.repo, path)), { recursive: true });
  writeFileSync(join(rig.repo, path), bytes);
}

async function pageIn(rig: Rig): Promise<Page> {
  const { stdout } = await rig.stint(["approve", "work", "--yes", "--json"]);
  return JSON.parse(stdout) as Page;
}

test("Inputs of a plan may be large and no text: they lint clean, are approved by their bytes, and reach the executor.", async () => {
  await using rig = await createRig();
  for (const [path, text] of Object.entries(plan({ tasks: { "01-a": named } }))) put(rig, path, text);
  put(rig, "plans/work/inputs/login.png", picture);
  put(rig, "plans/work/inputs/notes/a.md", "see the picture\n");
  const linted = await rig.stint(["lint", "work"]);
  expect([linted.code, linted.stdout]).toEqual([0, expect.not.stringContaining("inputs")]);
  const approved = await rig.stint(["approve", "work", "--yes"]);
  expect(approved.code).toBe(0);
  expect(approved.stdout).toContain(
    "Inputs (given with the goal, approved as they are):\n  plans/work/inputs/login.png (3000008 bytes)\n  plans/work/inputs/notes/a.md (16 bytes)\n",
  );
  expect((await pageIn(rig)).inputs).toEqual([
    { path: "plans/work/inputs/login.png", bytes: 3_000_008 },
    { path: "plans/work/inputs/notes/a.md", bytes: 16 },
  ]);
  rig.moves({
    "01-a": [{ shell: `cp -r "$STINT_INBOX/inputs" '${rig.outside}'` }, { write: "ready.txt", text: "ready\n" }],
  });
  expect((await rig.stint(["run", "work"])).code).toBe(0);
  expect(readFileSync(join(rig.outside, "inputs/plans/work/inputs/login.png")).equals(picture)).toBe(true);
});

test("An input that changed is approved no more, and one that is too large is refused.", async () => {
  await using rig = await createRig();
  for (const [path, text] of Object.entries(plan({ tasks: { "01-a": named } }))) put(rig, path, text);
  put(rig, "plans/work/inputs/login.png", picture);
  put(rig, "plans/work/inputs/notes/a.md", "see the picture\n");
  await rig.stint(["approve", "work", "--yes"]);
  put(rig, "plans/work/inputs/login.png", Buffer.concat([picture, Buffer.from("!")]));
  rig.commit("Another picture");
  const refused = await rig.stint(["run", "work"]);
  expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining("was changed after it was approved")]);
  put(rig, "plans/work/inputs/login.png", Buffer.alloc(10_000_001));
  const linted = await rig.stint(["lint", "work"]);
  expect([linted.code, linted.stdout]).toEqual([
    2,
    expect.stringContaining("plans/work/inputs/login.png:1:1: error: is too large: 10000001 bytes"),
  ]);
});

test("Proposed rules are shown against those in force, which stay in force until a person takes them over.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("ready.txt") } },
    rules: { max_changed_lines: 100 },
  });
  const inForce = readFileSync(join(rig.repo, ".stint/rules.md"), "utf8");
  put(rig, "plans/work/proposed-rules.md", inForce.replace("100", "5") + "Be brief.\u001b[31m\n");
  const { stdout } = await rig.stint(["approve", "work", "--yes"]);
  expect(stdout).toContain("Proposed rules, not in effect (approving does not change .stint/rules.md):\n");
  expect(stdout).toContain("  -max_changed_lines: 100\n  +max_changed_lines: 5\n");
  expect(stdout).toContain("  +Be brief.\\u{1b}[31m\n");
  expect(stdout).toContain("  To adopt them: cp plans/work/proposed-rules.md .stint/rules.md\n");
  const page = await pageIn(rig);
  expect(page.proposed_rules).toMatchObject({
    file: "plans/work/proposed-rules.md",
    take_over: "cp plans/work/proposed-rules.md .stint/rules.md",
  });
  rig.moves({ "01-a": [{ write: "ready.txt", text: "ready\n".repeat(50) }] });
  expect((await rig.stint(["run", "work"])).code).toBe(0);
  copyFileSync(join(rig.repo, "plans/work/proposed-rules.md"), join(rig.repo, ".stint/rules.md"));
  expect((await pageIn(rig)).proposed_rules).toBeNull();
});

test("Proposed rules of a repository without rules are shown whole, and what is wrong with them stops nothing.", async () => {
  await using rig = await createRig({ plan: { tasks: { "01-a": makes("ready.txt") } } });
  rig.git("rm", "-q", "--ignore-unmatch", ".stint/rules.md");
  put(rig, "plans/work/proposed-rules.md", "---\nprotct: [a]\n---\nBe brief.\n");
  rig.commit("Without rules");
  const linted = await rig.stint(["lint", "work"]);
  expect([linted.code, linted.stdout]).toEqual([
    0,
    expect.stringContaining("plans/work/proposed-rules.md:2:1: warning: "),
  ]);
  expect((await pageIn(rig)).proposed_rules?.difference).toEqual(["+---", "+protct: [a]", "+---", "+Be brief."]);
});
