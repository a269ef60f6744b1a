import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeChain, runChain } from "./chain.mjs";
import { median, sh, timed } from "./measure.mjs";

/**
 * What a task costs in a chain of instant tasks, and its verification, by the files of the repository and by the tasks before
 * it, whose checks it may break. The floor is bare git alone doing the same tasks in the same repository on the same disk.
 */
export function depth(args) {
  const sizes = args.map(Number).filter((size) => size > 0);
  const disks = ["/dev/shm", tmpdir()].filter((disk) => args.length === 0 || !args.some(isDisk) || args.includes(disk));
  console.log(
    "\nA chain of instant tasks: milliseconds of a verification, and of a whole task (the median of the first ten) against bare git",
  );
  console.log("                              verification of task               task in all");
  console.log("disk       sandbox   files       1      10      40  last/first    ms   bare git   ratio");
  const least = new Map();
  for (const disk of disks.filter((one) => existsSync(one)))
    for (const files of sizes.length > 0 ? sizes : [100, 2_000, 100_000])
      for (const sandbox of ["auto", "none"])
        measure(least, { disk, files, sandbox, tasks: files > 10_000 && sandbox === "none" ? 10 : 40 });
}

function isDisk(arg) {
  return arg.startsWith("/");
}

/** In a large repository a task may take so many times as long as in the smallest one measured, where layers work. */
const goal = 2;

function measure(least, { disk, files, sandbox, tasks }) {
  const root = mkdtempSync(join(disk, "stint-depth-"));
  try {
    const chain = makeChain(root, {
      ...{ files: manyFiles(files), sandbox, tasks },
      does: 'mkdir -p out\necho done > "out/$STINT_TASK.txt"',
      creates: (id) => `out/${id}.txt`,
      check: (id) => `test -f out/${id}.txt`,
    });
    const floor = bareGit(root, chain);
    const { verifications, perTask } = runChain(root, chain);
    const shown = [1, 10, 40].map((task) => verifications[task - 1] ?? "");
    const growth = median(verifications.slice(-3)) / median(verifications.slice(0, 3));
    const cells = [
      ...shown.map((ms) => String(ms).padStart(7)),
      growth.toFixed(2).padStart(9),
      perTask.toFixed(0).padStart(9),
    ];
    const place = `${disk} ${sandbox}`;
    if (!least.has(place)) least.set(place, perTask);
    const times = perTask / least.get(place);
    const isJudged = sandbox !== "none" && times !== 1;
    const verdict = isJudged
      ? ` ${times.toFixed(1)}x of the smallest, goal ${goal}x: ${times <= goal ? "met" : "MISSED"}`
      : "";
    const where = `${disk.padEnd(10)} ${sandbox.padEnd(8)} ${String(files).padStart(6)} `;
    console.log(
      `${where}${cells.join(" ")} ${floor.toFixed(0).padStart(10)} ${(perTask / floor).toFixed(2).padStart(7)}x${verdict}`,
    );
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function manyFiles(count) {
  const text = "text ".repeat(100);
  const names = Array.from({ length: count }, (_, at) => [`src/d${at % 500}/f${at}.txt`, `file ${at}\n${text}\n`]);
  return Object.fromEntries(names);
}

/**
 * The same first ten tasks by a script that trusts everybody: for each, a clone for the agent, its commit, a clone for the
 * check, the check, and the branch moved on. Returns the median of the milliseconds of one.
 */
function bareGit(root, { repo, agent, ids }) {
  const branch = join(root, "branch.git");
  sh("git", ["clone", "-q", "--bare", "--shared", repo, branch]);
  const who = ["-c", "user.name=b", "-c", "user.email=b@b"];
  const times = ids.slice(0, 10).map((id) => {
    const [work, fresh] = [join(root, `work-${id}`), join(root, `fresh-${id}`)];
    const ms = timed(() => {
      sh("git", ["clone", "-q", "--shared", branch, work]);
      sh(agent, [], { cwd: work, env: { ...process.env, STINT_TASK: id } });
      sh("git", ["add", "-A"], { cwd: work });
      sh("git", [...who, "commit", "-q", "-m", id], { cwd: work });
      sh("git", ["clone", "-q", "--shared", work, fresh]);
      sh("/bin/sh", ["-c", `test -f out/${id}.txt`], { cwd: fresh });
      sh("git", ["push", "-q", "origin", "HEAD"], { cwd: work });
    });
    for (const dir of [work, fresh]) rmSync(dir, { recursive: true, force: true });
    return ms;
  });
  return median(times);
}
