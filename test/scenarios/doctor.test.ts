import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectCode } from "../rig/facts.ts";
import { createRig, type Rig } from "../rig/rig.ts";

test("In a repository whose agent is there, doctor prints one line for each fact and ends with 0.", async () => {
  await using rig = await createRig({});

  const ended = await rig.stint(["doctor"], { env: { PATH: pathOfTools() } });

  expectCode(ended, 0);
  const lines = ended.stdout.trimEnd().split("\n");
  expect(lines.filter((line) => !/^(ok {2}|warn|bad |– {3}) {2}\S/.test(line))).toEqual([]);
  expect(subjectsOf(lines)).toEqual([
    "node",
    "git",
    "flock",
    "mkfifo",
    "state folder",
    "state of this repository",
    "temporary folder",
    "sandbox",
    "author",
    ...builtIn,
    "scripted",
    "login of scripted",
    "roles of scripted",
  ]);
  expect(ended.stdout).toContain("none (as run.sandbox says)");
  expect(ended.stdout).toContain("unknown: Stint starts your own programs only for sessions");
});

test("With --json the same is printed for scripts.", async () => {
  await using rig = await createRig({});
  const ended = await rig.stint(["doctor", "--json"]);
  expectCode(ended, 0);
  const printed = JSON.parse(ended.stdout) as { ok: boolean; findings: unknown[]; agents: unknown[] };
  expect(printed.ok).toBe(true);
  expect(printed.findings).toContainEqual({
    about: "roles of scripted",
    state: "ok",
    says: "executor, escalation",
    cure: null,
  });
  expect(printed.agents).toContainEqual({
    name: "scripted",
    driver: "command",
    program: "/bin/sh",
    roles: [
      { role: "executor", model: null },
      { role: "escalation", model: null },
    ],
    version: null,
    logged_in: null,
    login: "Stint starts your own programs only for sessions",
  });
});

test("An agent that a role needs and nobody installed is named with its cure, and doctor ends with 1.", async () => {
  await using rig = await createRig({ config: { agents: { scripted: { driver: "command", command: ["no-such"] } } } });
  const ended = await rig.stint(["doctor"]);
  expectCode(ended, 1);
  expect(ended.stdout).toMatch(
    /^bad {3}scripted +no-such was not found on PATH\.\n {3,}Install it, or choose another/m,
  );
  expect(ended.stderr).toBe("stint: not ready to run: scripted\n");
});

test("A scripted agent's moves need not be executable, but they must be there.", async () => {
  const config = { agents: { scripted: { driver: "scripted", command: ["moves.json"] } } };
  await using rig = await createRig({ config });
  const missing = await rig.stint(["doctor"], { env: { PATH: pathOfTools() } });
  expectCode(missing, 1);
  expect(missing.stdout).toContain(`${rig.repo}/moves.json, the moves of a scripted agent, does not exist.`);

  rig.write("moves.json", "{}");
  expectCode(await rig.stint(["doctor"], { env: { PATH: pathOfTools() } }), 0);
});

test("A variable that a tool server needs and nobody set is bad, as it is for a run.", async () => {
  await using rig = await createRig({
    config: { mcp: { issues: { command: ["x"], env: { TOKEN: "$ISSUE_TOKEN" } } } },
  });
  const ended = await rig.stint(["doctor"]);
  expectCode(ended, 1);
  expect(ended.stdout).toMatch(/^bad {3}mcp +mcp\.issues needs the variable ISSUE_TOKEN, which is not set\./m);
  expectCode(await rig.stint(["doctor"], { env: { ISSUE_TOKEN: "t" } }), 0);
});

test("Wrong settings are said with file, line and column, nothing is examined, and doctor ends with 2.", async () => {
  await using rig = await createRig({});
  rig.write(".stint/config.yaml", "rolls: {}\n");
  const ended = await rig.stint(["doctor"]);
  expectCode(ended, 2);
  expect(ended.stdout).toBe("");
  expect(ended.stderr).toMatch(/^\.stint\/config\.yaml:1:1: error: /);
  expect(ended.stderr).toMatch(/stint: the settings have errors; fix them, then try again\n$/);

  rmSync(join(rig.repo, ".stint/config.yaml"));
  symlinkSync("/etc/hostname", join(rig.repo, ".stint/config.yaml"));
  const linked = await rig.stint(["doctor"]);
  expectCode(linked, 2);
  expect(linked.stderr).toContain(".stint/config.yaml:1:1: error: is a symbolic link, not a file");
});

