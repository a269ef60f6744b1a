import { planOfRun } from "../engine/run-name.ts";
import { createHash } from "node:crypto";
import { join, isAbsolute } from "node:path";
import { systemUser } from "../base/system-user.ts";
import type { AttemptKey } from "../engine/session.ts";

/** The paths of everything Stint keeps for one repository. None is in the user's work tree. */
export interface Paths {
  readonly state: string;
  readonly approvals: string;
  readonly locks: string;
  readonly runs: string;
  readonly planningSessions: string;
  /** Workspaces, rooms and agents' homes: outside the repository, because agents work there. */
  readonly scratch: string;
}

export function pathsOf(commonDir: string, env: NodeJS.ProcessEnv): Paths {
  const state = join(commonDir, "stint");
  const key = createHash("sha256").update(commonDir).digest("hex").slice(0, 16);
  return {
    state,
    approvals: join(state, "approvals"),
    locks: join(state, "locks"),
    runs: join(state, "runs"),
    planningSessions: join(state, "plannings"),
    scratch: join(stintHome(env), key),
  };
}

/** The folder for all repositories of the user, one folder each, and for the agents' homes. */
export function stintHome(env: NodeJS.ProcessEnv): string {
  return join(stateHome(env), "stint");
}

/** The agents' own homes, one for each. */
export function agentHomes(env: NodeJS.ProcessEnv): string {
  return join(stintHome(env), "homes");
}

/** Paths of one run. */
export function runPaths(paths: Paths, run: string) {
  const dir = join(paths.runs, run);
  const scratch = join(paths.scratch, run);
  return {
    run,
    dir,
    journal: join(dir, "journal.jsonl"),
    /** What readers of the journal keep of it, to be faster the next time. */
    checkpoint: join(dir, "checkpoint"),
    /** The folder where commands from other terminals arrive. */
    commands: join(dir, "commands"),
    attempt: ({ task, attempt, judge }: AttemptKey) =>
      join(dir, "attempts", `${task}.${attempt}`, judge === undefined ? "" : `judge-${judge}`),
    /** Holds one folder per attempt: the tree, its outbox, its inbox. Those of judges hold no work. */
    workspace: ({ task, attempt, judge }: AttemptKey) =>
      judge === undefined
        ? join(scratch, "workspaces", `${task}.${attempt}`)
        : join(scratch, "judges", `${task}.${attempt}.${judge}`),
    /** The folder in which another plan is made for the run. */
    revision: (number: number) => join(dir, "revisions", String(number)),
    scratch,
    judges: join(scratch, "judges"),
    /** Clones of planners that revise the plan; nothing in them is work. */
    planners: join(scratch, "planners"),
    workspaces: join(scratch, "workspaces"),
    rooms: join(scratch, "rooms"),
  };
}

/** The paths of a session, in a run or in planning: what is kept of it, and where it works. */
export interface SessionPaths {
  /** The name that agents see. */
  readonly run: string;
  /** The command that resumes it. */
  readonly resumeCommand: string;
  readonly attempt: (key: AttemptKey) => string;
  readonly workspace: (key: AttemptKey) => string;
}

/** The paths of one planning session. */
export function planningPaths(paths: Paths, id: string): PlanningPaths {
  const [dir, scratch] = [join(paths.planningSessions, id), join(planningScratch(paths), id)];
  return planningPathsIn({ run: id, resumeCommand: `stint plan --continue ${planOfRun(id) ?? ""}`, dir, scratch });
}

export type PlanningPaths = ReturnType<typeof planningPathsIn>;

/** The paths of a planning session in any folder: a run keeps its revisions in its own. */
export function planningPathsIn(
  where: Pick<SessionPaths, "run" | "resumeCommand"> & { readonly dir: string; readonly scratch: string },
) {
  const { run, resumeCommand, dir, scratch } = where;
  return {
    ...where,
    journal: join(dir, "journal.jsonl"),
    map: join(dir, "map.md"),
    inputs: join(dir, "inputs"),
    /** The draft as it was last assessed, for people and for the next session. */
    draft: join(dir, "draft"),
    /** Questions for another front end to ask, and its answers. */
    questions: join(dir, "questions.json"),
    answers: join(dir, "answers.json"),
    /** The paths of one session, by its number over all phases. */
    session: (session: number, phase: string): SessionPaths & { readonly dir: string; readonly output: string } => {
      const folder = join(dir, "sessions", `${session}.${phase}`);
      return {
        run,
        resumeCommand,
        dir: folder,
        output: join(folder, "output.log"),
        attempt: () => folder,
        workspace: () => join(scratch, `${session}.${phase}`),
      };
    },
  };
}

/** The clones of planning sessions, which hold no work. They are apart from runs, whose names look alike. */
export function planningScratch(paths: Paths): string {
  return join(paths.scratch, "plannings");
}

/** The folder of set-up results, kept for all runs of the repository. */
export function setupCacheDir(paths: Paths): string {
  return join(paths.scratch, "set-up");
}

/** The folders of one attempt: the tree belongs to the agent, the inbox is read-only. */
export function sessionPaths(paths: Pick<SessionPaths, "attempt" | "workspace">, key: AttemptKey) {
  const dir = paths.workspace(key);
  return { dir, tree: join(dir, "tree"), inbox: join(dir, "inbox"), outbox: join(dir, "outbox") };
}

/** A judge's session about a task; one about the plan lies beside the plan's final checks. */
export function judgeKey(about: {
  readonly task: string | null;
  readonly attempt: number;
  readonly session: number;
}): AttemptKey {
  return { task: about.task ?? "final", attempt: about.attempt, judge: about.session };
}

/** The folder of the XDG convention; a relative value is ignored, as the convention says. */
function stateHome(env: NodeJS.ProcessEnv): string {
  const set = env["XDG_STATE_HOME"];
  return set !== undefined && isAbsolute(set) ? set : join(userHome(env), ".local", "state");
}

/** The user's own settings and prompts, for all projects. */
export function userConfigDir(env: NodeJS.ProcessEnv): string {
  const set = env["XDG_CONFIG_HOME"];
  const folder = set !== undefined && isAbsolute(set) ? set : join(userHome(env), ".config");
  return join(folder, "stint");
}

/** An empty or relative HOME is none: below it, state would land in the user's checkout. */
export function userHome(env: NodeJS.ProcessEnv): string {
  const set = env["HOME"];
  return set !== undefined && isAbsolute(set) ? set : (systemUser().home ?? "/");
}

/** The refs of saved work that did not land, in the control repository. */
export const rescueRefs = "refs/stint/rescue/";

/** The ref that saves the work of one attempt. */
export function rescueRef(run: string, { task, attempt }: AttemptKey): string {
  return `${rescueRefs}${run}/${task}/${attempt}`;
}

/** The truth of a run's progress, in the control repository. */
export function runRef(run: string): string {
  return `refs/stint/runs/${run}`;
}

/** Keeps a revision of a run's plan alive, in the control repository; the name follows from the content, so no two meet. */
export function revisionRef(run: string, commit: string): string {
  return `refs/stint/revisions/${run}/${commit}`;
}
