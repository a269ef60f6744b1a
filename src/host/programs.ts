import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { loadDriver } from "../agents/drivers.ts";
import type { Config } from "../config/load.ts";
import { isQuickPlan } from "../plan/quick-plan.ts";

/** Programs of the repository that are run as agents, with the hash of their content; they lie outside the plan. */
export type Programs = Readonly<Record<string, string>>;

/** A program named with a slash is relative to the repo root; a bare name is looked up on PATH. */
export function locateProgram(program: string, root: string): string {
  return isInRepo(program) ? join(root, program) : program;
}

/** By agent, the program its driver starts where the settings name none; null where the driver is the agent. */
export async function driverPrograms({ agents }: Config): Promise<ReadonlyMap<string, string | null>> {
  const named = Object.entries(agents).map(async ([name, { driver }]) => {
    const { facts } = await loadDriver(driver);
    return [name, facts.program] as const;
  });
  return new Map(await Promise.all(named));
}

/** What an approval has to remember of the agents: a script that changes afterwards was not approved. */
export function agentPrograms(config: Config, root: string): Programs {
  const words = Object.values(config.agents).flatMap(({ command }) => command);
  const files = words.filter((word) => word.includes("/") && isFileIn(root, resolve(root, word)));
  const hashes = files.map((word) => [word, contentHash(resolve(root, word))] as const);
  return Object.fromEntries(hashes.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** What was approved of the programs that a run has: one of an earlier approval has settings, and agents, of its own. */
export function among(approved: Programs, now: Programs): Programs {
  return Object.fromEntries(Object.entries(approved).filter(([word]) => word in now));
}

/** Why the agents are not the approved ones any more, or undefined. */
export function whyProgramsDiffer(approved: Programs, now: Programs, plan: string): string | undefined {
  const words = new Set([...Object.keys(approved), ...Object.keys(now)]);
  const changed = [...words].find((word) => approved[word] !== now[word]);
  if (changed === undefined) return undefined;
  const again = isQuickPlan(plan) ? "type the same `stint do` again" : `approve again with \`stint approve ${plan}\``;
  const cure = `Look at it, then ${again}.`;
  return `the agent's program ${changed} was changed after plan ${plan} was approved. ${cure}`;
}

function isInRepo(program: string): boolean {
  return program.includes("/") && !isAbsolute(program);
}

function isFileIn(root: string, path: string): boolean {
  return path.startsWith(`${root}/`) && existsSync(path);
}

function contentHash(file: string): string {
  try {
    return createHash("sha256").update(readFileSync(file)).digest("hex");
  } catch {
    return "unreadable";
  }
}
