import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openCases, partOf, readCases, type Case } from "./case.ts";
import { withTables } from "./page.ts";
import { missingPrograms } from "./programs.ts";
import { detailOf, lineOf } from "./report.ts";
import { runCase } from "./run-case.ts";
import { isGood, type Result } from "./score.ts";
import { tablesOf } from "./tables.ts";

/** This is bundled to .cache/cheats, which is as deep below the root as its source. */
const root = join(import.meta.dirname, "..", "..");
const page = join(root, "docs", "verification.md");

/** As many as the machine that has to do it in three minutes has cores. */
const lanes = 2;

const words = process.argv.slice(2);
const isWriting = words.includes("--write");
const part = words.find((word) => word.startsWith("--part="))?.slice("--part=".length);
const names = words.filter((word) => !word.startsWith("--"));
const isWhole = names.length === 0 && part === undefined;
const folder = join(root, "test", "cheats");
const chosen = partOf(readCases(folder, names), part);
if (part !== undefined) console.log(`Part ${part}: ${chosen.length} cases; npm run cheats runs them all.`);
process.exitCode = (await play(chosen)) ? 0 : 1;

/** Whether all is as it is known to be: what gets through is on a list, and nothing else does. The page is about the whole corpus. */
async function play(cases: readonly Case[]): Promise<boolean> {
  const skips = cases.flatMap((one) => missingPrograms(one).map((program) => ({ one, program })));
  const results = await runAll(cases.filter((one) => !skips.some((skip) => skip.one === one)));
  console.log(`\n${tablesOf(results)}\n`);
  for (const result of results.filter((one) => !isGood(one))) console.log(detailOf(result));
  for (const { one, program } of skips) console.log(`SKIPPED ${one.name}: this machine has no ${program}`);
  const isSound = results.every(({ outcome }) => outcome.kind !== "spoilt");
  const open = openCases(folder);
  const surprises = results.filter((one) => isGood(one) === open.has(one.one.name));
  for (const { one } of surprises) console.log(surprise(one, open.has(one.name)));
  const isSettled = !isWhole || settlePage(results, skips.length);
  return isSettled && isSound && surprises.length === 0;
}

function surprise({ name, isCheat }: Case, isOpen: boolean): string {
  if (isOpen) return `SURPRISE ${name} does not get through any more: take it off test/cheats/open.yaml.`;
  return `SURPRISE ${name} ${isCheat ? "gets through" : "is refused"}: fix the guard, or put it on test/cheats/open.yaml and say why.`;
}

async function runAll(cases: readonly Case[]): Promise<Result[]> {
  const scratch = join(root, ".cache", "rigs");
  mkdirSync(scratch, { recursive: true });
  const done = new Map<Case, Result>();
  // The slow ones first: else one of them would run alone at the end.
  const waiting = cases.toSorted((a, b) => (b.needs?.length ?? 0) - (a.needs?.length ?? 0));
  const lane = async (): Promise<void> => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      const began = performance.now();
      const outcome = await runCase(one, scratch);
      const result = { one, outcome, durationMs: Math.round(performance.now() - began) };
      done.set(one, result);
      console.log(lineOf(result));
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return cases.flatMap((one) => done.get(one) ?? []);
}

/** The page says what the whole corpus showed, or is made to; a machine that lacks programs can neither confirm nor deny it. */
function settlePage(results: readonly Result[], skipCount: number): boolean {
  if (skipCount > 0) {
    console.log(`${skipCount} cases were skipped, so docs/verification.md was neither written nor compared.`);
    return true;
  }
  const text = readFileSync(page, "utf8");
  const next = withTables(text, tablesOf(results));
  if (isWriting) writeFileSync(page, next);
  if (isWriting || text === next) return true;
  console.log("docs/verification.md says something else. Run `npm run cheats -- --write` and look at what changed.");
  return false;
}
