import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { push, type Pushed } from "../../../src/git/push.ts";
import { commitAll, type Rig, rig, sh, write } from "../../rig/git.ts";

const never = new AbortController().signal;

async function withRemote(): Promise<Rig & { readonly remote: string }> {
  const made = await rig();
  const remote = join(made.root, "remote.git");
  mkdirSync(remote);
  sh(remote, "init", "-q", "--bare");
  sh(made.user, "remote", "add", "origin", remote);
  return { ...made, remote };
}

function commit(r: Rig, text: string): string {
  write(r.user, { "a.txt": text });
  return commitAll(r.user, text);
}

async function pushed(r: Rig, sha: string, more: Partial<Parameters<typeof push>[1]> = {}): Promise<Pushed> {
  return push(r.repo, {
    sha,
    branch: "stint/p",
    remote: "origin",
    msMax: 60_000,
    resume: "stint resume p#1",
    signal: never,
    ...more,
  });
}

function hook(dir: string, name: string, script: string): void {
  mkdirSync(join(dir, "hooks"), { recursive: true });
  writeFileSync(join(dir, "hooks", name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(dir, "hooks", name), 0o755);
}

test("a tip arrives as a branch of its own, moves forward, and arriving twice is no failure", async () => {
  const r = await withRemote();
  const one = commit(r, "1");
  const two = commit(r, "2");
  for (const tip of [one, two, two]) {
    expect(await pushed(r, tip)).toEqual({ kind: "pushed" });
    expect(sh(r.remote, "for-each-ref", "--format=%(objectname) %(refname)")).toBe(`${tip} refs/heads/stint/p`);
  }
});

test("what the configuration would add to a push stays out: tags, force, other branches, hooks", async () => {
  const r = await withRemote();
  const fired = join(r.root, "fired");
  hook(join(r.user, ".git"), "pre-push", `touch '${fired}'; exit 1`);
  sh(r.user, "config", "push.followTags", "true");
  sh(r.user, "config", "remote.origin.push", "+refs/heads/*:refs/heads/*");
  sh(r.user, "tag", "-a", "-m", "v", "v1");
  expect(await pushed(r, commit(r, "1"))).toEqual({ kind: "pushed" });
  expect(sh(r.remote, "for-each-ref", "--format=%(refname)")).toBe("refs/heads/stint/p");
  expect(existsSync(fired)).toBe(false);
  expect(() => sh(r.user, "push", "-q", "origin")).toThrow();
  expect(existsSync(fired)).toBe(true);
});

test("a branch that has diverged there is not overwritten, whatever the configuration says of force", async () => {
  const r = await withRemote();
  const theirs = commit(r, "theirs");
  sh(r.user, "push", "-q", "origin", `${theirs}:refs/heads/stint/p`);
  sh(r.user, "reset", "-q", "--hard", r.base);
  const ours = commit(r, "ours");
  sh(r.user, "config", "remote.origin.push", "+refs/heads/*:refs/heads/*");
  const why =
    "Branch stint/p at origin has commits that this run does not have. Rename or delete it there, then run `stint resume p#1`.";
  expect(await pushed(r, ours)).toEqual({ kind: "refused", lasting: true, why });
  sh(r.user, "config", "remote.origin.mirror", "true");
  expect(await pushed(r, ours)).toMatchObject({ kind: "refused" });
  expect(sh(r.remote, "rev-parse", "stint/p")).toBe(theirs);
});

test("a remote that refuses is quoted in its own words", async () => {
  const r = await withRemote();
  hook(r.remote, "pre-receive", "echo 'Freeze until Monday.'; exit 1");
  const why =
    "origin refuses branch stint/p: pre-receive hook declined. It says: Freeze until Monday. Fix that, then run `stint resume p#1`.";
  expect(await pushed(r, commit(r, "1"))).toEqual({ kind: "refused", lasting: true, why });
  expect(sh(r.remote, "for-each-ref")).toBe("");
});

test("only a remote that the user has set up is pushed to: neither a path nor an address is one", async () => {
  const r = await withRemote();
  const one = commit(r, "1");
  expect(await pushed(r, one, { remote: "upstream" })).toEqual({
    kind: "refused",
    lasting: true,
    why: "Remote upstream does not exist. The repository has: origin. Run `git remote add upstream <url>`, or set `remote` in .stint/rules.md, then `stint resume p#1`.",
  });
  expect(await pushed(r, one, { remote: r.remote })).toMatchObject({ kind: "refused", lasting: true });
  expect(sh(r.remote, "for-each-ref")).toBe("");
  sh(r.user, "push", "-q", r.remote, `${one}:refs/heads/stint/p`);
  expect(sh(r.remote, "rev-parse", "stint/p")).toBe(one);
});

test("a remote that is not there, or a repository that is gone, is refused with what git says", async () => {
  const r = await withRemote();
  const one = commit(r, "1");
  sh(r.user, "remote", "set-url", "origin", join(r.root, "nowhere"));
  const gone = await pushed(r, one);
  expect(gone).toMatchObject({ kind: "refused", lasting: false });
  expect(gone.kind === "refused" && gone.why).toContain("does not appear to be a git repository");
  const moved = { ...r, repo: { ...r.repo, root: join(r.root, "moved") } };
  expect(await pushed(moved, one)).toMatchObject({ kind: "refused" });
});

test("a transport that hangs is ended with all it started, at the limit or when the run is stopped", async () => {
  const r = await withRemote();
  const script = join(r.root, "hang.sh");
  const pids = join(r.root, "pids");
  writeFileSync(script, `echo $$ >> '${pids}'\nsleep 1000 &\necho $! >> '${pids}'\nwait\n`);
  sh(r.user, "config", "core.sshCommand", `sh '${script}'`);
  sh(r.user, "remote", "set-url", "origin", "ssh://host.invalid/x.git");
  const one = commit(r, "1");
  expect(await pushed(r, one, { msMax: 1_000 })).toEqual({
    kind: "refused",
    lasting: true,
    why: "Pushing stint/p to origin took longer than 1 s and was stopped. Try `git push origin stint/p` by hand, then run `stint resume p#1`.",
  });
  const stop = new AbortController();
  const stopped = pushed(r, one, { signal: stop.signal });
  const before = readFileSync(pids, "utf8");
  await expect.poll(() => readFileSync(pids, "utf8").length, { timeout: 30_000 }).toBeGreaterThan(before.length);
  stop.abort();
  await expect(stopped).rejects.toThrow("aborted");
  const all = readFileSync(pids, "utf8").trim().split("\n");
  await expect.poll(() => all.filter(isAlive), { timeout: 30_000 }).toEqual([]);
});

test("a server that wants a password is refused at once, and the password of an address is not shown", async () => {
  const server = createServer((_, response) => {
    response.writeHead(401, { "www-authenticate": 'Basic realm="x"' }).end();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const r = await withRemote();
  const one = commit(r, "1");
  for (const [login, said] of [
    ["", "terminal prompts disabled"],
    ["me:hunter2@", "Authentication failed"],
  ] as const) {
    sh(r.user, "remote", "set-url", "origin", `http://${login}127.0.0.1:${port}/x.git`);
    const asked = await pushed(r, one);
    expect(asked).toMatchObject({ kind: "refused", lasting: true });
    const why = asked.kind === "refused" ? asked.why : "";
    expect(why).toContain(said);
    expect(why).not.toContain("hunter2");
  }
});

test("variables that name a program to run are not obeyed; typed by hand, they would be", async () => {
  const r = await withRemote();
  const fired = join(r.root, "fired");
  const one = commit(r, "1");
  sh(r.user, "remote", "set-url", "origin", "ssh://host.invalid/x.git");
  sh(r.user, "config", "core.sshCommand", "false");
  const hostile = { GIT_SSH_COMMAND: `touch '${fired}';false`, GIT_ASKPASS: fired, GIT_DIR: r.root };
  for (const [name, value] of Object.entries(hostile)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await pushed(r, one)).toMatchObject({ kind: "refused" });
  expect(existsSync(fired)).toBe(false);
  const { GIT_DIR: _, ...more } = hostile;
  const env = { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent", ...more };
  expect(spawnSync("git", ["push", "origin", `${one}:refs/heads/x`], { cwd: r.user, env }).status).not.toBe(0);
  expect(existsSync(fired)).toBe(true);
});

function isAlive(pid: string): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
