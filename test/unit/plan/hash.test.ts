import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { approvalHash } from "../../../src/plan/hash.ts";
import type { PlanFile } from "../../../src/plan/types.ts";

const file = (text: string): PlanFile => ({ bytes: new TextEncoder().encode(text) });
const plan = "---\ntitle: T\n---\n## Tasks\n- [x] [a](tasks/a.md) A\n";

const files = new Map<string, PlanFile>([
  ["plans/p/tasks/a.md", file("---\ntitle: A\n---\n")],
  ["plans/p/plan.md", file(plan)],
  ["plans/p-other/plan.md", file("not ours")],
  [".stint/rules.md", file("---\n---\nBe kind.\n")],
  ["src/index.ts", file("not ours")],
]);

test("the hash can be recomputed from its description", () => {
  const hash = createHash("sha256");
  for (const [path, text] of [
    [".stint/rules.md", "---\n---\nBe kind.\n"],
    ["plans/p/plan.md", plan.replace("[x]", "[ ]")],
    ["plans/p/tasks/a.md", "---\ntitle: A\n---\n"],
  ]) {
    hash.update(`${path}\0${text?.length}\0${text}`);
  }
  expect(approvalHash(files, "p")).toBe(hash.digest("hex"));
});

test("paths are ordered by their bytes, not by their UTF-16 units, whatever order they were found in", () => {
  const inOrder = ["Z", "z", "\uFF21", "\u{1F600}"].map((name) => `plans/p/${name}`);
  const hash = createHash("sha256");
  for (const path of inOrder) hash.update(`${path}\x001\0x`);
  expect(approvalHash(new Map(inOrder.toReversed().map((path) => [path, file("x")])), "p")).toBe(hash.digest("hex"));
});

test("one byte anywhere, a renamed file and a new file change the hash", () => {
  const before = approvalHash(files, "p");
  const variants: [string, PlanFile][] = [
    ["plans/p/plan.md", file(plan.replace("T\n", "t\n"))],
    ["plans/p/plan.md", file(plan.replace("\n", "\r\n"))],
    ["plans/p/plan.md", file(plan.replace("[x]", "[X]"))],
    ["plans/p/tasks/a.md", file("---\ntitle: A\n--- \n")],
    [".stint/config.yaml", file("")],
    ["plans/p/notes.txt", file("")],
    ["plans/p/plan.md", { unreadable: "is a FIFO, not a file" }],
  ];
  const hashes = variants.map(([path, changed]) => approvalHash(new Map([...files, [path, changed]]), "p"));
  expect(new Set([before, ...hashes]).size).toBe(variants.length + 1);
});

test("the executable bit counts, and a plan without such files hashes as if there were no bit", () => {
  const script = (more: { readonly executable?: true }) =>
    approvalHash(new Map([["plans/p/run.sh", { bytes: new TextEncoder().encode("exit"), ...more }]]), "p");
  const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
  expect(script({})).toBe(sha256("plans/p/run.sh\x004\0exit"));
  expect(script({ executable: true })).toBe(sha256("plans/p/run.sh\0executable\x004\0exit"));
});

test("files of other plans and of the project do not count", () => {
  const without = new Map([...files].filter(([path]) => !path.startsWith("src/") && !path.includes("other")));
  expect(approvalHash(without, "p")).toBe(approvalHash(files, "p"));
});

test("settings for agents count where they are honoured, in the order of all paths", () => {
  const honoured = new Map<string, PlanFile>([
    [".mcp.json", file("{}")],
    [".claude", { unreadable: "is a symlink, not a file" }],
  ]);
  const own = new Map<string, PlanFile>([["plans/p/plan.md", file("x")]]);
  const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
  const [link, servers] = [".claude\0unreadable\0is a symlink, not a file", ".mcp.json\x002\0{}"];
  expect(approvalHash(own, "p", honoured)).toBe(sha256(`${link}${servers}plans/p/plan.md\x001\0x`));
  expect(approvalHash(own, "p")).toBe(sha256("plans/p/plan.md\x001\0x"));
});
