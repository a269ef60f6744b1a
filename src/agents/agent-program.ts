import { existsSync } from "node:fs";
import { fail, ok, type Result } from "../base/result.ts";
import type { AgentConfig } from "../config/types.ts";
import { baseEnvironment, type UserEnvironment } from "../process/environment.ts";
import { findProgram, locateProgram } from "../process/find-program.ts";
import type { StartFailure } from "../process/start-failure.ts";
import type { AgentFacts } from "./driver-kit/agent.ts";

/** Returns the program that sessions of an agent start, or why there is none; `root` is null outside a repository. */
export function programOf(
  { command }: Pick<AgentConfig, "command">,
  facts: Pick<AgentFacts, "program" | "commandIsFile">,
  { root, env }: { readonly root: string | null; readonly env: UserEnvironment },
): Result<string, StartFailure> {
  const [word = facts.program ?? ""] = command;
  const argv = [root === null ? word : locateProgram(word, root)];
  if (root === null && word.includes("/") && !word.startsWith("/"))
    return fail("command", `${word} is relative to a repository, but this is not one.`);
  if (facts.commandIsFile === true) return movesAt(argv[0] ?? "");
  return findProgram({ argv, cwd: "/", env: baseEnvironment(env) });
}

/** A scripted agent is a file that is read, so it need not be executable. */
function movesAt(file: string): Result<string, StartFailure> {
  return existsSync(file) ? ok(file) : fail("no-file", `${file}, the moves of a scripted agent, does not exist.`);
}

/** Says how to get a program that cannot be started; undefined where the failure's own message says it. */
export function programCure({ reason }: StartFailure): string | undefined {
  if (reason === "unusable") return undefined;
  return reason === "program" ? "Install it" : "Correct the `command` of the agent";
}
