import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { stintHome } from "../../src/project/paths.ts";
import { findSandbox } from "../../src/sandbox/find.ts";
import { makes, plan } from "../rig/plan.ts";
import { createRig, type CallOptions, type Rig } from "../rig/rig.ts";

/** What is typed, where, and the whole of what is said. */
type Row = CallOptions & { readonly args: readonly string[]; readonly code: number; readonly says: string };

const onePlan = { plan: { tasks: { "01-a": makes("a.txt") } } };
const usage = "(run with --help for usage)";

test("A folder in which Stint cannot work ends with 1 and the cure.", async () => {
  await using rig = await createRig();
  const [empty, bare, none] = ["empty", "bare.git", "none"].map((name) => join(rig.outside, name)) as [
    string,
    string,
    string,
  ];
  rig.git("init", "--quiet", empty);
  rig.git("init", "--quiet", "--bare", bare);
  mkdirSync(none);
  const gone = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"';

  await expectRows(rig, [
    {
      args: ["run"],
      cwd: none,
      code: 1,
      says: `${none} is not in a git repository. Run \`git init\`, commit your files, then try again.`,
    },
    {
      args: ["run"],
      cwd: empty,
      code: 1,
      says: `The repository at ${empty} has no commit yet. Run \`git add -A\` and \`git commit\`, then try again.`,
    },
    {
      args: ["status"],
      cwd: bare,
      code: 1,
      says: `${bare} is a bare repository. Run Stint in a clone or a worktree of it: \`git worktree add ../work\`.`,
    },
    {
      args: ["status"],
      cwd: rig.gitDir,
      code: 1,
      says: `${rig.gitDir} is inside a .git folder. Change to the work tree and try again.`,
    },
    {
      args: ["status"],
      cwd: rig.outside,
      under: ["/bin/sh", "-c", gone, "sh"],
      code: 1,
      says: "the current folder no longer exists. Change to another one, then try again.",
    },
  ]);
});

test("A machine that lacks something ends with 1 and says what.", async () => {
  await using rig = await createRig(onePlan);
  await rig.stint(["approve", "--yes"]);
  const fake = (name: string, script: string) => gitIn(join(rig.outside, name), script);
  const none = join(rig.outside, "no-programs");
  // As git prints an option that it does not know yet.
  const ancient = fake("ancient", "echo --path-format=absolute");
  const old = fake(
    "old",
    `case "$*" in *--version) echo "git version 2.34.1";; *) exec ${programOf("git")} "$@";; esac`,
  );
  const node = "Object.defineProperty(process,'versions',{value:{...process.versions,node:'18.20.8'}})";

  await expectRows(rig, [
    {
      args: ["run"],
      env: { PATH: none },
      code: 1,
      says: "git was not found. Install git 2.39 or newer and put it on PATH.",
    },
    {
      args: ["run"],
      env: { PATH: ancient },
      code: 1,
      says: "git is too old. Install git 2.39 or newer and put it first on PATH.",
    },
    {
      args: ["run"],
      env: { PATH: old },
      code: 1,
      says: "git 2.34.1 is too old. Install git 2.39 or newer and put it first on PATH.",
    },
    {
      args: ["--help"],
      env: { NODE_OPTIONS: `--import=data:text/javascript,${node}` },
      code: 1,
      says: "this is Node 18.20.8, but Stint needs 20.19 or newer. Install it (nodejs.org), or put it first on PATH.",
    },
  ]);
});

test("State that cannot be kept, or be trusted, ends with 1 and the cure; an honest folder does not.", async () => {
  await using rig = await createRig(onePlan);
  const [file, open] = [join(rig.outside, "file"), join(rig.outside, "open")];
  writeFileSync(file, "");
  mkdirSync(join(open, "stint"), { recursive: true });
  chmodSync(join(open, "stint"), 0o755);
  expect(await rig.stint(["lint"])).toMatchObject({ code: 0, stderr: "" });
  const scratch = execFileSync("ls", [join(rig.root, "state", "stint")], { encoding: "utf8" }).trim();
  mkdirSync(join(open, "stint", scratch), { mode: 0o755 });

  await expectRows(rig, [
    {
      args: ["lint"],
      env: { XDG_STATE_HOME: file },
      code: 1,
      says: `${file}/stint/${scratch} cannot be created (not a directory); Stint keeps its state there. ${file} is not a folder: move it away.`,
    },
    {
      args: ["lint"],
      env: { XDG_STATE_HOME: open },
      code: 1,
      says: `${open}/stint/${scratch} is open to other users. Run \`chmod 700\` on it, and check who wrote to it.`,
    },
  ]);
});

test("An empty or relative HOME counts as none: below it, state would land in the checkout.", () => {
  for (const HOME of ["", "relative"]) expect(stintHome({ HOME })).toBe(stintHome({ HOME: userInfo().homedir }));
  expect(stintHome({ HOME: "/home/rig" })).toBe("/home/rig/.local/state/stint");
});