test("A command that comes with the repository is not run by doctor; one of the user's own settings is.", async () => {
  await using rig = await createRig({});
  const command = ["sh", "-c", `touch ${rig.outside}/ran`];
  // In a sandbox the mark would not reach the test, whoever ran the command.
  const settings = JSON.stringify({ agents: { claude: { command } }, run: { sandbox: "none" } });
  rig.write(".stint/config.yaml", settings);
  await rig.stint(["doctor"]);
  expect(rig.isMarked("ran")).toBe(false);

  rig.write(".stint/config.yaml", "{}");
  mkdirSync(join(rig.root, "config", "stint"));
  writeFileSync(join(rig.root, "config", "stint", "config.yaml"), settings);
  await rig.stint(["doctor"], { env: { PATH: pathOfTools() } });
  expect(rig.isMarked("ran")).toBe(true);
});

test("What an agent or the name of a folder could do to a terminal is shown, not done.", async () => {
  await using rig = await createRig({ config: { roles: { executor: { agent: "claude" } } } });
  const folder = join(rig.root, "\u001b[31mred");
  mkdirSync(folder);
  const status = JSON.stringify({ loggedIn: true, authMethod: "\u001b]0;owned\u0007\u202e" });
  writeFileSync(join(folder, "claude"), `#!/bin/sh\necho '${status}'\n`, { mode: 0o755 });

  const ended = await rig.stint(["doctor"], { env: { PATH: `${folder}:${pathOfTools()}` } });

  expect(ended.stdout).toMatch(/^ok {4}login of claude +\\u\{1b\}\]0;owned\\u\{7\}\\u\{202e\}$/m);
  expect(ended.stdout).toContain("/\\u{1b}[31mred/claude");
  for (const char of ["\u001b", "\u0007", "\u202e"]) expect(`${ended.stdout}${ended.stderr}`).not.toContain(char);
});

test("A state folder that is open to others is bad, and the cure is the one a run gives.", async () => {
  await using rig = await createRig({});
  const state = stateFolder(rig);
  expectCode(await rig.stint(["doctor"]), 0);

  chmodSync(state, 0o777);

  const ended = await rig.stint(["doctor"]);
  expectCode(ended, 1);
  expect(ended.stdout).toContain(`${state} is open to other users\n`);
  expect(ended.stdout).toContain("Run `chmod 700` on it, and check who wrote to it.");
});

test.skipIf(process.getuid?.() !== 0)("A state folder that belongs to somebody else is bad.", async () => {
  await using rig = await createRig({});
  const state = stateFolder(rig);

  chownSync(state, 12_345, 12_345);

  const ended = await rig.stint(["doctor"]);
  expectCode(ended, 1);
  expect(ended.stdout).toContain(`${state} belongs to user 12345, not to you\n`);
  expect(ended.stdout).toContain("Run `chown -R 0` on it.");
});

test("Outside a repository, in an empty home and without a terminal, doctor says what it can.", async () => {
  await using rig = await createRig({});
  const empty = join(rig.root, "empty");
  mkdirSync(empty);
  const env = { HOME: empty, XDG_STATE_HOME: "", XDG_CONFIG_HOME: "", PATH: pathOfTools() };
  const ended = await rig.stint(["doctor"], { cwd: empty, env });
  expectCode(ended, 1);
  expect(ended.stdout).toContain(`${empty} is not in a git repository.`);
  expect(ended.stdout).toContain(`${empty}/.local/state/stint, `);
  expect(ended.stderr).toBe("stint: not ready to run: no coding agent found\n");
  expect(readdirSync(empty)).toEqual([]);
});

test("In a partial clone, and where nothing is committed yet, doctor knows the agents of the settings.", async () => {
  await using rig = await createRig({});
  const made = {
    "This is a partial clone": ["config", "remote.origin.promisor", "true"],
    "has no commit yet": ["checkout", "-q", "--orphan", "new"],
  };
  for (const [why, args] of Object.entries(made)) {
    rig.git(...args);
    const ended = await rig.stint(["doctor"], { env: { PATH: pathOfTools() } });
    expectCode(ended, 1);
    expect(ended.stdout).toContain(why);
    expect(ended.stderr).toBe("stint: not ready to run: repository\n");
  }
});

/** The agents that need no entry in the settings; only those found are asked for their login. */
const builtIn: readonly string[] = ["claude", "codex", "gemini"];

function subjectsOf(lines: readonly string[]): string[] {
  return lines.map((line) => line.slice(6).split(/ {2,}/)[0] ?? "");
}

function stateFolder(rig: Rig): string {
  const folder = join(rig.root, "state", "stint");
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}

/** Where git and the system's tools are, without whatever agents this machine has. */
function pathOfTools(): string {
  const folders = (process.env["PATH"] ?? "").split(":");
  return folders.filter((folder) => !builtIn.some((name) => existsSync(join(folder, name)))).join(":");
}
