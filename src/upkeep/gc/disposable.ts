import { runName } from "../../engine/run-name.ts";
import type { Phase } from "../../engine/state.ts";
import { isId } from "../../plan/ids.ts";
import type { AttemptKey } from "../../engine/session.ts";
import type { RunEntry } from "../../hooks/run-entry.ts";
import type { StartedRun } from "../../project/runs.ts";

/** A workspace that can go is saved on the base of its attempt before it is removed. */
type WorkspaceFate =
  | { readonly kind: "remove"; readonly key: AttemptKey; readonly base: string }
  | { readonly kind: "keep"; readonly why: string };

/** Decides about a folder among a run's workspaces, by its name and the run's journal. */
export function fateOfWorkspace(run: StartedRun, name: string): WorkspaceFate {
  const [, id = "", number = ""] = /^(.*)\.([1-9]\d{0,8})$/.exec(name) ?? [];
  const task = isId(id) ? run.state.tasks.get(id) : undefined;
  if (task === undefined) return keep("its name does not belong to an attempt of this run");
  const key = { task: id, attempt: Number(number) };
  const started = run.entries.findLast(
    (entry) => entry.type === "attempt-started" && entry.task === id && entry.attempt === key.attempt,
  );
  if (started?.type !== "attempt-started") return keep("the journal does not know this attempt");
  const theirs = `a person is working in it; \`stint submit ${id}\` submits it`;
  if (key.attempt === task.attempts && isInProgress[task.phase])
    return keep(
      task.phase === "taken"
        ? theirs
        : `the attempt is not finished; \`stint resume ${runName(run.state)}\` resumes it`,
    );
  const isGiven = ({ type, ...of }: RunEntry) =>
    type === "workspace-given" && "attempt" in of && of.task === id && of.attempt === key.attempt;
  if (task.byHand && run.entries.some(isGiven)) return keep(theirs);
  return { kind: "remove", key, base: started.base };
}

function keep(why: string): WorkspaceFate {
  return { kind: "keep", why };
}

/** The workspace has the only copy of an attempt's work until its content is collected. */
const isInProgress: Record<Phase, boolean> = {
  pending: false,
  started: true,
  baselined: true,
  taken: true,
  working: true,
  ended: true,
  rescued: false,
  asking: false,
  waiting: false,
  candidate: false,
  judging: false,
  passed: false,
  integrating: false,
  exhausted: false,
  integrated: false,
  satisfied: false,
  blocked: false,
};

/** Lists every object that journals of unfinished runs name, because a verified commit may not be on any ref yet. */
export function namedObjects(runs: readonly StartedRun[]): Set<string> {
  const unfinished = runs.filter(({ state }) => state.finished === null);
  const texts = unfinished.flatMap(({ entries }) => entries.map((entry) => JSON.stringify(entry)));
  return new Set(texts.flatMap((text) => text.match(/(?<=")(?:[0-9a-f]{40}|[0-9a-f]{64})(?=")/g) ?? []));
}
