import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { expectCode, pathsOf } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig, type Rig } from "../rig/rig.ts";
import { canConfine } from "../rig/sandbox-world.ts";

test.skipIf(!canConfine)(
  "Confined, an agent edits, commits, reports, and its work is verified and integrated.",
  async () => {
    await using rig = await createRig({
      sandbox: "bwrap",
      files: {
        "package.json": '{ "scripts": { "test": "node check.cjs" } }',
        "check.cjs": 'require("fs").readFileSync("a.txt")',
      },
      plan: {
        tasks: {
          "01-a": makes("a.txt", {
            checks: ["npm test", 'git log -1 && test -z "$(git status --porcelain)" && grep ready a.txt'],
          }),
        },
      },
      moves: {
        "01-a": [
          { save: "session" },
          { shell: "git status && git log -1 && git add -A && git commit --allow-empty -qm inside" },
          { shell: 'grep -q "Do 01-a" "$STINT_INBOX/task.md" && echo kept > "$HOME/kept"' },
          ...writes("a.txt"),
          { report: { status: "done", summary: "All is ready." } },
        ],
      },
    });

    const run = await rig.stint(["run", "--yes"]);

    expectCode(run, 0);
    expect(run.stderr).toContain(
      "One agent at a time. Sandbox: bwrap; agents and checks see your tools and their own folders, checks without network.",
    );
    expect(pathsOf(rig, "stint/work")).toEqual(["a.txt", "plans/work/plan.md"]);
    expect(rig.events("agent-finished")).toMatchObject([{ report: { summary: "All is ready." } }]);
    expect(rig.saved("session")).toMatchObject({ cwd: "/stint/workspace", env: { HOME: "/stint/home" } });
    expect(rig.processes()).toEqual([]);
  },
);

/** Each leaves a mark outside where it succeeds; what is wanted of the user's lies in the rig. */
function attacks({ root, repo, gitDir }: Rig): Record<string, string> {
  return {
    "reads a key": `cat ${root}/home/.ssh/id`,
    "reads the work tree": `cat ${repo}/README.md`,
    "writes the shell's start-up file": `echo evil >> ${root}/home/.bashrc`,
    "writes the control repository": `echo evil >> ${gitDir}/stint/control.git/info/attributes`,
    "writes a journal": `echo evil >> ${gitDir}/stint/runs/other/journal.jsonl`,
    "writes another workspace": `echo evil >> ${root}/state/stint/other/tree/a.txt`,
    "reads Stint's environment": "cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep -q '^CANARY=sung'",
  };
}

async function attacked(sandbox: "bwrap" | "none"): Promise<string[]> {
  await using rig = await createRig({
    sandbox,
    plan: (outside) => ({
      tasks: { "01-a": makes("a.txt", { checks: [`sh ${outside}/attacks.sh check; grep -q ready a.txt`] }) },
    }),
    moves: {},
  });
  for (const file of [
    "home/.ssh/id",
    "home/.bashrc",
    "repo/.git/stint/runs/other/journal.jsonl",
    "state/stint/other/tree/a.txt",
  ]) {
    mkdirSync(dirname(join(rig.root, file)), { recursive: true, mode: 0o700 });
    writeFileSync(join(rig.root, file), "of the user\n");
  }
  const tries = Object.entries(attacks(rig));
  const script = tries.map(
    ([name, line]) => `if ( ${line} ) > /dev/null 2>&1; then : > "${rig.outside}/$1 ${name}"; fi\n`,
  );
  writeFileSync(join(rig.outside, "attacks.sh"), script.join(""));
  rig.moves({ "01-a": [{ shell: `sh ${rig.outside}/attacks.sh agent` }, ...writes("a.txt")] });

  const run = await rig.stint(["run", "--yes"], { env: { CANARY: "sung" } });

  expectCode(run, 0);
  const all = ["agent", "check"].flatMap((who) => tries.map(([name]) => `${who} ${name}`));
  return all.filter((name) => !rig.isMarked(name));
}

test.skipIf(!canConfine)(
  "Confined, neither agent nor check reads or writes what is the user's or Stint's.",
  async () => {
    expect(await attacked("bwrap")).toHaveLength(14);
  },
);

test("The same attacks succeed without a sandbox.", async () => {
  expect(await attacked("none")).toEqual([]);
});
