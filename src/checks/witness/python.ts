import { join } from "node:path";
import { inFront } from "./in-front.ts";
import type { Witness } from "./witness.ts";

/**
 * pytest and unittest: a module that every Python of the check loads first. A command that sets PYTHONPATH for itself
 * would lose it, so programs in front of PATH put it back.
 */
export const pythonWitness: Witness = ({ tools }, env) => ({
  prepend: {
    PYTHONPATH: { value: join(tools, "python"), separator: ":" },
    ...inFront(tools, { env, programs: ["python", "python3", "pytest"] }),
  },
});
