import { cargoWitness } from "./cargo.ts";
import { goWitness } from "./go.ts";
import { nodeWitness } from "./node.ts";
import { pythonWitness } from "./python.ts";
import type { Witness } from "./witness.ts";

/** Every family of test runners that is heard. */
export const witnesses: readonly Witness[] = [nodeWitness, pythonWitness, goWitness, cargoWitness];
