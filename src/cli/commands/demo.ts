import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { exitCodes } from "../../engine/exit-code.ts";
import type { Io } from "../io.ts";

/** The demo is a script of public commands, beside the bundle in the package. */
export async function demo(io: Io, { agent }: { readonly agent?: string }): Promise<number> {
  const script = fileURLToPath(new URL("../../demo/run.mjs", import.meta.url));
  const cli = process.argv[1] ?? "";
  const child = spawn(process.execPath, [script, cli, ...(agent === undefined ? [] : [agent])], {
    stdio: "inherit",
    env: io.env,
  });
  const [code] = (await once(child, "exit")) as [number | null];
  return code ?? exitCodes.internal;
}
