import { chmodSync, existsSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commitPaths, dirtyPaths, ignoreRules, previewCommit } from "../../../src/git/user-commit.ts";
import { bytesOf, commitAll, rig, sh, write } from "../../rig/git.ts";

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
  expect(!refused.ok && refused.failure.message).toBe(
    "git commit failed: no. Fix that, or commit the files yourself; then try again.",
  );
});

test("a file that git ignores is known with the rule, but not one that is tracked or taken out again", async () => {
  const { user, repo } = await rig({ ".gitignore": "*.md\n!kept.md\n" });
  write(user, { "a.md": "a", "kept.md": "k", "b.txt": "b", "d/tracked.md": "t" });
  sh(user, "add", "-f", "d/tracked.md");
  const asked = ["a.md", "kept.md", "b.txt", "d/tracked.md"];
  expect(await ignoreRules(repo, asked)).toEqual(new Map([["a.md", ".gitignore:1: *.md"]]));
  expect(await ignoreRules(repo, [])).toEqual(new Map());
});

test("a preview has what the commit would have, and changes neither the index nor HEAD nor the checkout", async () => {
  const { user, repo } = await rig({ a: "a", gone: "g", removed: "r", b: "b" });
  sh(user, "config", "user.name", "Ann");
  sh(user, "config", "user.email", "ann@example.com");
  write(user, { a: "a2", new: "n", b: "b2", dropped: "d" });
  sh(user, "add", "b", "dropped");
  for (const path of ["gone", "dropped"]) rmSync(join(user, path));
  sh(user, "rm", "-q", "removed");
  const paths = await dirtyPaths(repo, ["a", "gone", "new", "removed", "dropped"]);
  expect(paths).toEqual(["a", "gone", "removed", "new"]);
  const before = bytesOf(user, [".git/objects"]);

  const preview = await previewCommit(repo, paths);

  expect(bytesOf(user, [".git/objects"])).toEqual(before);
  expect(await commitPaths(repo, paths, "Plan")).toHaveProperty("ok", true);
  expect(sh(user, "show", "--name-status", "--format=")).toBe("M\ta\nD\tgone\nA\tnew\nD\tremoved");
  expect(preview.ok && sh(user, "rev-parse", `${preview.value}^{tree}`)).toBe(sh(user, "rev-parse", "HEAD^{tree}"));
  write(user, { "folder/x": "x" });
  expect(await previewCommit(repo, ["folder"])).toMatchObject({ ok: false, failure: { reason: "commit-failed" } });
});

test("a preview leaves the rest of HEAD as it is: other folders, modes, links, submodules, attributes", async () => {
  const { user, repo } = await rig({
    "plans/p.md": "p",
    "plans/q/a": "a",
    "src/x": "x",
    "src/y/z": "z",
    "run.sh": "r",
  });
  sh(user, "config", "user.name", "Ann");
  sh(user, "config", "user.email", "ann@example.com");
  write(user, { ".gitattributes": "*.md text eol=lf\n" });
  symlinkSync("src/x", join(user, "link"));
  chmodSync(join(user, "run.sh"), 0o755);
  sh(user, "add", "-A");
  sh(user, "update-index", "--add", "--cacheinfo", `160000,${sh(user, "rev-parse", "HEAD")},module`);
  sh(user, "commit", "-q", "-m", "rest");
  rmSync(join(user, "plans/p.md"));
  write(user, {
    "plans/p/plan.md": "one\r\ntwo\r\n",
    "plans/p/tasks/01.md": "t",
    "src/x": "not part of it",
    ".stint/c": "c",
  });
  const paths = await dirtyPaths(repo, ["plans", ".stint"]);

  const preview = await previewCommit(repo, paths);

  expect(await commitPaths(repo, paths, "Plan")).toHaveProperty("ok", true);
  expect(sh(user, "show", "--name-status", "--no-renames", "--format=").split("\n")).toEqual([
    "A\t.stint/c",
    "D\tplans/p.md",
    "A\tplans/p/plan.md",
    "A\tplans/p/tasks/01.md",
  ]);
  expect(sh(user, "show", "HEAD:plans/p/plan.md")).toBe("one\ntwo");
  expect(preview.ok && sh(user, "rev-parse", `${preview.value}^{tree}`)).toBe(sh(user, "rev-parse", "HEAD^{tree}"));
});

test.each(["merge", "rebase"])("nothing is committed in the middle of a %s; afterwards it is", async (command) => {
  const { user, repo, base } = await rig({ a: "a", b: "b" });
  for (const [name, value] of Object.entries({ name: "Ann", email: "ann@example.com" }))
    sh(user, "config", `user.${name}`, value);
  write(user, { a: "theirs" });
  sh(user, "checkout", "-q", "-b", "side");
  commitAll(user);
  sh(user, "checkout", "-q", "-B", "main", base);
  write(user, { a: "ours" });
  const head = commitAll(user);
  expect(() => sh(user, command, "side")).toThrow();
  write(user, { b: "b2" });

  const ways = `Finish it (\`git ${command} --continue\`) or give it up (\`git ${command} --abort\`), then try again.`;
  const message = `git ${command} is not finished in ${user}, so nothing can be committed beside it. ${ways}`;
  expect(await commitPaths(repo, ["b"], "Approve")).toEqual({
    ok: false,
    failure: { reason: "commit-failed", message },
  });

  sh(user, "checkout", "-q", "b");
  sh(user, command, "--abort");
  expect(sh(user, "rev-parse", "HEAD")).toBe(head);
  write(user, { b: "b2" });
  expect(await commitPaths(repo, ["b"], "Approve")).toMatchObject({ ok: true });
});