test("What is typed wrong ends with 2 and names what was meant.", async () => {
  await using rig = await createRig();
  const cwd = rig.outside;

  await expectRows(rig, [
    { args: ["runn"], cwd, code: 2, says: `unknown command 'runn'\n(Did you mean run?)\n${usage}` },
    { args: ["help", "runn"], cwd, code: 2, says: `unknown command 'runn'\n(Did you mean run?)\n${usage}` },
    {
      args: ["run", "--paralel", "2"],
      cwd,
      code: 2,
      says: `unknown option '--paralel'\n(Did you mean --parallel?)\n${usage}`,
    },
    {
      args: ["run", "--parallel", "0"],
      cwd,
      code: 2,
      says: `option '--parallel <number>' argument '0' is invalid. It must be a whole number from 1 to 9999.\n${usage}`,
    },
    {
      args: ["run", "--budget-usd", "x"],
      cwd,
      code: 2,
      says: `option '--budget-usd <amount>' argument 'x' is invalid. It must be a number above 0.\n${usage}`,
    },
    { args: ["answer", "x"], cwd, code: 2, says: `missing required argument 'text'\n${usage}` },
    {
      args: ["status", "a", "b"],
      cwd,
      code: 2,
      says: `too many arguments for 'status'. Expected 1 argument but got 2.\n${usage}`,
    },
  ]);
});

test("A plan, a run or a goal that is not there ends with 2 and says what there is.", async () => {
  await using rig = await createRig();
  await using two = await createRig({ ...onePlan, files: plan({ name: "other", tasks: { "01-b": makes("b.txt") } }) });
  const isNone = "There are none yet.";

  await expectRows(rig, [
    {
      args: ["run"],
      code: 2,
      says: 'no plan: draft one with stint plan "<goal>", or write one yourself: stint new <name>',
    },
    { args: ["lint", "../x"], code: 2, says: "no plan ../x. plans/ has none." },
    { args: ["status"], code: 2, says: "no run yet. Start one with `stint run`." },
    { args: ["status", "x"], code: 2, says: `no run x. ${isNone}` },
    { args: ["log", "--run", "x"], code: 2, says: `no run x. ${isNone}` },
    { args: ["resume", "x"], code: 2, says: `no run x. ${isNone}` },
    { args: ["resume"], code: 2, says: "no run to resume. Start one with `stint run`." },
    { args: ["resume", "x", "--all"], code: 2, says: "--all means every run. Leave out --all or the name of the run." },
    { args: ["pause", "--run", "x"], code: 2, says: `no run x. ${isNone}` },
    { args: ["requeue", "01-a"], code: 2, says: "there is no unfinished run. Start one with `stint run`." },
    {
      args: ["do", "x"],
      code: 2,
      says: "no --check: give at least one command that fails until the goal is reached",
    },
  ]);
  await expectRows(two, [
    { args: ["run"], code: 2, says: "which plan? Name one of: other, work" },
    { args: ["run", "nowhere"], code: 2, says: "no plan nowhere. There are: other, work" },
    { args: ["run", "work", "work"], code: 2, says: "plan work is named twice. Name each plan once." },
    { args: ["run", "work"], code: 3, says: "plan work is not approved. Read it with `stint approve work`." },
  ]);
});

test("Files of Stint's or of the user's own that cannot be read are named, with what to do.", async () => {
  await using rig = await createRig(onePlan);
  await rig.stint(["approve", "--yes"]);
  const approval = join(rig.gitDir, "stint", "approvals", "work.json");
  const config = join(rig.root, "config", "stint", "config.yaml");

  writeFileSync(approval, "{");
  await expectRows(rig, [
    { args: ["run"], code: 1, says: `${approval} is damaged. Remove it, then read and approve the plan again.` },
  ]);
  mkdirSync(config, { recursive: true });
  const lint = await rig.stint(["lint"]);

  const shape = "1 task in 1 wave; critical path 01-a, 15m in all; 1 error";
  expect(lint).toEqual({ code: 2, stderr: "", stdout: `${config}:1:1: error: is not a regular file\n${shape}\n` });
});

test("A folder of PATH that cannot be looked into, such as one of another user, is passed over.", async () => {
  await using rig = await createRig();
  const loop = join(rig.outside, "loop");
  symlinkSync(loop, loop);
  const env = { PATH: `${loop}:${process.env["PATH"] ?? ""}`, HOME: loop };

  expect(await findSandbox({ mode: "auto", env, hidden: [], mounts: [] })).toMatchObject({ ok: true });
});

test("A reader that has seen enough is no error.", async () => {
  await using rig = await createRig(onePlan);
  const under = ["/bin/sh", "-c", '{ "$@"; echo "code $?" >&2; } | :', "sh"];

  expect(await rig.stint(["--help"], { under })).toEqual({ code: 0, stdout: "", stderr: "code 0\n" });
  expect(await rig.stint(["lint"], { under })).toEqual({ code: 0, stdout: "", stderr: "code 0\n" });
});

/** Each command ends with its code, and says this and nothing else. */
async function expectRows(rig: Rig, rows: readonly Row[]): Promise<void> {
  const ended = await Promise.all(rows.map((row) => rig.stint(row.args, row)));
  expect(ended.map((end, at) => ({ args: rows[at]?.args, ...end }))).toEqual(
    rows.map(({ args, code, says }) => ({ args, code, stdout: "", stderr: `stint: ${says}\n` })),
  );
}

/** A folder for PATH in which `git` is this script; besides it, a run needs `flock` to begin. */
function gitIn(folder: string, script: string): string {
  mkdirSync(folder);
  writeFileSync(join(folder, "git"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  symlinkSync(programOf("flock"), join(folder, "flock"));
  return folder;
}

function programOf(name: string): string {
  return execFileSync("/bin/sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim();
}
