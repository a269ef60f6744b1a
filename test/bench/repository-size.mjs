import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { median, sh, timed } from "./measure.mjs";

const cli = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const sizes = [100, 2_000, 100_000];
const filesInFolder = 100;
const rounds = Number(process.env.STINT_BENCH_ROUNDS ?? 5);
/** Without the time of one `git ls-files`, a large repository may take so many times as long as the smallest. */
const goal = 1.5;

/**
 * What commands cost that start no agent, by the number of files of the repository: the same small plan in each.
 * The sizes take turns, so that a busy machine slows all of them. As `npm run bench -- repository-size [folder]`.
 */
export async function repositorySize([folder]) {
  const disks = folder === undefined ? [tmpdir(), "/dev/shm"].filter((one) => existsSync(one)) : [folder];
  for (const disk of disks) {
    const root = mkdtempSync(join(disk, "stint-size-"));
    try {
      const repos = sizes.map((size) => makeRepo(root, size));
      print(disk, await measured(repos));
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  }
}

/** Each takes a repository and returns milliseconds. */
const commands = {
  "git ls-files": ({ repo }) => timed(() => sh("git", ["ls-files"], { cwd: repo })),
  "git commit, one changed file": ({ repo }) => {
    appendFileSync(join(repo, "src/d0/d0/f99.ts"), "// Changed.\n");
    return timed(() => sh("git", ["commit", "-q", "-m", "Change", "--only", "src/d0/d0/f99.ts"], { cwd: repo }));
  },
  lint: stint("lint", "next"),
  status: stint("status"),
  list: stint("list"),
  doctor: stint("doctor"),
  "approve, asked in a pipe": stint("approve", "next"),
  "approve --yes": stint("approve", "--yes", "next"),
  "approve, a changed plan in a pipe": changed(stint("approve", "next")),
  "approve --yes, a changed plan": changed(stint("approve", "--yes", "next")),
};

async function measured(repos) {
  const times = new Map();
  const add = (name, at, ms) => {
    if (!times.has(name))
      times.set(
        name,
        sizes.map(() => []),
      );
    times.get(name)[at].push(ms);
  };
  for (let round = 0; round < rounds; round += 1)
    for (const [name, command] of Object.entries(commands))
      for (const [at, world] of repos.entries()) add(name, at, command(world));
  for (let round = 0; round < rounds; round += 1)
    for (const [at, world] of repos.entries()) {
      const { begun, mapped } = await planned(world);
      add("plan, up to its map", at, begun);
      add(round === 0 ? "  the map, cold" : "  the map, warm", at, mapped - begun);
    }
  return times;
}

function print(disk, times) {
  const floors = times.get("git ls-files").map(median);
  console.log(`\nCommands by the files of the repository, in ${disk}: medians of ${rounds}, by the clock`);
  console.log(["".padEnd(36), ...sizes.map((size) => `${size} files`.padStart(13)), "      ratio"].join(""));
  for (const [name, values] of times) {
    const ms = values.map(median);
    const ratio = (ms.at(-1) - floors.at(-1)) / ms[0];
    const verdict = `${ratio.toFixed(2)}x`.padStart(10) + ` goal ${goal}x: ${ratio <= goal ? "met" : "MISSED"}`;
    const isFree = name.startsWith("git ") || name.startsWith("  ");
    const figures = ms.map((one) => `${one.toFixed(0)} ms`.padStart(13)).join("");
    console.log(`${name.padEnd(36)}${figures}${isFree ? "" : verdict}`);
  }
}

function stint(...args) {
  return ({ repo, env }) =>
    timed(() => sh("sh", ["-c", '"$@" || test $? -le 3', "sh", process.execPath, cli, ...args], { cwd: repo, env }));
}

/** Measures a command on a plan that has an uncommitted change. */
function changed(command) {
  return (world) => {
    appendFileSync(join(world.repo, "plans/next/scope.md"), "\nAnother line.\n");
    return command(world);
  };
}

/** Starts planning and interrupts it after the map: when it began to map, and when that was done. */
async function planned({ repo, env }) {
  const from = performance.now();
  const child = spawn(process.execPath, [cli, "plan", "Change a few files", "--headless"], {
    cwd: repo,
    env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const exit = once(child, "exit");
  const at = [];
  for await (const line of createInterface(child.stdout)) {
    if (/\bplanning \S+ at |\bcode mapped:/.test(line)) at.push(performance.now() - from);
    if (at.length === 2) child.kill("SIGINT");
  }
  await exit;
  const [begun, mapped] = at;
  if (mapped === undefined) throw new Error(`stint plan in ${repo} ended before it had a map`);
  return { begun, mapped };
}

/** A repository with a plan that is done and one that is approved; it grows to its size after the run, which is slow. */
function makeRepo(root, size) {
  const repo = join(root, `files-${size}`);
  mkdirSync(repo);
  const env = { ...process.env, XDG_STATE_HOME: join(root, `state-${size}`), XDG_CONFIG_HOME: join(root, "config") };
  const git = (args, input) => sh("git", args, { cwd: repo, ...(input !== undefined && { input }) });
  const commit = (files) => {
    git(["fast-import", "--quiet", "--date-format=now"], imported(files));
    git(["reset", "-q", "--hard"]);
  };
  git(["init", "-q", "-b", "main"]);
  git(["config", "user.name", "Bench"]);
  git(["config", "user.email", "bench@localhost"]);
  commit([...planFiles("done"), ...settings(root), ...codeFiles(0, sizes[0])]);
  sh(process.execPath, [cli, "run", "--yes", "done"], { cwd: repo, env });
  commit([...planFiles("next"), ...codeFiles(sizes[0], size)]);
  sh(process.execPath, [cli, "approve", "--yes", "next"], { cwd: repo, env });
  return { repo, env };
}

/** One more commit with these files, for `git fast-import`. */
function imported(files) {
  const inline = files.map(([path, text]) => `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`);
  const from = "from refs/heads/main^0\n";
  const isFirst = files.some(([path]) => path.startsWith("plans/done/"));
  return `commit refs/heads/main\ncommitter Bench <bench@localhost> now\ndata 6\nFiles\n${isFirst ? "" : from}${inline.join("")}`;
}

function codeFiles(from, to) {
  return Array.from({ length: to - from }, (_, index) => {
    const at = from + index;
    const [folder, file] = [Math.floor(at / filesInFolder), at % filesInFolder];
    const before = file === 0 ? "" : `import { value${at - 1} } from "./f${file - 1}.ts";\n`;
    const text = `${before}/** The value of file ${at}. */\nexport const value${at} = ${at};\n`;
    return [`src/d${Math.floor(folder / 40)}/d${folder % 40}/f${file}.ts`, text];
  });
}

function settings(root) {
  const agent = join(root, "agent.sh");
  writeFileSync(agent, '#!/bin/sh\nmkdir -p out\necho done > "out/$STINT_TASK.txt"\n', { mode: 0o755 });
  const agents = `agents: { bench: { driver: command, command: [${agent}] } }\n`;
  return [[".stint/config.yaml", `${agents}roles: { executor: { agent: bench }, planner: { agent: bench } }\n`]];
}

function planFiles(plan) {
  const ids = ["t01", "t02", "t03"];
  const lines = ids.map((id) => `- [ ] [${id}](tasks/${id}.md) Add ${id}`).join("\n");
  const task = (id) => `---
title: Add ${id}
files: { create: [out/${id}.txt], modify: ["src/d0/d0/f1*.ts"] }
estimate: 15m
checks:
  - run: test -f out/${id}.txt
---
## Goal

Create the file.
`;
  return [
    [`plans/${plan}/plan.md`, `---\nstint: 1\ntitle: Bench\ngoal: Bench\n---\n## Tasks\n${lines}\n`],
    [`plans/${plan}/scope.md`, "## Understanding\n\nx\n\n## Goals\n\nx\n\n## Gaps\n\nx\n"],
    ...ids.map((id) => [`plans/${plan}/tasks/${id}.md`, task(id)]),
  ];
}
