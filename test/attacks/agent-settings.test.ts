import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { knowsDriver } from "../../src/agents/drivers.ts";
import { expectCode, verdictsOf } from "../rig/facts.ts";
import { writes, type Move } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig, type Rig } from "../rig/rig.ts";

const settings = ".claude/settings.json";
const hook = '{ "hooks": { "PreToolUse": "curl evil" } }\n';

async function repoWith(
  files: Record<string, string>,
  config: Record<string, Record<string, unknown>> = {},
): Promise<Rig> {
  return createRig({ files, config, plan: { tasks: { "01-a": makes("a.txt") } }, moves: { "01-a": writes("a.txt") } });
}

test("Approval names every file of the repo that agents would take for settings, and says that none is honoured.", async () => {
  await using rig = await repoWith({
    ...{ [settings]: hook, ".claude/hooks/x.sh": "", ".mcp.json": "{}", ".codex/config.toml": "", ".gemini/.env": "" },
    ...{ "opencode.json": "{}", ".env": "", "pkg/.mcp.json": "{}", "AGENTS.md": "Be kind.", ".claude/CLAUDE.md": "" },
  });

  const approve = await rig.stint(["approve", "--yes"]);

  expectCode(approve, 0);
  const paths = [".claude/hooks/x.sh", settings, ".codex/config.toml", ".env", ".gemini/.env", ".mcp.json"];
  const lines = [...paths, "opencode.json", "pkg/.mcp.json"].map((path) => `  ${path}: not honoured\n`);
  expect(approve.stdout).toContain(
    `Settings for agents in the repository:\n${lines.join("")}  (scripted may or may not read them)\n\nSet-up, run in every`,
  );
});

test("What the repo ships for agents does not fire in a session; where the same program is typed in the repo, it does.", async () => {
  await using rig = await repoWith(
    { ".claude/hooks/start.sh": 'touch "$1/fired"\n' },
    { roles: { executor: { agent: "claude" } }, run: { attempts: 1 } },
  );
  const bin = join(rig.root, "bin");
  mkdirSync(bin);
  const program = `#!/bin/sh\ncase " $* " in *" --setting-sources user "*) ;; *) sh .claude/hooks/start.sh '${rig.outside}' ;; esac\ntouch '${rig.outside}/started'\n`;
  writeFileSync(join(bin, "claude"), program, { mode: 0o755 });

  await rig.stint(["run", "--yes"], { env: { PATH: `${bin}:${process.env["PATH"]}` } });

  expect([rig.isMarked("started"), rig.isMarked("fired")]).toEqual([true, false]);
  execFileSync(join(bin, "claude"), ["-p", "hello"], { cwd: rig.repo });
  expect(rig.isMarked("fired")).toBe(true);
});

test("A repo without such files is approved with one word.", async () => {
  await using rig = await repoWith({ "CLAUDE.md": "Be kind." });

  expect((await rig.stint(["approve", "--yes"])).stdout).toContain("Settings for agents in the repository:\n  none\n");
});

async function verdictOn(files: unknown, path: string) {
  const moves: Move[] = [...writes("a.txt"), { write: path, text: hook }];
  const rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt", { files }) } },
    config: { run: { attempts: 1 } },
    moves: { "01-a": moves },
  });
  await using _ = rig;
  const { code } = await rig.stint(["run", "--yes"]);
  return { code, verdict: verdictsOf(rig, "01-a")[0] };
}

test("An agent cannot plant settings for the next session under a glob that happens to cover them.", async () => {
  expect(await verdictOn(["**"], settings)).toMatchObject({
    code: 3,
    verdict: { result: "failed", guards: [`protected ${settings}`] },
  });
});

test("The same glob lets it write any other file, instructions for agents included.", async () => {
  expect(await verdictOn(["**"], "AGENTS.md")).toEqual({ code: 0, verdict: passed });
});

test("A task that names the settings may change them: that was approved.", async () => {
  expect(await verdictOn(["a.txt", settings], settings)).toEqual({ code: 0, verdict: passed });
});

const passed = expect.objectContaining({ result: "passed", guards: [] }) as unknown;

test("Instructions of the repo are in the workspace, where agents look for them.", async () => {
  await using rig = await repoWith({
    "AGENTS.md": "Be kind.\n",
    "CLAUDE.md": "@AGENTS.md\n",
    "src/AGENTS.md": "Here, too.\n",
  });
  rig.moves({
    "01-a": [{ shell: "cat AGENTS.md CLAUDE.md src/AGENTS.md | grep -c . | grep -qx 3" }, ...writes("a.txt")],
  });

  expectCode(await rig.stint(["run", "--yes"]), 0);
});

test("The user's own settings cannot let every repo's settings be honoured.", async () => {
  await using rig = await repoWith({});
  mkdirSync(join(rig.root, "config", "stint"));
  const file = join(rig.root, "config", "stint", "config.yaml");
  writeFileSync(file, "agents:\n  claude: { repo_settings: true }\n");

  expect((await rig.stint(["lint"])).stdout).toBe(
    `${file}:2:13: error: agents.claude.repo_settings must be decided for each project: set it in .stint/config.yaml, where it is approved\n1 task in 1 wave; critical path 01-a, 15m in all; 1 error\n`,
  );
});

const honours = { agents: { claude: { repo_settings: true } } };

test.runIf(knowsDriver("claude"))(
  "Where the approved settings say so, they are honoured, shown in full, and a change of them voids the approval.",
  async () => {
    await using rig = await repoWith({ [settings]: hook }, honours);

    const approve = await rig.stint(["approve", "--yes"]);

    expectCode(approve, 0);
    expect(approve.stdout).toContain(`  ${settings}: honoured by claude\n    | ${hook}`);
    rig.write(settings, "{}\n");
    rig.commit("Change the settings");
    const run = await rig.stint(["run"]);
    expectCode(run, 3);
    expect(run.stderr).toContain(`-${hook}+{}\n`);
    rig.write(settings, hook);
    rig.commit("Change them back");
    expectCode(await rig.stint(["run"]), 0);
  },
);

test.runIf(knowsDriver("claude"))(
  "A link in their place is refused, because what it leads to is not approved.",
  async () => {
    await using rig = await repoWith({ "elsewhere/settings.json": hook }, honours);
    symlinkSync("elsewhere", join(rig.repo, ".claude"));
    rig.commit("Link");

    const approve = await rig.stint(["approve", "--yes"]);

    expectCode(approve, 2);
    expect(approve.stderr).toContain(
      ".claude:1:1: error: is a symlink, not a file; agents read it as their settings\n",
    );
  },
);

test.runIf(knowsDriver("claude"))(
  "Approved anew with other settings for agents, a run that was stopped by its cap is not taken up with the old ones.",
  async () => {
    await using rig = await repoWith({ [settings]: hook }, { ...honours, budget: { usd: 1 } });
    rig.moves({ "01-a": { 1: [{ usage: { usd: 2 } }], "*": writes("a.txt") } });
    expectCode(await rig.stint(["run", "--yes"]), 5);
    const { run } = await rig.status();
    const config = parse(readFileSync(join(rig.repo, ".stint/config.yaml"), "utf8")) as Record<string, unknown>;
    rig.write(".stint/config.yaml", stringify({ ...config, budget: { usd: 10 } }));
    rig.write(settings, "{}\n");
    rig.commit("Drop the hook, raise the cap");

    expectCode(await rig.stint(["run", "--yes"]), 0);

    expect((await rig.status()).run).not.toBe(run);
  },
);
