import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { UserEnvironment } from "../agents/environment.ts";
import { limits } from "../limits.ts";
import { checkEnvironment } from "../verify/room-environment.ts";
import { runCommand } from "../verify/run-command.ts";
import type { Checkout } from "./checkout.ts";

export interface SetUpOptions {
  readonly checkout: Pick<Checkout, "dir">;
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
  readonly logFile: string;
  readonly signal: AbortSignal;
}

/** Runs the set-up command in a checkout; returns why it failed, first line for people, then its output. */
export async function setUpCheckout({
  checkout,
  command,
  env,
  logFile,
  signal,
}: SetUpOptions): Promise<string | undefined> {
  const ended = await runCommand({
    command,
    cwd: checkout.dir,
    env,
    timeoutMs: limits.setupTimeoutMs,
    logFile,
    signal,
  });
  signal.throwIfAborted();
  if (ended.kind === "exited" && ended.code === 0) return undefined;
  return `set-up failed (${ended.kind === "exited" ? `exit ${ended.code}` : ended.kind}): ${command}\n${ended.tail}`;
}

/** The environment of set-up and checks, with a HOME and a temporary folder of their own below `dir`. */
export async function roomEnvironment(
  dir: string,
  { userEnv, extra }: { readonly userEnv: UserEnvironment; readonly extra: readonly string[] },
): Promise<Record<string, string>> {
  const [home, tmp] = [join(dir, "home"), join(dir, "tmp")];
  await Promise.all([home, tmp].map((folder) => mkdir(folder, { recursive: true, mode: 0o700 })));
  return checkEnvironment({ userEnv, home, tmp, extra });
}
