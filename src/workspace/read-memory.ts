import { checkKey, type MechanicalCheck } from "../checks/checks.ts";
import { canMatter, type Reads } from "../checks/reads/reads.ts";
import type { Control } from "../git/control.ts";
import type { Change } from "../git/diff.ts";
import { changesWithFolders } from "../git/write-objects.ts";
import { workspaceLimits } from "./limits.ts";
import type { UnreadRequest } from "./room-port.ts";
import type { Furniture } from "./set-up.ts";
import { reachesFurther } from "./tracked-files.ts";

/** What the checks of a run were seen to read, in this process: after a resume each check is asked once more. */
export interface ReadMemory {
  /** Whether it is worth watching the check: it can be watched, and what it reads did not change again and again. */
  readonly canWatch: (check: MechanicalCheck) => boolean;
  /** Notes what a check read that was green on a commit. */
  readonly note: (commit: string, check: MechanicalCheck, reads: Reads) => void;
  /** Notes that a check is green only if it is not watched. */
  readonly leaveAlone: (check: MechanicalCheck) => void;
  readonly landed: (commit: string) => void;
  readonly unread: (request: UnreadRequest) => Promise<ReadonlySet<string>>;
}

interface Seen {
  /** The check is known to be green on this commit: it was, or nothing that it reads differs since. */
  commit: string;
  readonly reads: Reads;
}

export function readMemory(control: Control, { setup, cache }: Furniture): ReadMemory {
  const waiting = new Map<string, Map<string, Reads>>();
  const seen = new Map<string, Seen>();
  const inVain = new Map<string, number>();
  const shy = new Set<string>();
  const differences = latest<readonly Change[]>((pair) => changesWithFolders(control, ...(pair as [string, string])));
  // What set-up makes is part of what a check reads, and by the settings it depends on these files, or else on any.
  let hasInputs: Promise<boolean> | undefined;
  const isSetupInput = async (onto: string) => {
    if (setup === undefined) return () => false;
    hasInputs ??= cache?.inputsOf(onto).then((inputs) => inputs !== undefined) ?? Promise.resolve(false);
    return (await hasInputs) ? (file: string) => cache?.isInput(file) === true : () => true;
  };
  return {
    canWatch: (check) => {
      const key = checkKey(check);
      const wasInVain = (inVain.get(key) ?? 0) >= workspaceLimits.watchedInVainMax;
      return check.kind === "run" && !check.network && !shy.has(key) && !wasInVain;
    },
    note: (commit, check, reads) => {
      const ofCommit = waiting.get(commit) ?? new Map<string, Reads>();
      waiting.set(commit, ofCommit.set(checkKey(check), reads));
      const [oldest] = waiting.keys();
      if (waiting.size > workspaceLimits.watchedCommitsMax && oldest !== undefined) waiting.delete(oldest);
    },
    leaveAlone: (check) => void shy.add(checkKey(check)),
    landed: (commit) => {
      for (const [key, reads] of waiting.get(commit) ?? []) seen.set(key, { commit, reads });
      waiting.delete(commit);
    },
    unread: async ({ checks, onto, from, to, further = [] }) => {
      const own = await differences([from, to]);
      const isInput = await isSetupInput(onto);
      const matters = (reads: Reads, changes: readonly Change[]) =>
        canMatter(reads, changes) || changes.some((change) => reachesFurther(change) || isInput(change.path));
      const keys = new Set<string>();
      for (const key of checks.map(checkKey)) {
        const known = seen.get(key);
        if (known === undefined) continue;
        const isSame = !matters(known.reads, await differences([known.commit, onto]));
        // So that the next one has only to look at what is new since.
        if (isSame) known.commit = onto;
        if (isSame && !matters(known.reads, own) && !further.some((path) => known.reads.names.has(path))) keys.add(key);
        else inVain.set(key, (inVain.get(key) ?? 0) + 1);
      }
      return keys;
    },
  };
}

/** Remembers what was asked last: all checks of one verification ask for the same few differences. */
function latest<T>(work: (pair: readonly [string, string]) => Promise<T>) {
  const known = new Map<string, Promise<T>>();
  return async (pair: readonly [string, string]): Promise<T> => {
    const key = pair.join(" ");
    const found = known.get(key) ?? work(pair);
    found.catch(() => known.delete(key));
    known.delete(key);
    known.set(key, found);
    const [oldest] = known.keys();
    if (known.size > workspaceLimits.differencesKeptMax && oldest !== undefined) known.delete(oldest);
    return await found;
  };
}
