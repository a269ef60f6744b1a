import { resolve } from "node:path";
import { writes } from "./moves.ts";

/** Settings under which every task is done by an agent that speaks ACP, which a test can hold in its turn. */
export function heldPeer(path: string, hold: string) {
  const script = { heard: "/dev/null", turn: [{ hold }, ...writes(path)] };
  const command = ["node", resolve("test/rig/acp-peer.mjs"), JSON.stringify(script)];
  return {
    agents: { peer: { driver: "acp", command, env: ["RIG_MOVES"] } },
    roles: { executor: { agent: "peer" } },
    run: { attempts: 1 },
  };
}
