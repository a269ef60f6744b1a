import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { loadDriver } from "../agents/drivers.ts";
import type { Config } from "../config/load.ts";
import type { Programs } from "./approvals.ts";
import { isQuickPlan } from "../plan/quick-plan.ts";

/** The program that each agent's driver starts where the settings name none; null where the driver is the agent. */
export async function driverPrograms({ agents }: Config): Promise<ReadonlyMap<string, string | null>> {
  const named = Object.entries(agents).map(async ([name, { driver }]) => {
    const { facts } = await loadDriver(driver);
    return [name, facts.program] as const;
  });
  return new Map(await Promise.all(named));
}

/** The programs that an approval records for agents and hooks: a script that changes afterwards was not approved. */
export function namedPrograms({ agents, hooks }: Config, root: string): Programs {
  const words = Object.values(agents).flatMap(({ command }) => command.filter((word) => word.includes("/")));
  return hashesOf([...words, ...hooks.flatMap(({ command = [] }) => filesOfHook(command))], root);
}

/** Why a hook must not run, or undefined: a pull or a merge may change its program during the run. */
export function whyHookDiffers(command: readonly string[], root: string, approved: Programs): string | undefined {
  const now = hashesOf(filesOfHook(command), root);
  const changed = Object.keys(now).find((word) => now[word] !== approved[word]);
  return changed === undefined ? undefined : `${changed} was changed after the plan was approved`;
}

/** It runs in the repo root, where an interpreter finds a file by its bare name, too. */
function filesOfHook([program = "", ...words]: readonly string[]): string[] {
  return program.includes("/") ? [program, ...words] : words;
}

function hashesOf(words: readonly string[], root: string): Programs {
  const files = words.filter((word) => isFileIn(root, resolve(root, word)));
  const hashes = files.map((word) => [word, contentHash(resolve(root, word))] as const);
  return Object.fromEntries(hashes.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The approved ones of a run's programs: a run of an earlier approval has settings of its own. */
export function among(approved: Programs, now: Programs): Programs {
  return Object.fromEntries(Object.entries(approved).filter(([word]) => word in now));
}

/** Why the agents and hooks are no longer the approved ones, or undefined. */
export function whyProgramsDiffer(approved: Programs, now: Programs, plan: string): string | undefined {
  const words = new Set([...Object.keys(approved), ...Object.keys(now)]);
  const changed = [...words].find((word) => approved[word] !== now[word]);
  if (changed === undefined) return undefined;
  const again = isQuickPlan(plan) ? "run the same `stint do` again" : `approve again with \`stint approve ${plan}\``;
  const cure = `Review it, then ${again}.`;
  return `the program ${changed} was changed after plan ${plan} was approved. ${cure}`;
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
