import * as fc from "fast-check";
import { expect, test } from "vitest";
import { lintPlan } from "../../../src/plan/lint/lint.ts";
import { parsePlan } from "../../../src/plan/parse.ts";
import { isId } from "../../../src/plan/ids.ts";
import { isQuickPlan, quickPlan, type QuickPlan, type QuickRequest } from "../../../src/plan/quick-plan.ts";
import { allows, refusal } from "../../../src/plan/protected.ts";

const headFiles = new Set(["README.md", "src/a.ts", "src/deep/b.ts", "src/a.test.ts"]);

function request(more: Partial<QuickRequest> = {}): QuickRequest {
  const head = { commit: "1".repeat(40), files: headFiles };
  return { goal: "Add a greeting", checks: ["npm test"], files: [], head, ...more };
}

function made(more: Partial<QuickRequest> = {}): QuickPlan {
  const quick = quickPlan(request(more));
  if (!quick.ok) throw new Error(quick.failure.message);
  return quick.value;
}

/** What a run would read from the commit, and everything lint has to say about it. */
function read({ name, files }: QuickPlan) {
  const bytes = new Map([...files].map(([path, text]) => [path, { bytes: new TextEncoder().encode(text) }]));
  const { plan, rules, problems } = parsePlan(bytes, name);
  if (plan === undefined) return { plan, task: undefined, problems };
  const linted = lintPlan({ plan, rules, repoFiles: new Set([...headFiles, ...files.keys()]) });
  return { plan, task: plan.tasks[0], problems: [...problems, ...linted] };
}

function refused(more: Partial<QuickRequest>): string {
  const quick = quickPlan(request(more));
  return quick.ok ? "not refused" : quick.failure.message;
}

/** Pieces that YAML, markdown and terminals care about, so that chance finds more than letters. */
const words = fc
  .array(
    fc.oneof(
      fc.constantFrom("---\n", "## Tasks\n", "## Goal\n", "- [ ] [a](tasks/a.md)\n", "```\n", "<!--", "~~~", "<pre>"),
      fc.constantFrom(
        "'",
        '"',
        "\\",
        ": ",
        "#",
        "&a *a",
        "%",
        "{{task}}",
        "\r\n",
        "\t",
        "\u001b[31m",
        "\u007f",
        "\u0085",
      ),
      fc.constantFrom(
        "\u2028",
        "\uFEFF",
        "\u202e",
        "\u200c",
        "\u00a0",
        "日本語",
        "é",
        "🙂",
        "- ",
        "..",
        "\0",
        "\u{e0001}",
      ),
      fc.string({ unit: "binary", maxLength: 6 }),
      fc.string({ unit: "grapheme", maxLength: 20 }),
    ),
    { maxLength: 20 },
  )
  .map((pieces) => pieces.join(""));

const goals = words.filter((text) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(text));
const commands = words.filter((text) => text.trim() !== "" && !text.includes("\0"));

test("Any goal and any check come out of the plan's documents as they were typed, and lint has nothing to say.", () => {
  fc.assert(
    fc.property(goals, fc.array(commands, { minLength: 1, maxLength: 3 }), (goal, checks) => {
      const quick = made({ goal, checks });
      const { plan, task, problems } = read(quick);
      expect(problems).toEqual([]);
      expect(plan?.goal).toBe(goal.replaceAll("\0", ""));
      expect(task?.checks).toMatchObject(checks.map((run) => ({ kind: "run", run, red: true })));
      expect(plan?.taskLines).toMatchObject([{ id: "do", ticked: false }]);
      expect(task?.title).not.toMatch(/[\r\n\p{Cc}]/u);
      expect(isId(quick.name) && isQuickPlan(quick.name)).toBe(true);
    }),
    { numRuns: 200 },
  );
});

test.each([
  ["a long text", "x y ".repeat(2_560)],
  ["a leading dash", "-rf is not an option here"],
  ["only punctuation", "?!"],
  ["another script", "挨拶を追加する"],
  ["what ends front matter", "---\n---\n"],
  ["a heading with a task line", "## Tasks\n- [x] [do](tasks/do.md) done already"],
])("%s is a goal like any other", (_, goal) => {
  const { plan, task, problems } = read(made({ goal }));
  expect(problems).toEqual([]);
  expect(plan?.goal).toBe(goal);
  expect(task?.title.length).toBeLessThanOrEqual(72);
});

