import { languageOf } from "../syntax/language.ts";
import { definesCommands } from "../plan/definitions.ts";
import { protectedKind } from "../plan/protected.ts";

/**
 * Whether an untracked file could decide what tests find: a test, a setting of their runner, a definition of commands. What
 * package managers and builders fill is left out, except for what is loaded or called from there by name.
 */
export function couldDecideTests(path: string): boolean {
  if (/(?:^|\/)(?:sitecustomize|usercustomize)\.py$/.test(path)) return true;
  if (filledByTools.test(path)) return false;
  const kind = protectedKind(path, []);
  return kind === "runner-config" || (kind === "test" && languageOf(path) !== undefined) || definesCommands(path);
}

const filledByTools =
  /(?:^|\/)(?:node_modules|\.venv|venv|vendor|target|dist|build|out|\.tox|\.nox|\.gradle|\.yarn|\.pnpm-store|Pods|site-packages|__pycache__|coverage|\.cache|\.next)\//;

/** Whether a link among the programs of packages leads out of them, into the project's own files. */
export function isForeignProgram(path: string, target: string): boolean {
  return /(?:^|\/)node_modules\/\.bin\/[^/]+$/.test(path) && (target.startsWith("/") || target.startsWith("../../"));
}
