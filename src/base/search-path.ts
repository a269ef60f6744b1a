import { delimiter, isAbsolute } from "node:path";

/** What the system searches where nobody set PATH. */
const defaultPath = "/usr/local/bin:/usr/bin:/bin";

/** PATH without its relative and empty entries: each of them would run what an agent wrote into the current folder. */
export function absoluteSearchPath(variable: string | undefined): string {
  const entries = (variable ?? "").split(delimiter).filter((entry) => isAbsolute(entry));
  return entries.join(delimiter) || defaultPath;
}
