import { inFront } from "./in-front.ts";
import type { Witness } from "./witness.ts";

/** go test: a `go` in front of PATH, because what it compiles in depends on the release that the module asks for. */
export const goWitness: Witness = ({ tools }, env) => ({ prepend: inFront(tools, { env, programs: ["go"] }) });
