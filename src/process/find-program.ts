import fs from "node:fs";
import path from "node:path";
import { fail, ok, type Result } from "../base/result.ts";
import { crlfShebang, hasCrlfShebang } from "./shebang.ts";
import type { StartFailure } from "./start-failure.ts";

/** Finds the command on the child's own PATH before it is started, so that "not installed" differs from a program's exit 127. */
export function findProgram(options: {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}): Result<string, StartFailure> {
  const { argv, cwd, env } = options;
  const name = argv[0] ?? "";
  if (name === "") return fail("command", "The command is empty.");
  if ([...argv, cwd].some((text) => text.includes("\0"))) return fail("command", "The command contains a NUL byte.");
  if (!fs.statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) {
    return fail("environment", `The working directory ${cwd} does not exist.`);
  }
  const candidates = name.includes("/") ? [path.resolve(cwd, name)] : inPath(name, env["PATH"] ?? "");
  const program = candidates.find(isExecutable);
  if (program === undefined) return notFound(name, candidates);
  if (hasCrlfShebang(program)) return fail("unusable", `${crlfShebang(program)}. Save it with LF line ends.`);
  return ok(program);
}

function inPath(name: string, variable: string): string[] {
  const folders = variable.split(":").filter((folder) => path.isAbsolute(folder));
  return folders.map((folder) => path.join(folder, name));
}

function isExecutable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

function notFound(name: string, candidates: readonly string[]): Result<never, StartFailure> {
  const present = candidates.find((file) => fs.existsSync(file));
  if (present !== undefined && fs.statSync(present).isFile())
    return fail("unusable", `${present} is not an executable file. Run \`chmod +x\` on it.`);
  if (present !== undefined) return fail("no-file", `${present} is not a file.`);
  if (name.includes("/")) return fail("no-file", `${candidates.join()} does not exist.`);
  return fail("program", `${name} was not found on PATH${candidates.length === 0 ? ", which is empty" : ""}.`);
}

/** Returns the program that the settings name: a relative path starts at the root of the repository, and a bare name is left to be looked up on PATH. */
export function locateProgram(program: string, root: string): string {
  const isInRepo = program.includes("/") && !path.isAbsolute(program);
  return isInRepo ? path.join(root, program) : program;
}
