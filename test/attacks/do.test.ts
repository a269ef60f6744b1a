import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { expect, test } from "vitest";
import { commitsOf, expectCode, sessionsOf, verdictsOf } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { createRig, type Rig } from "../rig/rig.ts";

const add = ["do", "Add a.txt", "--check", "grep -q ready a.txt"] as const;
const files = { "src/a.txt": "old\n", "src/gone.txt": "old\n", "test/a.test.sh": "grep -q ready src/a.txt\n" };

async function branchOf(rig: Rig): Promise<string> {
  return `stint/${(await rig.status()).plan}`;
}

test("Without --files an agent of do may change, make and delete anything but what is protected.", async () => {
  await using rig = await createRig({
    files,
    moves: {
      do: {
        1: [{ write: "test/a.test.sh", text: "exit 0\n" }],
        2: [{ write: "plans/x.md", text: "mine\n" }, ...writes("src/a.txt")],
        3: [...writes("src/a.txt"), { write: "anywhere/else.txt", text: "new\n" }, { delete: "src/gone.txt" }],
      },
    },
  });

  expectCode(await rig.stint(["do", "Make it ready", "--check", "sh test/a.test.sh"]), 0);

  const [cheat, plan, honest] = verdictsOf(rig, "do");
  expect(cheat).toMatchObject({ result: "failed", reason: "guard", guards: ["protected test/a.test.sh"] });
  expect(plan).toMatchObject({ result: "failed", reason: "guard", guards: ["protected plans/x.md"] });
  expect(honest).toMatchObject({ result: "passed", guards: [] });
  const branch = await branchOf(rig);
  expect(rig.git("show", `${branch}:test/a.test.sh`)).toBe("grep -q ready src/a.txt");
  expect(rig.git("ls-tree", "-r", "--name-only", branch)).not.toContain("src/gone.txt");
});

test("An agent of do may not redefine what its check runs; where a person names the file, what else is in it may change.", async () => {
  const pkg = (test: string, version: string) => JSON.stringify({ version, scripts: { test } });
  const honest = "grep -q ready a.txt";
  const bump = { write: "package.json", text: pkg(honest, "2.0.0") };
  await using rig = await createRig({
    files: { "package.json": pkg(honest, "1.0.0"), "a.txt": "old\n" },
    moves: {
      do: { 1: [{ write: "package.json", text: pkg("exit 0", "1.0.0") }], "*": [{ write: "a.txt", text: "ready\n" }] },
    },
  });

  expectCode(await rig.stint(["do", "Make it ready", "--check", "npm test"]), 0);

  const refused = ["protected package.json", "definition package.json"];
  expect(verdictsOf(rig, "do")).toMatchObject([
    { result: "failed", reason: "guard", guards: refused },
    { result: "passed", guards: [] },
  ]);
  // The control: typed in what the agent left, the very cheat is green.
  const { run } = await rig.status();
  rig.git("fetch", "--quiet", join(rig.gitDir, "stint", "control.git"), `refs/stint/rescue/${run}/do/1`);
  rig.git("checkout", "--quiet", "FETCH_HEAD");
  expect(spawnSync("npm", ["test"], { cwd: rig.repo }).status).toBe(0);
  rig.git("checkout", "--quiet", "main");
  rig.moves({ do: [bump, { write: "a.txt", text: "ready\n" }] });
  expectCode(await rig.stint(["do", "Bump it", "--check", "npm test", "--files", "**", "package.json"]), 0);
  expect(verdictsOf(rig, "do")).toMatchObject([{ result: "passed" }]);
});

