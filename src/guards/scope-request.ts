import type { EventOf, RunSettings } from "../engine/events.ts";
import { checksLimits } from "../checks/limits.ts";
import { guardsLimits } from "./limits.ts";
import { isClaimed, type Claims } from "../plan/claims.ts";
import { isGlob, pathProblem } from "../plan/paths.ts";
import {
  allows,
  effectiveFiles,
  isStintOwn,
  protectedKind,
  refusal,
  whyForbidden,
  type ProtectedKind,
} from "../plan/protected.ts";
import type { Rules, TaskFiles } from "../plan/types.ts";
import { shortened, visible } from "../base/visible.ts";
import { whyItDecides, type Judging } from "../checks/check-words.ts";

/** A session's request for files beyond its task's, with all that decides what becomes of it. */
export interface ScopeRequest {
  readonly task: string;
  readonly attempt: number;
  readonly wanted: readonly string[];
  /** The agent's own words, for the person who is asked. */
  readonly words: string;
  /** Which request of the task this is, from 1. */
  readonly count: number;
  readonly granted: readonly string[];
  readonly judging: Judging;
  /** The other tasks: this one must not change what their checks rely on either. */
  readonly others: readonly Pick<Judging, "files" | "checks">[];
  /** Tasks that people are doing by hand. */
  readonly inHand: readonly { readonly task: string; readonly claims: Claims }[];
  readonly rules: Pick<Rules, "protect" | "forbid">;
  readonly policy: RunSettings["scopeRequests"];
}

/** A file that a person could grant; `note` says why the settings alone may not. */
interface Grantable {
  readonly path: string;
  readonly note: string | undefined;
}

/** Answers a request by the settings, or makes it a question; both name what can never be granted, and leave it out. */
export function settleRequest(request: ScopeRequest): EventOf<"scope-decided"> | EventOf<"question"> {
  const { task, attempt, policy, count } = request;
  const of = { task, attempt };
  const { grantable, never } = sortRequest(request);
  const files = grantable.map(({ path }) => path);
  const refused = never.length === 0 ? "" : ` Cannot be granted: ${listed(never)}.`;
  const decided = (granted: boolean, why: string) =>
    ({ type: "scope-decided", ...of, files, granted, why: why + refused }) as const;
  if (policy === "refuse") return decided(false, "The settings refuse requests for files.");
  if (files.length === 0)
    return decided(false, never.length > 0 ? "None can be granted." : "The task may change them already.");
  const isPlain = grantable.every(({ note }) => note === undefined);
  if (policy === "grant" && isPlain && count <= guardsLimits.scopeGrantsMax)
    return decided(true, "The settings grant them.");
  const question = questionText(grantable, request.words) + refused;
  return {
    type: "question",
    ...of,
    id: `${task}.${attempt}`,
    about: "scope",
    question,
    options: ["grant", "refuse"],
    files,
  };
}

function sortRequest(request: ScopeRequest) {
  const { wanted, granted, judging, rules } = request;
  const paths = [...new Set(wanted.map((path) => path.replace(/^(?:\.\/)+/, "")))];
  const files = effectiveFiles(judging, granted);
  const never = paths.flatMap((path) => {
    const why = whyNever(path, rules);
    return why === undefined ? [] : [{ path, why }];
  });
  const possible = paths.filter((path) => !never.some((one) => one.path === path) && !isCovered(path, files, rules));
  const noted = possible.map((path): Grantable => ({ path, note: whyAsked(path, request) }));
  // What a person must not overlook comes first.
  return { never, grantable: noted.toSorted((a, b) => Number(a.note === undefined) - Number(b.note === undefined)) };
}

function whyNever(path: string, rules: ScopeRequest["rules"]): string | undefined {
  if (path.length > guardsLimits.grantedPathCharsMax) return "is too long to be read in a question";
  if (isGlob(path) || path.endsWith("/")) return "is not a single file; ask for each by its path";
  const problem = pathProblem(path);
  if (problem !== undefined) return problem;
  if (visible(path) !== path) return "contains characters that cannot be seen";
  if (isStintOwn(path)) return "is part of the plan or settings, which agents must not change";
  const forbidden = whyForbidden(path, rules.forbid);
  return forbidden === undefined ? undefined : `may never change: ${forbidden}`;
}

function isCovered(path: string, files: TaskFiles, rules: ScopeRequest["rules"]): boolean {
  if ([files.create, files.modify, files.touch].some((entries) => entries.includes(path))) return true;
  return (["A", "M"] as const).every((status) => refusal(files, { status, path }, rules) === undefined);
}

/** Whatever the settings say, a person decides about files that the checks rely on, and about files that another person is editing. */
function whyAsked(path: string, { judging, others, inHand, rules }: ScopeRequest): string | undefined {
  const kind = protectedKind(path, rules.protect);
  if (kind !== undefined) return `${kinds[kind]}, protected`;
  const isJudge = others.some((other) => !isWork(path, other) && whyItDecides(path, { ...other, setup: "" }));
  if (isJudge) return whyItDecides(path, judging) ?? "a check of another task names it";
  return whyItDecides(path, judging) ?? whyTheirs(path, inHand);
}

/** What a task may write is its work: its checks look at it, and do not rely on it. */
function isWork(path: string, { files }: Pick<Judging, "files">): boolean {
  return allows(files, "A", path) || allows(files, "M", path);
}

/** A person who edits a file by hand must not find out at the end that an agent was given it meanwhile. */
function whyTheirs(path: string, inHand: ScopeRequest["inHand"]): string | undefined {
  const theirs = inHand.find(({ claims }) => isClaimed(path, claims));
  return theirs === undefined ? undefined : `taken by hand with ${theirs.task}`;
}

const kinds: Record<ProtectedKind, string> = {
  plan: "plan or settings",
  "git-config": "git's own settings",
  "agent-settings": "settings of agents",
  dependency: "installed dependencies",
  test: "test file",
  "runner-config": "settings of a test runner",
  ci: "CI settings",
  lockfile: "lockfile",
  rules: "by the rules",
};

function questionText(grantable: readonly Grantable[], words: string): string {
  const files = grantable.map(({ path, note }) => (note === undefined ? path : `${path} (${note})`));
  const said = words === "" ? "" : ` It says: "${shortened(visible(words), guardsLimits.quotedCharsMax)}"`;
  return `May it also create or change ${files.join(", ")}?${said}`;
}

function listed(never: readonly { readonly path: string; readonly why: string }[]): string {
  const first = never
    .slice(0, checksLimits.pathsNamedMax)
    .map(({ path, why }) => `${shortened(visible(path), 100)} ${why}`);
  const more = never.length - first.length;
  return [...first, ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
}
