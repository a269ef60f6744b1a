import { join } from "node:path";
import type { Witness } from "./witness.ts";

/** node:test, vitest and jest: a module that every node of the check loads first, and that costs nothing where none of them runs. */
export const nodeWitness: Witness = ({ tools }) => ({
  prepend: { NODE_OPTIONS: { value: `--require=${quoted(join(tools, "node", "preload.cjs"))}`, separator: " " } },
});

/** As node reads its options from the environment: in quotes, a backslash takes the next character literally. */
function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, (found) => `\\${found}`)}"`;
}
