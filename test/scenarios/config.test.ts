import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectCode } from "../rig/facts.ts";
import { makes } from "../rig/plan.ts";
import { createRig, type Rig } from "../rig/rig.ts";

function userConfig(rig: Rig, text: string): string {
  mkdirSync(join(rig.root, "config", "stint"));
  const file = join(rig.root, "config", "stint", "config.yaml");
  writeFileSync(file, text);
  return file;
}

/** A PATH on which nothing but git and the named programs is found. */
function searchPath(rig: Rig, programs: readonly string[]): string {
  const dir = join(rig.root, "bin");
  mkdirSync(dir);
  for (const name of programs) {
    writeFileSync(join(dir, name), "#!/bin/sh\n");
    chmodSync(join(dir, name), 0o755);
  }
  return `${dir}:/usr/bin:/bin`;
}

interface Row {
  readonly key: string;
  readonly value: unknown;
  readonly origin: string;
}

async function rowsOf(rig: Rig, env: Record<string, string> = {}): Promise<Record<string, Omit<Row, "key">>> {
  const { stdout } = await rig.stint(["config", "--json"], { env });
  return Object.fromEntries((JSON.parse(stdout) as Row[]).map(({ key, ...row }) => [key, row]));
}

test("Every setting is shown with who set it: the project over the user over what is built in.", async () => {
  await using rig = await createRig({ files: { ".stint/config.yaml": "run:\n  attempts: 5\n  task_timeout: 90s\n" } });
  const user = userConfig(
    rig,
    "run: { attempts: 4, parallel: 2 }\nroles:\n  executor: { agent: codex, model: small }\n",
  );

  const shown = await rig.stint(["config"]);

  expectCode(shown, 0);
  const lines = shown.stdout.split("\n").map((line) => line.replace(/ {2,}/, " | "));
  expect(lines).toContain(".stint/config.yaml:2 | run.attempts: 5");
  expect(lines).toContain(".stint/config.yaml:3 | run.task_timeout: 90s");
  expect(lines).toContain("built in | run.idle_timeout: 10m");
  expect(shown.stdout).toContain(`${user}:1  run.parallel: 2\n`);
  expect(shown.stdout).toContain(`${user}:3  roles.executor: codex, model small\n`);
  expect(lines).toContain("as roles.executor | roles.escalation: codex, model small");
  expect(lines).toContain("built in | prompts.executor: executor.md");
});

test("What the work tree says counts before it is committed, from any folder of the repo.", async () => {
  await using rig = await createRig({ files: { "src/a.ts": "" } });
  rig.write(".stint/config.yaml", "run: { attempts: 7 }\n");
  rig.write(".stint/prompts/task.md", "{{task}}\n");

  const { stdout } = await rig.stint(["config", "--json"], { cwd: join(rig.repo, "src") });

  expect(JSON.parse(stdout)).toEqual(
    expect.arrayContaining([
      { key: "run.attempts", value: 7, origin: ".stint/config.yaml:1" },
      { key: "prompts.task", value: ".stint/prompts/task.md", origin: ".stint/prompts/task.md:1" },
    ]),
  );
});

test("Settings with errors are not shown as if they held: 2, with file, line and cure.", async () => {
  await using rig = await createRig({ files: { ".stint/config.yaml": "run:\n  atempts: 5\n" } });

  expect(await rig.stint(["config"])).toEqual({
    code: 2,
    stdout: "",
    stderr:
      '.stint/config.yaml:2:3: error: unknown key "atempts"; did you mean "attempts"?\n' +
      "stint: the settings have errors; fix them first\n",
  });
});

test("Settings that cannot be read are not taken for absent: 2.", async () => {
  await using rig = await createRig({ files: { "elsewhere.yaml": "run: { attempts: 9 }\n" } });
  rmSync(join(rig.repo, ".stint/config.yaml"));
  symlinkSync("../elsewhere.yaml", join(rig.repo, ".stint/config.yaml"));

  expect(await rig.stint(["config"])).toEqual({
    code: 2,
    stdout: "",
    stderr:
      ".stint/config.yaml:1:1: error: is a symbolic link, not a file\n" +
      "stint: the settings have errors; fix them first\n",
  });
});

