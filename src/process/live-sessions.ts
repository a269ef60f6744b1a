/** Functions that end each running session without waiting, by the leader's pid. */
const live = new Map<number, () => void>();

/** Ends the session if Stint exits before it, as it does on a second Ctrl-C; returns a function that cancels this. */
export function guardSession(leader: number, endNow: () => void): () => void {
  if (live.size === 0) process.on("exit", endAll);
  live.set(leader, endNow);
  return () => {
    live.delete(leader);
    if (live.size === 0) process.off("exit", endAll);
  };
}

/** Whether this process leads a session that Stint supervises now. */
export function leadsSession(pid: number): boolean {
  return live.has(pid);
}

function endAll(): void {
  for (const endNow of live.values()) endNow();
}
