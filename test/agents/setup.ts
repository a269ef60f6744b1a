import { installPrograms } from "./install.ts";

/** The agent programs, and the releases of Node that people run them with, pinned, in the cache. */
export default function setup(): void {
  installPrograms("test/agents/agents.json", "agents");
  installPrograms("test/agents/nodes.json", "node");
}
