import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describeRole, resolveRole } from "../../config/roles.ts";
import { builtIn, originOf, originOfRole, showSettings } from "../../config/show.ts";
import { exitCodes } from "../../engine/exit-code.ts";
import { openUserRepo } from "../../git/user-repo.ts";
import { hasErrors } from "../../approval/committed-plan.ts";
import { readSettings, type Settings } from "../../project/settings.ts";
import { unreadableProblems } from "../../plan/problem.ts";
import { readPlanFilesFromDisk } from "../../plan/read.ts";
import { roles } from "../../plan/types.ts";
import { visible } from "../../base/visible.ts";
import { promptFiles } from "../../prompts/overrides.ts";
import { refuse, type Io } from "../io.ts";
import { renderProblem } from "./lint.ts";

export interface ConfigOptions {
  readonly json?: true;
  readonly dumpPrompts?: string;
}

/** `stint config`: shows the settings in effect, and where each comes from. */
export async function config(io: Io, options: ConfigOptions): Promise<number> {
  if (options.dumpPrompts !== undefined) return await dumpPrompts(io, options.dumpPrompts);
  const repo = await openUserRepo(io.cwd);
  if (!repo.ok) return refuse(io, exitCodes.internal, repo.failure.message);
  // No plan is named "", so this reads the project's settings alone.
  const files = readPlanFilesFromDisk(repo.value.root, "");
  const settings = readSettings(io, files);
  const problems = [...unreadableProblems(files), ...settings.problems];
  for (const problem of problems) io.err(renderProblem(problem));
  if (hasErrors(problems)) return refuse(io, exitCodes.usage, "the settings have errors; fix them first");
  const rows = rowsOf(settings);
  if (options.json === true) io.out(JSON.stringify(rows));
  else for (const line of renderRows(rows)) io.out(visible(line));
  return exitCodes.done;
}

interface Row {
  readonly key: string;
  readonly value: unknown;
  /** `file:line`, or another source. */
  readonly origin: string;
}

function rowsOf(settings: Settings): Row[] {
  const shown = showSettings(settings.config).map((setting) => ({
    ...setting,
    origin: originOf(settings.origins, setting.key),
  }));
  const prompts = Object.entries(settings.prompts).map(([name, { file }]) => ({
    key: `prompts.${name}`,
    value: file ?? `${name}.md`,
    origin: file === null ? builtIn : `${file}:1`,
  }));
  return [...shown, ...roleRows(settings), ...prompts];
}

function roleRows(settings: Settings): Row[] {
  return roles.map((role) => {
    const resolved = resolveRole(settings.config, role);
    const value = resolved === undefined ? null : describeRole(resolved);
    return { key: `roles.${role}`, value, origin: originOfRole(settings, role) };
  });
}

function renderRows(rows: readonly Row[]): string[] {
  const width = Math.max(...rows.map(({ origin }) => origin.length));
  return rows.map(({ key, value, origin }) => `${origin.padEnd(width)}  ${key}: ${renderValue(value)}`);
}

function renderValue(value: unknown): string {
  if (value === null) return "none";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Overwrites nothing: an existing file may be a person's work. */
async function dumpPrompts(io: Io, folder: string): Promise<number> {
  const dir = resolve(io.cwd, folder);
  if (!(await makeFolder(dir)))
    return refuse(io, exitCodes.usage, `${folder} cannot be a folder: a file is in the way. Name another one.`);
  const kept: string[] = [];
  for (const [name, text] of promptFiles()) {
    if (await writeNew(join(dir, name), text)) io.out(visible(join(folder, name)));
    else kept.push(join(folder, name));
  }
  if (kept.length === 0) return exitCodes.done;
  return refuse(io, exitCodes.usage, `not overwritten: ${kept.join(", ")}. Use another folder, or move them away.`);
}

/** Returns false where a file has the name of the folder, or of one above it. */
async function makeFolder(dir: string): Promise<boolean> {
  try {
    await mkdir(dir, { recursive: true });
    return true;
  } catch (error) {
    if (["EEXIST", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
}

async function writeNew(path: string, text: string): Promise<boolean> {
  try {
    await writeFile(path, text, { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}
