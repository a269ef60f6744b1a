import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commitPaths, dirtyPaths } from "../../../src/git/user-commit.ts";
import { rig, sh, write } from "../../rig/git.ts";

test("exactly the given files are committed, by the user's own rules", async () => {
  const { user, repo } = await rig({ a: "a", "*": "star", b: "b" });
  sh(user, "config", "user.name", "Ann");
  sh(user, "config", "user.email", "ann@example.com");
  writeFileSync(join(user, ".git/hooks/pre-commit"), "#!/bin/sh\ntouch hook-ran\n");
  chmodSync(join(user, ".git/hooks/pre-commit"), 0o755);
  write(user, { a: "a2", "*": "star2", "plans/new.md": "n", b: "b2" });
  sh(user, "add", "b");
  expect(await dirtyPaths(repo, ["*", "plans"])).toEqual(["*", "plans/new.md"]);
  const made = await commitPaths(repo, ["*", "plans/new.md"], "Approve");
  expect(made).toEqual({ ok: true, value: sh(user, "rev-parse", "HEAD") });
  expect(sh(user, "show", "--name-only", "--format=%s")).toBe("Approve\n\n*\nplans/new.md");
  expect(sh(user, "diff", "--cached", "--name-only")).toBe("b");
  expect(existsSync(join(user, "hook-ran"))).toBe(true);
  writeFileSync(join(user, ".git/hooks/pre-commit"), "#!/bin/sh\necho no >&2; exit 1\n");
  const refused = await commitPaths(repo, ["a"], "No");
  expect(!refused.ok && refused.failure.message).toBe("git commit failed: no");
});
