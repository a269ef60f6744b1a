import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { exitCodes } from "../../engine/exit-code.ts";
import type { Io } from "../io.ts";

export interface DemoOptions {
  readonly agent?: string;
  readonly short?: true;
  /** Whether to wait for Enter between chapters, in a terminal. */
  readonly pause: boolean;
}

/** The demo is a script of public commands, beside the bundle in the package. */
export async function demo(io: Io, { agent, short, pause }: DemoOptions): Promise<number> {
  const script = fileURLToPath(new URL("../../demo/run.mjs", import.meta.url));
  const cli = process.argv[1] ?? "";
  const flags = [
    ...(agent === undefined ? [] : ["--agent", agent]),
    ...(short === true ? ["--short"] : []),
    ...(pause ? [] : ["--no-pause"]),
  ];
  const child = spawn(process.execPath, [script, ...flags, cli], {
    stdio: "inherit",
    env: io.env,
  });
  const [code] = (await once(child, "exit")) as [number | null];
  return code ?? exitCodes.internal;
}
