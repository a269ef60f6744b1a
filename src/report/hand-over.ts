import { isUnpublished } from "../engine/push.ts";
import type { RunState } from "../engine/state.ts";
import { planPaths } from "../plan/plan-folder.ts";
import { shellWord } from "../base/command-line.ts";
import { isQuickPlan } from "../plan/quick-plan.ts";
import type { Facts, HandOver, ReportTask, RunReport } from "./model.ts";

/** What a run leaves to a person. */
export interface Left {
  readonly state: RunState;
  readonly facts: Facts;
  readonly tasks: readonly ReportTask[];
  readonly retired: RunReport["retired"];
}

/** Says how to inspect the work, merge it, sign it and undo it; each command does what its description says. */
export function handOver(left: Left): HandOver[] {
  const { state } = left;
  const work = workOf(left);
  const toMerge = left.facts.mergedInto === undefined ? merge(left, work) : [];
  const steps = state.tip === state.base ? [] : [...look(left, work), ...toMerge, ...undo(left, work)];
  return [...steps, ...rescued(left), ...cleanUp(left)];
}

interface Work {
  /** The branch if it has the work, else the commit; as a shell takes it. */
  readonly revision: string;
  readonly isBranch: boolean;
  readonly base: string;
  readonly range: string;
}

function workOf({ state, facts: { branchAt } }: Left): Work {
  const { base, branch, tip } = state;
  const isBranch = branchAt === undefined ? !isUnpublished(state) : branchAt === tip;
  const revision = isBranch ? branch : tip;
  return { revision: shellWord(revision), isBranch, base, range: shellWord(`${base}..${revision}`) };
}

function look({ state, facts }: Left, { isBranch, range }: Work): HandOver[] {
  const about = "look" as const;
  const control = shellWord(facts.control);
  const brings = `The branch ${state.branch} does not have all of this work; this fetches it into your repository.`;
  return [
    ...(isBranch ? [] : [{ about, says: brings, command: `git fetch ${control} ${shellWord(facts.runRef)}` }]),
    { about, says: "The commits, one per task.", command: `git log --oneline ${range}` },
    { about, says: "All changes together.", command: `git diff ${range}` },
  ];
}

function merge({ state, tasks }: Left, { revision, base }: Work): HandOver[] {
  const all = {
    about: "merge" as const,
    says: "Merge everything into your current branch, with one merge commit.",
    command: `git merge --no-ff --no-edit ${revision}`,
  };
  const signed = shellWord(`${state.branch}-signed`);
  const sign = [
    {
      says: "Sign the merge commit with your key, which vouches for everything it merges; no commit changes.",
      command: `git merge --no-ff --no-edit --gpg-sign ${revision}`,
    },
    {
      says: `Sign each commit, on a separate branch. This makes new commits: the same changes with other hashes than in this report. It leaves you on that branch; merge it instead.`,
      command: `git switch --create ${signed} ${revision} && git rebase --force-rebase --gpg-sign ${base}`,
    },
  ];
  return [all, ...mergeSome(state, tasks), ...sign.map((one) => ({ about: "sign" as const, ...one }))];
}

/** Offers parts of the work; a plan of one task has none. */
function mergeSome({ plan, landed }: RunState, tasks: readonly ReportTask[]): HandOver[] {
  const [about, last] = ["merge" as const, landed.at(-1)];
  const before = landed.at(-2);
  if (last === undefined || before === undefined || isQuickPlan(plan)) return [];
  const boxes = `$(git diff --name-only --diff-filter=U -- ${planPaths(plan).join(" ")})`;
  const settle = `{ git checkout --ours -- ${boxes} && git add -- ${boxes} && git -c core.editor=true cherry-pick --continue; }`;
  return [
    {
      about,
      says: `Merge only up to one task, here ${before.task}, by its commit. Each commit was verified on top of the earlier ones.`,
      command: `git merge --no-ff --no-edit ${before.commit}`,
    },
    {
      about,
      says: `Take one task alone, here ${last.task}. It was verified on top of the others, so run its checks again${needs(last.task, tasks)}. If only its checkbox in the plan conflicts, your version of the plan is kept.`,
      command: `git cherry-pick ${last.commit} || ${settle}`,
    },
  ];
}

function needs(id: string, tasks: readonly ReportTask[]): string {
  const depends = tasks.find((task) => task.id === id)?.depends ?? [];
  return depends.length === 0 ? "" : `; it builds on ${depends.join(", ")}`;
}

function undo({ state: { base, tip }, facts: { mergedInto } }: Left, { isBranch, revision }: Work): HandOver[] {
  const about = "undo" as const;
  const merged = `"$(git rev-list --merges --topo-order --ancestry-path ${tip}..HEAD | tail -n 1)"`;
  return [
    ...(isBranch ? [{ about, says: deleteBranch(mergedInto), command: `git branch -D ${revision}` }] : []),
    {
      about,
      says: "Right after merging, before anything else is done or pushed: undo it completely.",
      command: "git reset --merge ORIG_HEAD",
    },
    {
      about,
      says: "Any time after merging: revert the whole merge with a new commit.",
      command: `git revert --no-edit -m 1 ${merged}`,
    },
    {
      about,
      says: "The same after a fast-forward merge, without a merge commit: one revert per commit.",
      command: `git revert --no-edit ${base}..${tip}`,
    },
  ];
}

function deleteBranch(mergedInto: string | undefined): string {
  return mergedInto === undefined
    ? "Before merging: delete the branch."
    : `Delete the branch; ${mergedInto} has its work.`;
}

function rescued({ tasks, retired }: Left): HandOver[] {
  const saved = [...tasks, ...retired].flatMap(({ id, attempts }) =>
    attempts.flatMap(({ attempt, rescue }) => (rescue === null ? [] : [{ id, attempt, rescue }])),
  );
  return saved.map(({ id, attempt, rescue }) => ({
    about: "rescued",
    says: `The work of attempt ${attempt} at ${id}, which did not land.`,
    command: `${rescue} && git show FETCH_HEAD`,
  }));
}

function cleanUp({ tasks, retired }: Left): HandOver[] {
  const about = "clean up" as const;
  const hasSaved = [...tasks, ...retired].some(({ attempts }) => attempts.some(({ rescue }) => rescue !== null));
  const forget = "Also delete the saved work of finished runs, for good.";
  return [
    { about, says: "Remove workspaces and caches; uncommitted work is saved first.", command: "stint gc" },
    ...(hasSaved ? [{ about, says: forget, command: "stint gc --rescued" }] : []),
  ];
}
