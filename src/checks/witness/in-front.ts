import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import type { WitnessEntries } from "./witness.ts";

/** PATH with our own programs in front, but only of those that are there: a command may ask whether they are. */
export function inFront(
  tools: string,
  { env, programs }: { readonly env: Readonly<Record<string, string>>; readonly programs: readonly string[] },
): NonNullable<WitnessEntries["prepend"]> {
  const folders = (env["PATH"] ?? "").split(":").filter((folder) => folder !== "");
  const found = programs.filter((program) => folders.some((folder) => isExecutable(join(folder, program))));
  if (found.length === 0) return {};
  return { PATH: { value: found.map((program) => join(tools, "in-front", program)).join(":"), separator: ":" } };
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
