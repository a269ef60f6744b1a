import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { mergeOnTip } from "../../src/git/merge-on-tip.ts";
import { rig, sh, write } from "../rig/git.ts";
import { attempt, everything, trap } from "../rig/trap.ts";

/** A setting that names a program, and the plain git command that runs it. */
type Setting = readonly [key: string, value: (command: string) => string, plain: (dir: string) => void];

const itself = (command: string): string => command;
const type =
  (...args: string[]) =>
  (dir: string) =>
    attempt(dir, ...args);

/** A pager is asked for only at a terminal, so one is made. */
function atTerminal(dir: string): void {
  execFileSync("script", ["-qec", "git --paginate log", "/dev/null"], {
    cwd: dir,
    env: { PATH: process.env["PATH"], HOME: "/nonexistent", TERM: "xterm" },
    stdio: "ignore",
  });
}

const settings: readonly Setting[] = [
  ["core.fsmonitor", itself, type("status")],
  // Git waits for an answer, and the trap for the end of its input.
  ["core.sshCommand", (command) => `${command} < /dev/null; false`, type("fetch", "ssh://nowhere.invalid/x")],
  ["core.pager", itself, atTerminal],
  ["core.editor", itself, type("commit", "--allow-empty")],
  ["alias.add-all", (command) => `!${command}`, type("add-all")],
  ["credential.helper", itself, (dir) => execFileSync("git", ["credential", "approve"], { cwd: dir, input: login })],
  ["diff.external", itself, type("diff")],
  ["diff.evil.command", itself, type("diff")],
  ["diff.evil.textconv", itself, type("diff")],
  ["gpg.program", itself, type("commit", "-S", "-qam", "x")],
];

const login = "protocol=https\nhost=nowhere.invalid\nusername=u\npassword=p\n\n";

test.each(settings)("attacks 2 and 4: %s fires where git is typed, and never for Stint", async (key, value, plain) => {
  const r = await rig({ "a.txt": "a\n" });
  const checkout = await r.checkout();
  const { command, fired } = trap(r);
  sh(checkout.dir, "config", key, value(command));
  sh(checkout.dir, "config", "commit.gpgSign", "true");
  write(checkout.dir, { ".gitattributes": "* diff=evil\n", "a.txt": "b\n" });
  plain(checkout.dir);
  expect(fired()).toBe(true);
  await everything(r, checkout);
  expect(fired()).toBe(false);
});

test("attack 2: a folder of hooks, and settings that another file holds", async () => {
  const r = await rig();
  const checkout = await r.checkout();
  const { command, fired } = trap(r);
  write(r.root, { included: `[core]\n\tfsmonitor = ${command}\n` });
  sh(checkout.dir, "config", "include.path", `${r.root}/included`);
  attempt(checkout.dir, "status");
  expect(fired()).toBe(true);
  sh(checkout.dir, "config", "--unset", "include.path");
  execFileSync("install", ["-D", command, `${r.root}/hooks/pre-commit`]);
  sh(checkout.dir, "config", "core.hooksPath", `${r.root}/hooks`);
  attempt(checkout.dir, "commit", "-q", "--allow-empty", "-m", "x");
  expect(fired()).toBe(true);
  sh(checkout.dir, "config", "include.path", `${r.root}/included`);
  write(checkout.dir, { "a.txt": "c" });
  await everything(r, checkout);
  expect(fired()).toBe(false);
});

test("attack 4: a merge driver of the workspace is not asked when a candidate is placed", async () => {
  const r = await rig({ "a.txt": "a\n", ".gitattributes": "* merge=evil\n" });
  const { command, fired } = trap(r);
  const [one, two] = [await r.checkout(), await r.checkout()];
  write(one.dir, { "a.txt": "c\n" });
  write(two.dir, { "a.txt": "d\n" });
  const [first, second] = [await r.take(one), await r.take(two)];
  sh(two.dir, "config", "merge.evil.driver", `${command} %A`);
  attempt(two.dir, "commit", "-qam", "d");
  attempt(two.dir, "merge", "-q", first.commit);
  expect(fired()).toBe(true);
  const placed = await mergeOnTip(r.control, { tip: first.commit, base: r.base, candidate: second });
  expect(placed.ok).toBe(false);
  expect(fired()).toBe(false);
});
