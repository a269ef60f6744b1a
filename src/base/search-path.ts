import { delimiter, isAbsolute } from "node:path";

/** The system searches these folders if PATH is not set. */
const defaultPath = "/usr/local/bin:/usr/bin:/bin";

/** Returns PATH without relative and empty entries, which would run what an agent wrote into the current folder. */
export function absoluteSearchPath(variable: string | undefined): string {
  const entries = (variable ?? "").split(delimiter).filter((entry) => isAbsolute(entry));
  return entries.join(delimiter) || defaultPath;
}
