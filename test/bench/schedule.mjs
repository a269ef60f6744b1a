/** What no scheduler can beat: the longest chain of tasks, or all work shared evenly by the lanes. */
export function idealMs(tasks, { lanes, final }) {
  const finalWork = sum(final);
  const longest = Math.max(...pathsFrom(tasks).values()) + Math.max(0, ...final);
  const shared = (sum(tasks.flatMap(({ steps }) => steps)) + finalWork) / lanes;
  return Math.max(longest, shared);
}

/**
 * What a greedy scheduler that knows all durations reaches with no overhead: a free lane takes the step with the
 * longest path behind it; a task's steps follow one another, its dependants wait for all of them, the final checks for everything.
 */
export function listScheduleMs(tasks, { lanes, final }) {
  const rank = pathsFrom(tasks);
  const jobs = tasks.flatMap(({ id, depends, steps }) =>
    steps.map((ms, at) => ({
      name: `${id}/${at}`,
      needs: at > 0 ? [`${id}/${at - 1}`] : depends.map((need) => `${need}/${steps.length - 1}`),
      ms,
      // A step that is the last of much work comes first, as verification does.
      rank: rank.get(id) - sum(steps.slice(0, at)),
    })),
  );
  const end = simulate(jobs, lanes);
  return (
    end +
    simulate(
      final.map((ms, at) => ({ name: `final/${at}`, needs: [], ms, rank: ms })),
      lanes,
    )
  );
}

function simulate(jobs, lanes) {
  const waiting = new Set(jobs);
  const ends = new Map();
  const running = [];
  let now = 0;
  while (waiting.size > 0 || running.length > 0) {
    const ready = [...waiting].filter(({ needs }) => needs.every((need) => ends.get(need) <= now));
    ready.sort((a, b) => b.rank - a.rank);
    for (const job of ready.slice(0, lanes - running.length)) {
      waiting.delete(job);
      running.push({ job, end: now + job.ms });
    }
    running.sort((a, b) => a.end - b.end);
    const { job, end } = running.shift();
    now = end;
    ends.set(job.name, end);
  }
  return now;
}

/** The work on the longest chain that begins with each task. */
function pathsFrom(tasks) {
  const dependants = new Map(tasks.map(({ id }) => [id, []]));
  for (const { id, depends } of tasks) for (const need of depends) dependants.get(need).push(id);
  const found = new Map();
  for (const { id, steps } of tasks.toReversed()) {
    found.set(id, sum(steps) + Math.max(0, ...dependants.get(id).map((next) => found.get(next))));
  }
  return found;
}

function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}
