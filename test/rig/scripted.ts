import type { Moves } from "../../src/agents/scripted/moves.ts";
import { createRig, type Rig, type RigOptions } from "./rig.ts";

/** A rig whose executor is the driver `scripted`, with its file of moves in the repo. */
export async function createScriptedRig(options: Omit<RigOptions, "moves"> & { readonly moves: Moves }): Promise<Rig> {
  const { moves, config = {}, files = {}, ...rest } = options;
  return createRig({
    ...rest,
    files: { ...files, "moves.json": JSON.stringify(moves) },
    config: {
      ...config,
      agents: { embedded: { driver: "scripted", command: ["moves.json"] } },
      roles: { executor: { agent: "embedded", model: "small" }, ...config["roles"] },
    },
  });
}
