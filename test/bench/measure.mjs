import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** Milliseconds of one synchronous call. */
export function timed(work) {
  const begun = performance.now();
  work();
  return performance.now() - begun;
}

export function sh(command, args, options = {}) {
  const result = spawnSync(command, args, { encoding: "utf8", maxBuffer: 1 << 28, ...options });
  if (result.status !== 0) throw new Error(`${command} ${args.join(" ")}: ${result.stderr}`);
  return result.stdout.trim();
}

export function row(name, ms, ratio) {
  console.log(
    `${name.padEnd(44)} ${ms.toFixed(0).padStart(6)} ms${ratio === undefined ? "" : `   ${ratio.toFixed(2)}x`}`,
  );
}

/** The events of the only run of a repository. */
export function eventsOf(repo) {
  const runs = join(repo, ".git/stint/runs");
  const journal = readFileSync(join(runs, readdirSync(runs)[0], "journal.jsonl"), "utf8");
  return journal
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}
