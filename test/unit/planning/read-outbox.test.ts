import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { redactor } from "../../../src/base/redact.ts";
import { readOutbox } from "../../../src/planning/read-outbox.ts";
import { planLimits } from "../../../src/plan/limits.ts";
import { planningLimits } from "../../../src/planning/limits.ts";

const noSecrets = redactor([]);

/** An outbox with these files, for as long as the test takes. */
function outboxWith(
  files: Record<string, string>,
): Disposable & { readonly dir: string; readonly path: (name: string) => string } {
  const root = mkdtempSync(join(tmpdir(), "stint-left-"));
  const dir = join(root, "outbox");
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
  return { dir, path: (name) => join(dir, name), [Symbol.dispose]: () => rmSync(root, { recursive: true }) };
}

test("an honest outbox is read whole", async () => {
  using outbox = outboxWith({
    "plan.md": "p",
    "scope.md": "s",
    "tasks/01-a.md": "a",
    "rules.md": "r",
    "questions.json": `[{"id":"a","question":"b?"}]`,
    "findings.json": "[]",
    "notes.txt": "not read",
  });
  const left = await readOutbox(outbox.dir, noSecrets);
  expect([...left.draft].map(([name, bytes]) => [name, Buffer.from(bytes).toString()])).toEqual([
    ["plan.md", "p"],
    ["scope.md", "s"],
    ["tasks/01-a.md", "a"],
  ]);
  expect(Buffer.from(left.rules ?? []).toString()).toBe("r");
  expect(left).toMatchObject({ questions: [{ id: "a" }], findings: [], problems: [] });
});

test("links, pipes and folders in the place of documents are refused, each with its name, and nothing waits for them", async () => {
  using outbox = outboxWith({ "tasks/01-a.md": "a", "scope.md/x": "x", "../secret": "secret" });
  symlinkSync("../secret", outbox.path("plan.md"));
  symlinkSync("../../secret", outbox.path("tasks/02-b.md"));
  execFileSync("mkfifo", [outbox.path("rules.md"), outbox.path("questions.json"), outbox.path("tasks/03-c.md")]);
  const { draft, rules, questions, problems } = await readOutbox(outbox.dir, noSecrets);
  expect([[...draft.keys()], rules, questions]).toEqual([["tasks/01-a.md"], null, []]);
  expect(problems.map((line) => line.split(":")[0]).toSorted()).toEqual(
    ["plan.md", "questions.json", "rules.md", "scope.md", "tasks/02-b.md", "tasks/03-c.md"].toSorted(),
  );
});

test("a link in the place of the folder of tasks is refused", async () => {
  using outbox = outboxWith({ "plan.md": "p", "../elsewhere/01-a.md": "a" });
  symlinkSync("../elsewhere", outbox.path("tasks"));
  const { draft, problems } = await readOutbox(outbox.dir, noSecrets);
  expect([[...draft.keys()], problems]).toEqual([["plan.md"], ["tasks: is not a folder"]]);
});

test("names that are none of a task, and files that are too large, are refused with a line for each", async () => {
  const huge = "x".repeat(planLimits.planFileBytesMax + 1);
  using outbox = outboxWith({
    "plan.md": huge,
    "tasks/CON.md": "",
    "tasks/-x.md": "",
    "tasks/a b.md": "",
    "tasks/a.txt": "",
    "tasks/ok.md": "",
  });
  const { draft, problems } = await readOutbox(outbox.dir, noSecrets);
  expect([...draft.keys()]).toEqual(["tasks/ok.md"]);
  expect(problems).toHaveLength(5);
  expect(problems.at(-1)).toBe(`plan.md: larger than ${planLimits.planFileBytesMax} bytes`);
});

test("a draft of too many files or bytes is cut, and that is a problem", async () => {
  const page = "x".repeat(900_000);
  using large = outboxWith(Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`tasks/t${at}.md`, page])));
  const cut = await readOutbox(large.dir, noSecrets);
  expect(cut.draft.size).toBe(Math.floor(planningLimits.draftBytesMax / page.length));
  expect(cut.problems).toEqual([expect.stringContaining(`more than ${planningLimits.draftBytesMax} bytes`)]);
  using many = outboxWith(
    Object.fromEntries(Array.from({ length: planningLimits.draftFilesMax + 1 }, (_, at) => [`tasks/t${at}.md`, ""])),
  );
  const read = await readOutbox(many.dir, noSecrets);
  expect([read.draft.size, read.problems.length]).toEqual([planningLimits.draftFilesMax, 1]);
});

test("an outbox that is gone, or is a link, has nothing", async () => {
  using outbox = outboxWith({ "plan.md": "p", "tasks/a.md": "a" });
  symlinkSync("outbox", join(dirname(outbox.dir), "link"));
  expect((await readOutbox(join(dirname(outbox.dir), "link"), noSecrets)).draft.size).toBe(0);
  expect(await readOutbox(outbox.path("nowhere"), noSecrets)).toMatchObject({
    questions: [],
    findings: null,
    problems: [],
  });
});