test("The task's text holds the goal as a quotation, so that none of it reads as a heading of ours.", () => {
  const { task } = read(made({ goal: "Add it\n## Out of scope\nnothing" }));
  expect(task?.sections).toEqual({ Goal: "> Add it\n> ## Out of scope\n> nothing" });
});

test("The name tells the goal, and changes with the goal, the checks, the files and HEAD, not with the order of files.", () => {
  const { name } = made();
  expect(name).toMatch(/^do-add-a-greeting-[0-9a-f]{8}$/);
  expect(made().name).toBe(name);
  const others = [
    made({ goal: "Add a greeting!" }),
    made({ checks: ["npm test", "npm run lint"] }),
    made({ files: ["src/**"] }),
    made({ head: { commit: "2".repeat(40), files: headFiles } }),
  ];
  expect(new Set([name, ...others.map((other) => other.name)]).size).toBe(5);
  expect(made({ files: ["b.ts", "a.ts", "./b.ts"] }).name).toBe(made({ files: ["a.ts", "b.ts"] }).name);
  expect(made({ goal: "挨拶" }).name).toMatch(/^do-[0-9a-f]{8}$/);
  expect(isQuickPlan("do-the-dishes")).toBe(false);
});

test("Without files the task may make, change and delete everything but what is protected or forbidden.", () => {
  const files = read(made()).task?.files ?? { create: [], modify: [], delete: [], touch: [] };
  const rules = { protect: [], forbid: [] };
  expect(refusal(files, { status: "A", path: "new/x.ts" }, rules)).toBeUndefined();
  expect(refusal(files, { status: "M", path: "src/a.ts" }, rules)).toBeUndefined();
  expect(refusal(files, { status: "D", path: "README.md" }, rules)).toBeUndefined();
  expect(refusal(files, { status: "M", path: "src/a.test.ts" }, rules)).toBe("protected");
  expect(refusal(files, { status: "D", path: "src/a.test.ts" }, rules)).toBe("protected");
  expect(refusal(files, { status: "M", path: "package-lock.json" }, rules)).toBe("protected");
  expect(refusal(files, { status: "A", path: ".env" }, rules)).toBe("forbidden");
});

test("Files are what the task may make, change or delete, whether they exist or not, and name what is protected.", () => {
  const { task, problems } = read(made({ files: ["src/a.test.ts", "src/new.ts", "lib/**", "src/**"] }));
  expect(problems).toEqual([]);
  expect(task?.files).toEqual({
    create: ["lib/**", "src/**", "src/new.ts"],
    modify: ["src/**", "src/a.test.ts"],
    delete: ["src/**", "src/a.test.ts"],
    touch: [],
  });
  const files = task?.files ?? { create: [], modify: [], delete: [], touch: [] };
  expect(refusal(files, { status: "M", path: "src/a.test.ts" }, { protect: [], forbid: [] })).toBeUndefined();
  expect(allows(files, "M", "README.md")).toBe(false);
});

test("What cannot be a request is refused in one sentence that names the word to change.", () => {
  for (const goal of ["", " \n\t", "\u200b\u202e"]) expect(refused({ goal })).toContain("the goal is empty");
  expect(refused({ checks: [] })).toContain("no --check");
  expect(refused({ checks: ["npm test", " "] })).toContain("a --check is empty");
  expect(refused({ files: ["../x"] })).toBe('--files "../x" leaves the repo; a plan may only name files inside it');
  expect(refused({ files: ["/etc/passwd"] })).toContain('--files "/etc/passwd" is absolute');
  expect(refused({ files: [""] })).toContain('--files "" is empty');
  expect(refused({ files: ["src/"] })).toBe('--files "src/" ends with a slash; write src/** for everything inside');
  expect(refused({ files: ["src/deep"] })).toBe(
    "--files src/deep is a folder; write 'src/deep/**' for everything inside",
  );
  expect(refused({ files: ["!src/**"] })).toContain("starts with !");
  expect(refused({ files: ["a\u0007"] })).toBe(
    '--files "a\\u0007" contains a control character or line separator; remove it',
  );
});

test("what defines commands is not among everything, unless there is nothing yet that does", () => {
  const rules = { protect: [], forbid: [] };
  const fileOf = (files: readonly string[]) => {
    const { task } = read(made({ head: { commit: "1".repeat(40), files: new Set(files) } }));
    if (task === undefined) throw new Error("The test's plan is wrong");
    return refusal(task.files, { status: "A", path: "package.json" }, rules);
  };
  expect(fileOf(["README.md"])).toBeUndefined();
  expect(fileOf(["README.md", "pkg/Makefile"])).toBe("protected");
});
