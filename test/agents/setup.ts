import { installPrograms } from "./install.ts";

/** The agent programs, pinned, in the cache. */
export default function setup(): void {
  installPrograms("test/agents/agents.json", "agents");
}
