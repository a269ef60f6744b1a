import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { eventsOf, median, sh, timed } from "./measure.mjs";

const cli = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));

/**
 * What a task costs in a chain of instant tasks, and its verification, by the files of the repository and by the tasks
 * before it: each task builds on the one before, so each check of those is asked again. The floor is bare git doing the least
 * for one task in the same repository on the same disk: a clone, a snapshot, a clone for the checks, a commit and a ref.
 */
export function depth(args) {
  const sizes = args.map(Number).filter((size) => size > 0);
  const disks = ["/dev/shm", tmpdir()].filter((disk) => existsSync(disk));
  console.log(
    "\nA chain of instant tasks: milliseconds of a verification, and of a whole task (the median of the first ten) against bare git",
  );
  console.log("                              verification of task               task in all");
  console.log("disk       sandbox   files       1      10      40  last/first    ms   bare git   ratio");
  for (const disk of disks)
    for (const files of sizes.length > 0 ? sizes : [100, 2_000, 100_000])
      for (const sandbox of ["auto", "none"]) measure({ disk, files, sandbox, tasks: files > 10_000 ? 10 : 40 });
}

function measure({ disk, files, sandbox, tasks }) {
  const root = mkdtempSync(join(disk, "stint-depth-"));
  try {
    const repo = makeRepo(root, { files, sandbox, tasks });
    const floor = bareGit(root, repo);
    const env = { ...process.env, XDG_STATE_HOME: join(root, "state"), XDG_CONFIG_HOME: join(root, "config") };
    sh(process.execPath, [cli, "run", "--yes", "bench"], { cwd: repo, env });
    const { verifications, perTask } = timesOf(repo);
    const shown = [1, 10, 40].map((task) => (verifications[task - 1] === undefined ? "" : verifications[task - 1]));
    const growth = median(verifications.slice(-3)) / median(verifications.slice(0, 3));
    const cells = [
      ...shown.map((ms) => String(ms).padStart(7)),
      growth.toFixed(2).padStart(9),
      perTask.toFixed(0).padStart(9),
    ];
    const where = `${disk.padEnd(10)} ${sandbox.padEnd(8)} ${String(files).padStart(6)} `;
    console.log(
      `${where}${cells.join(" ")} ${floor.toFixed(0).padStart(10)} ${(perTask / floor).toFixed(2).padStart(7)}x`,
    );
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function makeRepo(root, { files, sandbox, tasks }) {
  const repo = join(root, "repo");
  const ids = Array.from({ length: tasks }, (_, at) => `t${String(at).padStart(2, "0")}`);
  const agent = join(root, "agent.sh");
  writeFileSync(agent, '#!/bin/sh\nmkdir -p out\necho done > "out/$STINT_TASK.txt"\n', { mode: 0o755 });
  const documents = {
    "plans/bench/plan.md": `---\nstint: 1\ntitle: Bench\ngoal: Bench\n---\n## Tasks\n${ids.map((id) => `- [ ] [${id}](tasks/${id}.md) Add ${id}`).join("\n")}\n`,
    "plans/bench/scope.md": "## Understanding\n\nx\n\n## Goals\n\nx\n\n## Gaps\n\nx\n",
    ".stint/config.yaml": `agents: { bench: { driver: command, command: [${agent}] } }\nroles: { executor: { agent: bench } }\nrun: { sandbox: ${sandbox} }\n`,
    ...Object.fromEntries(ids.map((id, at) => [`plans/bench/tasks/${id}.md`, task(id, ids[at - 1])])),
  };
  mkdirSync(repo);
  const git = (args, input) => sh("git", args, { cwd: repo, input });
  git(["init", "-q", "-b", "main"]);
  git(["config", "user.name", "Bench"]);
  git(["config", "user.email", "bench@localhost"]);
  const many = Array.from({ length: files }, (_, at) => [
    `src/d${at % 500}/f${at}.txt`,
    `file ${at}\n${"text ".repeat(100)}\n`,
  ]);
  const lines = [...many, ...Object.entries(documents)].map(
    ([path, text]) => `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`,
  );
  const head = "commit refs/heads/main\ncommitter Bench <bench@localhost> 1700000000 +0000\ndata 4\nBase\n";
  git(["fast-import", "--quiet"], `${head}${lines.join("")}`);
  git(["reset", "-q", "--hard"]);
  return repo;
}

function task(id, before) {
  const depends = before === undefined ? "" : `depends: [${before}]\n`;
  return `---\ntitle: Add ${id}\n${depends}files: { create: [out/${id}.txt] }\nestimate: 15m\nchecks:\n  - run: test -f out/${id}.txt\n---\n## Goal\n\nCreate the file.\n`;
}

function bareGit(root, repo) {
  const rounds = Array.from({ length: 3 }, (_, round) => {
    const [work, fresh] = [join(root, `work-${round}`), join(root, `fresh-${round}`)];
    const who = ["-c", "user.name=b", "-c", "user.email=b@b"];
    const ms = timed(() => {
      sh("git", ["clone", "-q", "--shared", repo, work]);
      writeFileSync(join(work, "new.txt"), `${round}\n`);
      sh("git", ["add", "-A"], { cwd: work });
      sh("git", ["clone", "-q", "--shared", work, fresh]);
      sh("git", [...who, "commit", "-q", "-m", "x"], { cwd: work });
      sh("git", ["update-ref", "refs/heads/bench", "HEAD"], { cwd: work });
    });
    for (const dir of [work, fresh]) rmSync(dir, { recursive: true, force: true });
    return ms;
  });
  return median(rounds);
}

function timesOf(repo) {
  const events = eventsOf(repo);
  const at = (wanted) => events.filter(({ type }) => type === wanted).map((event) => Date.parse(event.at));
  const [starts, placed, verdicts] = [at("attempt-started"), at("placed"), at("verdict")];
  // Of the first ten, so that chains of different lengths can be compared.
  const perTask = median(starts.slice(1, 10).map((time, index) => time - starts[index]));
  return { verifications: verdicts.map((time, index) => time - placed[index]), perTask };
}