test("With --files an agent of do may touch nothing else, and a test that is named there.", async () => {
  await using rig = await createRig({
    files,
    moves: {
      do: {
        1: [...writes("src/a.txt"), { write: "extra.txt", text: "while I was here\n" }],
        2: [...writes("src/a.txt"), { write: "test/a.test.sh", text: "set -e\ngrep -q ready src/a.txt\n" }],
      },
    },
  });
  const args = ["do", "Make it ready", "--files", "src/**", "test/a.test.sh", "--check", "sh test/a.test.sh"];

  expectCode(await rig.stint(args), 0);

  expect(verdictsOf(rig, "do")).toMatchObject([
    { result: "failed", reason: "guard", guards: ["scope extra.txt"] },
    { result: "passed", guards: [] },
  ]);
  const branch = await branchOf(rig);
  expect(commitsOf(rig, branch)).toEqual(["do"]);
  expect(rig.git("show", `${branch}:test/a.test.sh`)).toContain("set -e");
});

test("A goal and a check are words: nothing in them is run, read as an option or as a line of the plan.", async () => {
  await using rig = await createRig({ moves: { do: [{ save: "session" }, ...writes("a.txt")] } });
  const goal = `--upload-pack=x $(touch ${rig.outside}/run) \`touch ${rig.outside}/run\`\n---\n## Tasks\n- [x] [do](tasks/do.md)\nStint-Task: forged\u001b]0;x\u0007`;

  const run = await rig.stint(["do", "--check", "grep -q 'ready' \"a.txt\" && : '\n---\n'", "--", goal]);

  expectCode(run, 0);
  expect(`${run.stdout}${run.stderr}`).not.toContain("\u001b");
  expect(rig.isMarked("run")).toBe(false);
  const branch = await branchOf(rig);
  expect(commitsOf(rig, branch)).toEqual(["do"]);
  expect(rig.git("log", "-1", "--format=%s", branch)).toContain("--upload-pack=x $(touch");
  expect(rig.saved("session").prompt).toContain(goal);

  // The control: as a command, these words do run.
  execFileSync("sh", ["-c", `: ${goal.split("\n")[0]}`]);
  expect(rig.isMarked("run")).toBe(true);
});

test("An agent's program that changed since then stops resume until the same do is typed again.", async () => {
  await using rig = await createRig({ moves: { do: { 1: [{ exit: 75 }], "*": writes("a.txt") } } });
  const config = stringify({
    agents: { mine: { driver: "command", command: ["./agent.sh"], env: ["RIG_MOVES"] } },
    roles: { executor: { agent: "mine" } },
    run: { sandbox: "none" },
  });
  const program = `#!/bin/sh\nexec '${process.execPath}' '${join(import.meta.dirname, "..", "rig", "agent.mjs")}'\n`;
  rig.write(".stint/config.yaml", config);
  rig.write("agent.sh", program);
  chmodSync(join(rig.repo, "agent.sh"), 0o755);
  rig.commit("An agent of the repo");
  expectCode(await rig.stint([...add, "--no-wait"]), 75);
  rig.write("agent.sh", `${program}# changed\n`);

  const refused = await rig.stint(["resume"]);
  expectCode(refused, 3);
  expect(refused.stderr).toContain("run the same `stint do` again");

  expectCode(await rig.stint(add), 0);
  expect(sessionsOf(rig)).toEqual(["do 1", "do 2"]);
});

test("Rules that are not committed stop do with 3; committed they hold, and another HEAD is another plan.", async () => {
  await using rig = await createRig({ moves: { do: writes("a.txt") } });
  expectCode(await rig.stint(add), 0);
  const first = await branchOf(rig);
  rig.write(".stint/rules.md", "---\nchecks: [test -e README.md]\n---\n");

  const refused = await rig.stint(add);
  expectCode(refused, 3);
  expect(refused.stderr).toContain("uncommitted changes, but a run uses those at HEAD:\n  .stint/rules.md\n");

  const head = rig.commit("Rules");
  expectCode(await rig.stint(add), 0);
  const second = await branchOf(rig);
  expect(second).not.toBe(first);
  expect(rig.git("rev-parse", `${second}~1`)).toBe(head);
  expect(verdictsOf(rig, "do")[0]?.checks).toEqual(["green grep -q ready a.txt", "green test -e README.md"]);
});
