import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { expectCode } from "../rig/facts.ts";
import { createRig, type Rig } from "../rig/rig.ts";

const node = {
  "package.json": JSON.stringify({
    scripts: { lint: "eslint .", test: "node --test" },
    devDependencies: { eslint: "9" },
  }),
  "package-lock.json": "{}",
  ".gitignore": "node_modules\n",
};

/** No agents on PATH, so that what is printed is the same everywhere. */
const env = { PATH: "/usr/bin:/bin" };

/** A repository without `.stint`, which the rig would give it. */
async function createRepo(files: Readonly<Record<string, string>>): Promise<Rig> {
  const rig = await createRig({ files });
  rmSync(join(rig.repo, ".stint"), { recursive: true });
  rig.commit("Without settings");
  return rig;
}

const nextSteps = `
Next:
  read .stint/config.yaml and .stint/rules.md, and change what does not fit
  stint check                try the set-up and checks on HEAD, as a run would
  stint doctor               check that agents and the sandbox work here
  git add .stint && git commit
                             only committed settings apply
  stint plan "…"             draft a plan for a goal
  stint new <name>           or write one yourself; an example:
                             ${resolve("docs/examples/node")}
  stint lint                 find errors in the plan
  stint check                run every check of the plan on HEAD
  stint approve              see what would be run, and commit the files if you agree
  stint run
`;
const noAgents =
  "No built-in agent is on PATH. Install one, or name your own program under `agents` and `roles` in your settings.\n";

test("From a folder of the repository it writes settings and rules at the root, and says what to do next.", async () => {
  await using rig = await createRepo({ ...node, "src/a.js": "" });

  const init = await rig.stint(["init"], { cwd: join(rig.repo, "src"), env });

  expect(init).toEqual({
    code: 0,
    stdout: `Found node (package.json, package-lock.json).
wrote .stint/config.yaml
wrote .stint/rules.md
  set-up: npm ci
  checks after every task: npm run lint, npm test
${noAgents}${nextSteps}`,
    stderr: "",
  });
  expect(readdirSync(join(rig.repo, ".stint")).toSorted()).toEqual(["config.yaml", "rules.md"]);
  expect(rig.git("status", "--porcelain")).toBe("?? .stint/");
});

test("What is there is kept, each file for itself, and a second call writes nothing and ends with 0.", async () => {
  await using rig = await createRepo({ ...node, "sub/.keep": "" });
  rig.write(".stint/rules.md", "---\n---\nMine.\n");

  const first = await rig.stint(["init", "--json"], { env });
  const second = await rig.stint(["init"], { env });

  expect(JSON.parse(first.stdout)).toEqual({
    root: rig.repo,
    kinds: ["node"],
    written: [".stint/config.yaml"],
    kept: [".stint/rules.md"],
    setup: "npm ci",
    checks: ["npm run lint", "npm test"],
    offered: [],
    hooks: [],
    protect: [],
    agents: [],
    notes: [],
    example: resolve("docs/examples/node"),
  });
  expect(readFileSync(join(rig.repo, ".stint", "rules.md"), "utf8")).toBe("---\n---\nMine.\n");
  expectCode(second, 0);
  expect(second.stdout).toBe(`Found node (package.json, package-lock.json).
kept  .stint/config.yaml (already there)
kept  .stint/rules.md (already there)
Everything is already there; nothing was written.
${noAgents}${nextSteps}`);
});

test("A link, a file or a folder in the wrong place is refused with 2, and nothing is written anywhere.", async () => {
  await using rig = await createRepo(node);
  const elsewhere = join(rig.root, "elsewhere");
  mkdirSync(elsewhere);
  const stint = join(rig.repo, ".stint");
  const cure = "so nothing was written. Move it away, then try again.\n";

  symlinkSync(elsewhere, stint);
  expect(await rig.stint(["init"])).toMatchObject({
    code: 2,
    stdout: "",
    stderr: `stint: .stint is a link, not a folder, ${cure}`,
  });
  rmSync(stint);
  writeFileSync(stint, "");
  expect(await rig.stint(["init"])).toMatchObject({
    code: 2,
    stderr: `stint: .stint is a file, not a folder, ${cure}`,
  });
  rmSync(stint);
  mkdirSync(stint);
  symlinkSync(join(elsewhere, "new.md"), join(stint, "rules.md"));
  expect(await rig.stint(["init"])).toMatchObject({
    code: 2,
    stderr: `stint: .stint/rules.md is a link, not a file, ${cure}`,
  });
  rmSync(join(stint, "rules.md"));
  mkdirSync(join(stint, "config.yaml"));
  expect(await rig.stint(["init"])).toMatchObject({
    code: 2,
    stderr: `stint: .stint/config.yaml is a folder, not a file, ${cure}`,
  });

  expect(readdirSync(elsewhere)).toEqual([]);
  expect(readdirSync(stint)).toEqual(["config.yaml"]);
});

test("It works where nothing is committed, and says that a run needs a commit; outside a repository it ends with 1.", async () => {
  await using rig = await createRepo({});
  const fresh = join(rig.root, "fresh");
  mkdirSync(fresh);

  const outside = await rig.stint(["init"], { cwd: fresh });
  expect(outside).toEqual({
    code: 1,
    stdout: "",
    stderr: `stint: ${fresh} is not in a git repository. Run \`git init\`, commit your files, then try again.\n`,
  });
  rig.git("init", "--quiet", fresh);
  const inside = await rig.stint(["init"], { cwd: fresh, env });
  expectCode(inside, 0);
  expect(inside.stdout).toContain("Found no project of a known kind (node, python, go, rust).\n");
  expect(inside.stdout).toContain(
    "  add a check to .stint/rules.md, a command that must pass after every task; then\n",
  );
  expect(inside.stdout).toContain("  git add -A && git commit   runs start from a commit, and there is none yet\n");
});

test("Hostile manifests are looked at without following, waiting or choking, and what was not read is named.", async () => {
  await using rig = await createRepo({ ".gitignore": "node_modules\n.venv\n" });
  rig.write("package.json", `{"scripts":{"test":"x"},"pad":"${"x".repeat(50_000_000)}"}`);
  symlinkSync("/etc/passwd", join(rig.repo, "requirements.txt"));
  rig.write("a\nb/package.json", "{}");

  const init = await rig.stint(["init", "--json"], { env });

  expectCode(init, 0);
  expect(JSON.parse(init.stdout)).toMatchObject({
    kinds: ["node", "python"],
    checks: [],
    notes: [
      "package.json was not read: it is not a plain file of at most 1000000 bytes.",
      "requirements.txt was not read: it is not a plain file of at most 1000000 bytes.",
    ],
  });
});

test("Hooks of the user are offered, wherever git looks for them.", async () => {
  await using rig = await createRepo({ "hooks/pre-commit": "#!/bin/sh\nmake lint\n" });
  const offered = async () =>
    JSON.parse((await rig.stint(["init", "--json"], { env })).stdout) as Record<string, unknown>;

  rig.write(".git/hooks/pre-push", "#!/bin/sh\n");
  expect(await offered()).toMatchObject({ offered: [], hooks: ["pre-push"] });
  rig.git("config", "core.hooksPath", "hooks");
  expect(await offered()).toMatchObject({ offered: ["sh hooks/pre-commit"], hooks: [] });
});
