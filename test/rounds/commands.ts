import { execFile } from "node:child_process";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** Runs a program to its end and returns what it printed; a failure throws with what it said. */
export async function output(program: string, args: readonly string[], cwd?: string): Promise<string> {
  const options = { maxBuffer: 1 << 26, encoding: "utf8" as const, ...(cwd === undefined ? {} : { cwd }) };
  return (await execute(program, [...args], options)).stdout;
}

/** The lines of a text, without the empty ones. */
export function linesOf(text: string): readonly string[] {
  return text.split("\n").filter((line) => line !== "");
}
