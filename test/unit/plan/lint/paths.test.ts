import { expect, test } from "vitest";
import { defaultRules } from "../../../../src/plan/rules.ts";
import { absent, contains, exists, lint, plan, run, task } from "../../../rig/lint.ts";

test("a bad path is found wherever a path may stand", () => {
  const bad = task("a", {
    files: { create: ["/etc/x"], modify: ["../x"], delete: ["src\\x"], touch: ["src/", ".git/config"] },
    sourceDocs: ["docs/guide/", "/tmp/spec.md"],
    checks: [exists("/x"), absent("../y"), contains("a\0"), run("../elsewhere"), run(""), run("."), run("./src/")],
  });
  expect(lint([bad])).toEqual([
    'plans/p/tasks/a.md:3:1: error: bad-path: files: "src/" ends with a slash; write src/** for everything inside.',
    'plans/p/tasks/a.md:3:2: error: bad-path: files: ".git/config" is inside .git, which no task may touch.',
    'plans/p/tasks/a.md:3:2: error: bad-path: source_docs: "/tmp/spec.md" is absolute; write it relative to the repo root.',
    'plans/p/tasks/a.md:4:1: error: bad-path: files.create: "/etc/x" is absolute; write it relative to the repo root.',
    'plans/p/tasks/a.md:4:1: error: bad-path: files.modify: "../x" leaves the repo; a plan may only name files inside it.',
    'plans/p/tasks/a.md:4:1: error: bad-path: files.delete: "src\\x" contains a backslash; separate folders with /.',
    'plans/p/tasks/a.md:9:3: error: bad-path: exists: "/x" is absolute; write it relative to the repo root.',
    'plans/p/tasks/a.md:9:3: error: bad-path: absent: "../y" leaves the repo; a plan may only name files inside it.',
    'plans/p/tasks/a.md:9:3: error: bad-path: contains: "a\0" contains a control character or line separator; remove it.',
    'plans/p/tasks/a.md:9:3: error: bad-path: cwd: "../elsewhere" leaves the repo; a plan may only name files inside it.',
  ]);
});

test("a bad path is found in the rules and in the checks of the plan", () => {
  const strict = { ...defaultRules, protect: ["/legacy/**", "legacy/**"], forbid: ["!src/**"], checks: [run("/")] };
  expect(lint([], { rules: strict, plan: plan([], [run("..")]) })).toEqual([
    '.stint/rules.md:1:1: error: bad-path: protect: "/legacy/**" is absolute; write it relative to the repo root.',
    '.stint/rules.md:1:1: error: bad-path: forbid: "!src/**" starts with !, which would mean everything else; list the files you mean.',
    '.stint/rules.md:9:3: error: bad-path: cwd: "/" is absolute; write it relative to the repo root.',
    'plans/p/plan.md:9:3: error: bad-path: cwd: ".." leaves the repo; a plan may only name files inside it.',
  ]);
});
