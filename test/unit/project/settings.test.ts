import { execFileSync } from "node:child_process";
import { symlinkSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { PlanFiles } from "../../../src/plan/types.ts";
import { projectLimits } from "../../../src/project/limits.ts";
import { readSettings, readUserFile, setupOrigin } from "../../../src/project/settings.ts";
import { tempDir, write } from "../../rig/git.ts";

/** The environment of a user who has these files in the home folder. */
function userWith(files: Record<string, string> = {}) {
  const home = tempDir();
  write(home, files);
  return { home, env: { HOME: home, PATH: "" } };
}

function projectFiles(config: string): PlanFiles {
  return new Map([[".stint/config.yaml", { bytes: Buffer.from(config) }]]);
}

test("flags override the project's settings, which override the user's, which override the built-in ones", () => {
  const { env } = userWith({ ".config/stint/config.yaml": "run: { parallel: 2, attempts: 7 }\nbudget: { usd: 1 }\n" });
  const project = projectFiles("run: { parallel: 3 }\nbudget: { usd: 2 }\n");
  const { config, problems } = readSettings({ env }, project, { budgetUsd: 4 });
  expect(problems).toEqual([]);
  expect([config.run.attempts, config.run.parallel, config.budget.usd]).toEqual([7, 3, 4]);
});

test("what is wrong in the user's own settings is said with the file", () => {
  const { env, home } = userWith({ ".config/stint/config.yaml": "run: { paralel: 2 }\n" });
  const [problem] = readSettings({ env }, new Map()).problems;
  expect(problem).toMatchObject({ file: join(home, ".config/stint/config.yaml"), line: 1, severity: "error" });
});

test("roles that no settings name go to the first agent whose program is on PATH", () => {
  const { env, home } = userWith({ "bin/codex": "#!/bin/sh\n" });
  execFileSync("chmod", ["+x", join(home, "bin/codex")]);
  const roleIn = (path: string) => readSettings({ env: { ...env, PATH: path } }, new Map()).config.roles.executor;
  expect(roleIn(join(home, "bin"))).toMatchObject({ agent: "codex" });
  expect(roleIn("")?.agent).not.toBe("codex");
});

test("the origin of set-up is the line that defines it, and the project's own file where none does", () => {
  const { env } = userWith();
  const file = ".stint/config.yaml";
  expect(setupOrigin({ env }, projectFiles("run: {}\nworkspace:\n  setup: npm ci\n"))).toMatchObject({
    file,
    at: { line: 3 },
  });
  expect(setupOrigin({ env }, new Map())).toEqual({ file, at: { line: 1, column: 1 } });
});

test("a file of the user's is read through links; a folder, a pipe and one that is too large are refused with the reason", () => {
  const { home } = userWith({ "real.md": "words", "large.md": "" });
  symlinkSync(join(home, "real.md"), join(home, "link.md"));
  truncateSync(join(home, "large.md"), projectLimits.userFileBytesMax + 1);
  execFileSync("mkfifo", [join(home, "pipe.md")]);
  expect(readUserFile(join(home, "link.md"))).toEqual({ bytes: Buffer.from("words") });
  expect(readUserFile(join(home, "absent.md"))).toBeUndefined();
  expect(readUserFile(join(home, "real.md/below.md"))).toBeUndefined();
  expect(readUserFile(home)).toEqual({ unreadable: "is not a regular file" });
  expect(readUserFile(join(home, "pipe.md"))).toEqual({ unreadable: "is not a regular file" });
  expect(readUserFile(join(home, "large.md"))).toMatchObject({
    unreadable: expect.stringContaining("1000001 bytes") as string,
  });
});