test("Nothing that may be a secret is printed, and no value of a variable.", async () => {
  await using rig = await createRig();
  userConfig(
    rig,
    [
      "agents: { mine: { driver: command, command: [x], env: [MY_KEY] } }",
      "mcp:",
      "  a: { command: [server], env: { TOKEN: canary-1 } }",
      "  b: { url: 'http://host.example/canary-2?key=canary-3', headers: { Authorization: 'Bearer $MY_KEY' } }",
      "hooks: [{ on: [done], webhook: 'http://host.example/canary-4' }]",
    ].join("\n"),
  );
  const env = { MY_KEY: "canary-5" };

  const [text, json] = [await rig.stint(["config"], { env }), await rig.stint(["config", "--json"], { env })];

  expectCode(text, 0);
  expect(`${text.stdout}${text.stderr}${json.stdout}${json.stderr}`).not.toContain("canary");
  const rows = await rowsOf(rig, env);
  expect(rows["agents.mine"]?.value).toEqual({ driver: "command", command: ["x"], env: ["MY_KEY"] });
  expect(rows["mcp.a"]?.value).toEqual({ command: ["server"], env: ["TOKEN"] });
  expect(rows["mcp.b"]?.value).toEqual({ url: "http://host.example/…", headers: ["Authorization"] });
});

test("A role that nobody set goes to the first agent on PATH, with its own default model.", async () => {
  await using rig = await createRig({
    files: { ".stint/config.yaml": "" },
    plan: { tasks: { "01-a": makes("a.txt") } },
  });
  const env = { PATH: searchPath(rig, ["gemini", "codex"]) };

  const approve = await rig.stint(["approve", "--yes"], { env });

  expectCode(approve, 0);
  expect(approve.stdout).toContain(
    "Agents:\n  planner: codex, its own default model (found on PATH)\n  executor: codex, its own default model (found on PATH)\n  escalation: codex, its own default model (as roles.executor)\n",
  );
  const rows = await rowsOf(rig, env);
  expect(rows["roles.executor"]).toEqual({ value: "codex, its own default model", origin: "found on PATH" });
  expect(rows["roles.judge"]).toEqual({ value: "codex, its own default model", origin: "as roles.planner" });
});

test("With no agent anywhere, approve says so and run names the cures: 2.", async () => {
  await using rig = await createRig({
    files: { ".stint/config.yaml": "" },
    plan: { tasks: { "01-a": makes("a.txt") } },
  });
  const env = { PATH: searchPath(rig, []) };

  const approve = await rig.stint(["approve", "--yes"], { env });
  expect(approve.stdout).toContain("  executor: no agent set, and none found on PATH\n");
  expect(approve.stdout).toContain("│ note:     no agent is set; set one, then approve\n");
  expect(await rig.stint(["run"], { env })).toMatchObject({
    code: 2,
    stderr:
      "stint: no agent is set for the role executor, and none of claude, codex, gemini is on PATH. Install one, or name one in .stint/config.yaml:\n" +
      "  agents: { mine: { driver: command, command: [./my-agent.sh] } }\n" +
      "  roles: { executor: { agent: mine } }\n",
  });
  expect((await rowsOf(rig, env))["roles.executor"]).toEqual({ value: null, origin: "no agent found on PATH" });
});

test("The built-in prompts are written with a comment on their variables, and nothing is overwritten.", async () => {
  await using rig = await createRig();

  const first = await rig.stint(["config", "--dump-prompts", "my/prompts"]);

  const ofPlannings = ["plan-interview", "plan-gaps", "plan-draft", "plan-critique"];
  const names = ["executor", "task", "judge", ...ofPlannings].map((name) => `${name}.md`);
  const paths = names.map((name) => `my/prompts/${name}`);
  expect(first).toEqual({ code: 0, stdout: `${paths.join("\n")}\n`, stderr: "" });
  const task = readFileSync(join(rig.repo, "my/prompts/task.md"), "utf8");
  expect(task).toMatch(
    /^<!--\nThe built-in prompt "task": the task itself, which follows the prompt of the executor\.\n/,
  );
  expect(task).toContain(
    "  {{verdict}}  why the previous attempt was refused, with the end of the output of failed checks\n",
  );

  rig.write("my/prompts/task.md", "mine");
  writeFileSync(join(rig.repo, "my/prompts/executor.md"), "mine, too");
  expect(await rig.stint(["config", "--dump-prompts", "my/prompts"])).toEqual({
    code: 2,
    stdout: "",
    stderr: `stint: not overwritten: ${paths.join(", ")}. Use another folder, or move them away.\n`,
  });
  expect(readFileSync(join(rig.repo, "my/prompts/task.md"), "utf8")).toBe("mine");
  expect(readdirSync(join(rig.repo, "my/prompts"))).toEqual(names.toSorted());
});

test("A dumped prompt can be moved to its place and lint accepts it.", async () => {
  await using rig = await createRig({ plan: { tasks: { "01-a": makes("a.txt") } } });

  expectCode(await rig.stint(["config", "--dump-prompts", ".stint/prompts"]), 0);

  const fine = "plans/work: no problems found\n1 task in 1 wave; critical path 01-a, 15m in all\n";
  expect(await rig.stint(["lint"])).toEqual({ code: 0, stdout: fine, stderr: "" });
});
