/** Does the same work on several lanes at once; when one fails, the others are aborted, and nothing is left running. */
export async function onLanes<T>(
  count: number,
  signal: AbortSignal,
  work: (lane: number, signal: AbortSignal) => Promise<T>,
): Promise<T[]> {
  const abort = new AbortController();
  const both = AbortSignal.any([signal, abort.signal]);
  const failures: unknown[] = [];
  const lanes = Array.from({ length: count }, async (_, lane) => {
    try {
      return [await work(lane, both)];
    } catch (error) {
      failures.push(error);
      abort.abort();
      return [];
    }
  });
  const done = (await Promise.all(lanes)).flat();
  if (failures.length > 0) throw failures[0];
  return done;
}
