import { installPrograms } from "../agents/install.ts";

/** The test runners that attacks are tried in, pinned, in the cache. */
export default function setup(): void {
  installPrograms("test/attacks/runners.json", "runners");
}
