import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { ctagsOrder, heldOut, plainList, readMap, recall, truthOf } from "./map-quality.mjs";
import { historyOf, millionLines } from "./map-trees.mjs";
import { sh, timed } from "./measure.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const cli = here("../../dist/cli.js");
const project = here("../..");
const worker = here("../../.cache/bench/map-work.mjs");
const budgets = [1_000, 2_000, 4_000];

/** What a map costs on a million lines and on real packages, and how much of what real commits needed is in it. */
export function map(folders) {
  const root = mkdtempSync(join(tmpdir(), "stint-map-"));
  try {
    console.log("\nstint map by the clock and by the processor, against the processor time of git reading every blob");
    const each = ["clock", "processor", "ratio", "peak RSS"];
    row("", ["", "", "", "", "cold:", "", "", "", "warm:"]);
    row("", ["files", "lines", "MB", "git", ...each, ...each]);
    speed("a million lines, 9 languages", millionLines(join(root, "million")), root);
    speed("the packages of node_modules", packages(join(root, "packages")), root);
    for (const folder of folders) speed(folder, copied(join(root, "given"), folder), root);
    quality(root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function packages(repo) {
  cpSync(join(project, "node_modules"), join(repo, "packages"), {
    recursive: true,
    dereference: true,
    filter: isWanted,
  });
  return historyOf(repo);
}

/** Programs for machines are no code, and dot folders are caches. */
function isWanted(path) {
  return !/\/\.|\.(?:node|exe|wasm)$|\/bin\/(?:esbuild|tsgo)/.test(path.replace(project, ""));
}

function copied(repo, folder) {
  cpSync(folder, repo, { recursive: true, filter: (path) => !path.endsWith("/.git") });
  return historyOf(repo);
}

function speed(name, repo, root) {
  const state = mkdtempSync(join(root, "state-"));
  const { files, lines, bytes } = sizeOf(repo);
  const git = Math.min(...[1, 2, 3].map(() => readAll(repo)));
  const cold = called(repo, root, state);
  const warm = [1, 2, 3].map(() => called(repo, root, state)).toSorted((a, b) => a.seconds - b.seconds)[1];
  const cells = [files, lines, (bytes / 1e6).toFixed(0), seconds(git)];
  row(name, [...cells, ...[cold, warm].flatMap((one) => figures(one, git))]);
}

function figures({ clock, seconds: used, rss }, git) {
  return [seconds(clock), seconds(used), times(used / git), `${rss} MB`];
}

/** The floor: seconds of the processor that git takes to hand over every blob. */
function readAll(repo) {
  const read = "git ls-tree -r HEAD | awk '{print $3}' | git cat-file --batch > /dev/null; times";
  const [user, system] = sh("bash", ["-c", read], { cwd: repo }).split("\n").at(-1).split(" ");
  return minutes(user) + minutes(system);
}

/** As bash prints times: 0m1.234s. */
function minutes(text) {
  const [, whole, rest] = /(\d+)m([\d.]+)s/.exec(text);
  return 60 * Number(whole) + Number(rest);
}

function sizeOf(repo) {
  const rows = sh("sh", ["-c", "git ls-tree -r --long HEAD | awk '{n+=1; b+=$4} END {print n, b}'"], { cwd: repo });
  const lines = sh("sh", ["-c", "git ls-tree -r HEAD | awk '{print $3}' | git cat-file --batch | wc -l"], {
    cwd: repo,
  });
  const [files, bytes] = rows.split(" ").map(Number);
  return { files, bytes, lines: Number(lines) };
}

function called(repo, root, state) {
  // Node tells a process's use of the machine to nobody but the process.
  const [tell, used] = [join(root, "tell.mjs"), join(root, "used")];
  const told = `fs.writeFileSync(${JSON.stringify(used)}, JSON.stringify(process.resourceUsage()))`;
  writeFileSync(tell, `import fs from "node:fs"; process.on("exit", () => ${told});`);
  const env = { ...process.env, XDG_STATE_HOME: state };
  const ms = timed(() => sh(process.execPath, ["--import", tell, cli, "map"], { cwd: repo, env }));
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(sh("cat", [used]));
  return { clock: ms / 1000, seconds: (userCPUTime + systemCPUTime) / 1e6, rss: Math.round(maxRSS / 1024) };
}

/** Ten commits of this repository (of one, docs/performance.md says more): the map of the parent, with the commit's subject as the goal. */
function quality(root) {
  const commits = heldOut(project);
  if (commits === undefined) {
    console.log("\nThe history of this repository is not here, so nothing is said of quality.");
    return;
  }
  const bundle = {
    bundle: true,
    platform: "node",
    format: "esm",
    outfile: worker,
    external: ["@vscode/tree-sitter-wasm"],
  };
  const banner = 'import { createRequire as requires } from "node:module"; const require = requires(import.meta.url);';
  buildSync({ ...bundle, banner: { js: banner }, entryPoints: [here("map-work.ts")], logLevel: "warning" });
  const clone = join(root, "clone");
  sh("git", ["clone", "-q", "--shared", project, clone]);
  const truths = commits.map((commit) => truthOf(clone, commit));
  const rivals = { ...mapsOf(clone, commits, root), ...listsOf(clone, commits) };
  console.log(
    "\nRecall of what ten held-out commits touch, and of what the files they touch import, at the same budget",
  );
  row(
    "",
    budgets.flatMap((tokens) => [`${tokens} tok:`, ""]),
  );
  row(
    "",
    budgets.flatMap(() => ["files", "symbols"]),
  );
  for (const [name, texts] of Object.entries(rivals))
    row(
      name,
      budgets.flatMap((tokens) => averages(texts(tokens), truths)),
    );
}

function averages(texts, truths) {
  if (texts.includes(undefined)) return ["skipped", ""];
  const found = texts.map(readMap);
  return ["files", "symbols"].map((kind) => percent(truths.map((truth, at) => recall(truth[kind], found[at][kind]))));
}

function mapsOf(clone, commits, root) {
  const made = (goals) => (tokens) => {
    const asked = commits.map(({ commit, goal }) => ({
      commit: sh("git", ["rev-parse", `${commit}^`], { cwd: clone }),
      tokens,
      goal: goals ? goal : "",
    }));
    const input = asked.map((one) => JSON.stringify(one)).join("\n");
    const env = { ...process.env, XDG_STATE_HOME: join(root, "state-quality") };
    return sh(process.execPath, [worker], { cwd: clone, env, input })
      .split("\n")
      .map((line) => JSON.parse(line).text);
  };
  mkdirSync(join(root, "state-quality"), { mode: 0o700 });
  return { "stint map --goal": made(true), "stint map": made(false) };
}

function listsOf(clone, commits) {
  const hasCtags = spawnSync("ctags", ["--version"]).status === 0;
  if (!hasCtags) console.log("\nctags is not on this machine: skipped.");
  const inCtagsOrder = ({ commit }, bytes) => {
    sh("git", ["checkout", "-q", "--detach", `${commit}^`], { cwd: clone });
    return ctagsOrder(clone, bytes);
  };
  return {
    "ctags order": (tokens) => commits.map((one) => (hasCtags ? inCtagsOrder(one, tokens * 4) : undefined)),
    "plain file list": (tokens) => commits.map(({ commit }) => plainList(clone, `${commit}^`, tokens * 4)),
  };
}

function row(name, cells) {
  console.log(`${name.padEnd(30)}${cells.map((cell) => String(cell).padStart(10)).join("")}`.trimEnd());
}

function seconds(value) {
  return `${value.toFixed(2)} s`;
}

function times(ratio) {
  return `${ratio.toFixed(1)}x`;
}

function percent(values) {
  return `${((100 * values.reduce((sum, value) => sum + value, 0)) / values.length).toFixed(0)} %`;
}
