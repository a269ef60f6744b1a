import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { play, type Played } from "./play.ts";

interface Range {
  readonly from: number;
  readonly to: number;
  /** Every so many-th seed. */
  readonly step: number;
}

const names = new Set(["--seed", "--seeds", "--from"]);
const usage = "npm run sim [-- --seed N | --seeds COUNT [--from N]]";

if (isMainThread) await main(process.argv.slice(2));
else await work(workerData as Range);

async function main(args: readonly string[]): Promise<void> {
  const options = new Map<string, number>();
  for (let at = 0; at < args.length; at += 2) options.set(args[at] ?? "", Number(args[at + 1]));
  const isKnown = [...options].every(([name, value]) => names.has(name) && Number.isSafeInteger(value) && value >= 0);
  if (!isKnown) {
    print(`usage: ${usage}`);
    process.exitCode = 2;
    return;
  }
  const seed = options.get("--seed");
  if (seed !== undefined) return replay(seed);
  await playAll(options.get("--from") ?? 0, options.get("--seeds") ?? 20_000);
}

/** Tells one seed step by step. */
async function replay(seed: number): Promise<void> {
  const { violations, steps } = await play(seed, print);
  print(`seed ${seed}: ${steps} steps, ${violations.length === 0 ? "all promises kept" : "VIOLATED"}`);
  for (const violation of violations) print(`  ${violation}`);
  process.exitCode = violations.length === 0 ? 0 : 1;
}

async function playAll(from: number, count: number): Promise<void> {
  const lanes = availableParallelism();
  const begun = performance.now();
  const broken: Played[] = [];
  let [steps, done] = [0, 0];
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      const range: Range = { from: from + lane, to: from + count, step: lanes };
      const worker = new Worker(fileURLToPath(import.meta.url), {
        workerData: range,
        // Each life leaves little behind: a large nursery spares most of the work of collecting it.
        resourceLimits: { maxYoungGenerationSizeMb: 256 },
      });
      worker.on("message", (played: Played) => {
        steps += played.steps;
        done += 1;
        if (played.violations.length > 0) broken.push(played);
      });
      await new Promise((resolve, reject) => worker.on("exit", resolve).on("error", reject));
    }),
  );
  for (const { seed, violations } of broken.toSorted((a, b) => a.seed - b.seed).slice(0, 20)) {
    print(`seed ${seed}: ${violations[0]}   (npm run sim -- --seed ${seed})`);
  }
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  print(`${done} seeds, ${steps} steps, ${broken.length} with a broken promise, ${seconds} s on ${lanes} lanes`);
  process.exitCode = broken.length === 0 && done === count ? 0 : 1;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function report(played: Played): void {
  // eslint-disable-next-line unicorn/require-post-message-target-origin -- a port of a thread has no origin
  parentPort?.postMessage(played);
}

async function work({ from, to, step }: Range): Promise<void> {
  Error.stackTraceLimit = 0;
  for (let seed = from; seed < to; seed += step) report(await play(seed));
}
