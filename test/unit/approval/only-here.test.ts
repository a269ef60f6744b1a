import { expect, test } from "vitest";
import { missedIn, onlyHereFinder } from "../../../src/approval/only-here.ts";
import { commandCheck } from "../../../src/approval/preconditions.ts";
import type { CheckEvidence } from "../../../src/engine/evidence.ts";
import type { Plan } from "../../../src/plan/types.ts";
import { write } from "../../rig/git.ts";
import { projectWith } from "../../rig/project.ts";

test.each([
  ["/bin/sh: 1: .: cannot open ./.env: No such file", "./.env"],
  ["grep: conf/app.yaml: No such file or directory", "conf/app.yaml"],
  ["Error: ENOENT: no such file or directory, open 'data/x.json'", "data/x.json"],
  ["FileNotFoundError: [Errno 2] No such file or directory: 'a.csv'.", "a.csv"],
])("what is missed is found in %j", (line, path) => {
  expect(missedIn(`one.txt is fine\n${line}\n`)).toContain(path);
  expect(missedIn(line)).not.toContain("one.txt");
});

test("a file that only the user's checkout has is named; not one that is committed, made by a task, elsewhere or a folder", async () => {
  const { project, root, commit } = await projectWith({ "in.txt": "", "sub/x": "" });
  write(root, { ".env": "", "made.txt": "", "sub/own": "", "folder/x": "" });
  const plan = { tasks: [{ files: { create: ["made.txt"], modify: [], delete: [] } }] } as unknown as Plan;
  const find = await onlyHereFinder(project, { commit, plan });
  const named = (path: string, state: CheckEvidence["state"] = "red", cwd = ".") => {
    const evidence = { label: "", state, why: "", tail: `cannot open ${path}: No such file`, durationMs: 1 };
    return find({ check: { ...commandCheck("x"), cwd }, evidence });
  };
  expect(named("./.env")).toBe(".env");
  expect(named(".env", "broken")).toBe(".env");
  expect(named("own", "red", "sub")).toBe("sub/own");
  expect(named(".env", "green")).toBeUndefined();
  for (const path of ["in.txt", "made.txt", "gone.txt", "folder", "own", "../work/.env", "/.env", ".git/config"])
    expect(named(path), path).toBeUndefined();
});
