import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { decidingRole, describeRole, resolveRole } from "../../config/roles.ts";
import { showSettings } from "../../config/show.ts";
import { exitCodes } from "../../engine/exit-code.ts";
import { openUserRepo } from "../../git/user-repo.ts";
import { hasErrors } from "../../host/committed-plan.ts";
import { readSettings, type Settings } from "../../host/settings.ts";
import { unreadableProblems } from "../../plan/problem.ts";
import { readPlanFilesFromDisk } from "../../plan/read.ts";
import { roles } from "../../plan/types.ts";
import { visible } from "../../plan/visible.ts";
import { promptFiles } from "../../prompts/dump.ts";
import { refuse, type Io } from "../io.ts";
import { renderProblem } from "./lint.ts";

export interface ConfigOptions {
  readonly json?: true;
  readonly dumpPrompts?: string;
}

/** `stint config`: what is in effect, and who says so. */
export async function config(io: Io, options: ConfigOptions): Promise<number> {
  if (options.dumpPrompts !== undefined) return await dumpPrompts(io, options.dumpPrompts);
  const repo = await openUserRepo(io.cwd);
  if (!repo.ok) return refuse(io, exitCodes.internal, repo.failure.message);
  // No plan is named "", so this reads the project's settings alone.
  const files = readPlanFilesFromDisk(repo.value.root, "");
  const settings = readSettings(io, files);
  const problems = [...unreadableProblems(files), ...settings.problems];
  for (const problem of problems) io.err(renderProblem(problem));
  if (hasErrors(problems)) return refuse(io, exitCodes.usage, "the settings have errors; correct them first");
  const rows = rowsOf(settings);
  if (options.json === true) io.out(JSON.stringify(rows));
  else for (const line of renderRows(rows)) io.out(visible(line));
  return exitCodes.done;
}

interface Row {
  readonly key: string;
  readonly value: unknown;
  /** `file:line`, or who else said so. */
  readonly origin: string;
}

function rowsOf(settings: Settings): Row[] {
  const shown = showSettings(settings.config).map((setting) => ({
    ...setting,
    origin: originOf(settings, setting.key),
  }));
  const prompts = Object.entries(settings.prompts).map(([name, { file }]) => ({
    key: `prompts.${name}`,
    value: file ?? `${name}.md`,
    origin: file === null ? builtIn : `${file}:1`,
  }));
  return [...shown, ...roleRows(settings), ...prompts];
}

const builtIn = "built in";

function originOf({ origins }: Settings, key: string): string {
  const origin = origins.get(key);
  return origin === undefined ? builtIn : `${origin.file}:${origin.line}`;
}

function roleRows(settings: Settings): Row[] {
  const { config, origins } = settings;
  return roles.map((role) => {
    const key = `roles.${role}`;
    const deciding = decidingRole(config.roles, role);
    const resolved = resolveRole(config, role);
    if (deciding === undefined || resolved === undefined) return { key, value: null, origin: "no agent found on PATH" };
    const value = describeRole(resolved);
    if (deciding !== role) return { key, value, origin: `as roles.${deciding}` };
    return { key, value, origin: origins.has(key) ? originOf(settings, key) : "found on PATH" };
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

/** Never overwrites: what is there may be somebody's work. */
async function dumpPrompts(io: Io, folder: string): Promise<number> {
  const dir = resolve(io.cwd, folder);
  await mkdir(dir, { recursive: true });
  const kept: string[] = [];
  for (const [name, text] of promptFiles()) {
    if (await writeNew(join(dir, name), text)) io.out(visible(join(folder, name)));
    else kept.push(join(folder, name));
  }
  if (kept.length === 0) return exitCodes.done;
  return refuse(io, exitCodes.usage, `not overwritten: ${kept.join(", ")}. Name another folder, or move them away.`);
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
