import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { head, identity, openUserRepo } from "../../../src/git/user-repo.ts";
import { around, commitAll, open, rig, sh, tempDir, write } from "../../rig/git.ts";

test("a repository is found from a folder inside it", async () => {
  const { user, base } = await rig({ "deep/er/a": "a" });
  const repo = await open(join(user, "deep/er"));
  expect(repo).toMatchObject({
    root: user,
    gitDir: join(user, ".git"),
    commonDir: join(user, ".git"),
    objectFormat: "sha1",
  });
  expect(await head(repo)).toEqual({ sha: base, branch: "main" });
  sh(user, "checkout", "-q", "--detach");
  expect(await head(repo)).toEqual({ sha: base, branch: null });
});

async function reason(dir: string): Promise<string> {
  const opened = await openUserRepo(dir);
  return opened.ok ? "ok" : opened.failure.reason;
}

test("folders that Stint cannot work in are refused with the reason", async () => {
  const root = tempDir();
  for (const name of ["none", "empty", "bare"]) mkdirSync(join(root, name));
  sh(join(root, "empty"), "init", "-q");
  sh(join(root, "bare"), "init", "-q", "--bare");
  expect(await reason(join(root, "none"))).toBe("not-a-repository");
  expect(await reason(join(root, "empty"))).toBe("no-commits");
  expect(await reason(join(root, "empty/.git"))).toBe("no-work-tree");
  expect(await reason(join(root, "bare"))).toBe("bare");
  const { user } = await rig();
  sh(user, "config", "remote.origin.promisor", "true");
  expect(await reason(user)).toBe("partial-clone");
});

test("a path with a newline, a quote and a space works from end to end", async () => {
  const root = tempDir();
  const user = join(root, '"odd\n na"me ü');
  mkdirSync(user);
  sh(user, "init", "-q");
  write(user, { "a\nb c ü": "x" });
  commitAll(user);
  const odd = await around(root, user);
  expect(odd.repo.root).toBe(user);
  const checkout = await odd.checkout();
  write(checkout.dir, { "a\nb c ü": "y", "new\n": "z" });
  const taken = await odd.take(checkout);
  expect(taken.changes.map((change) => change.path)).toEqual(["a\nb c ü", "new\n"]);
  expect(sh(checkout.dir, "log", "--format=%s")).toBe("change");
});

test("sha256 and shallow repositories work", async () => {
  const sha256 = await rig({ "d/a": "a" }, ["--object-format=sha256"]);
  const checkout = await sha256.checkout();
  write(checkout.dir, { "d/a": "b" });
  expect((await sha256.take(checkout)).commit).toMatch(/^[0-9a-f]{64}$/);
  expect(sh(checkout.dir, "status", "--porcelain")).toBe("M d/a".padStart(6));

  const { root, user } = await rig();
  write(user, { b: "b" });
  commitAll(user);
  sh(root, "clone", "-q", "--depth=1", `file://${user}`, "shallow");
  const shallow = await around(root, join(root, "shallow"));
  expect(sh((await shallow.checkout()).dir, "log", "--format=%s")).toBe("change");
});

test("the identity is what git commit would write, or a failure with the two commands", async () => {
  const { user, repo } = await rig();
  vi.stubEnv("HOME", "/nonexistent");
  sh(user, "config", "user.useConfigOnly", "true");
  const none = await identity(repo);
  expect(!none.ok && none.failure.message).toContain("git config --global user.name");
  sh(user, "config", "user.name", "Ann Other");
  sh(user, "config", "user.email", "ann@example.com");
  expect(await identity(repo)).toEqual({ ok: true, value: { name: "Ann Other", email: "ann@example.com" } });
  vi.unstubAllEnvs();
});
