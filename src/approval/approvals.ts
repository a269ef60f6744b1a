import { readFileSync } from "node:fs";
import { join, dirname } from "node:path";
import { realFiles } from "../journal/file-port.ts";
import { writeDocument } from "../journal/document.ts";
import type { Result } from "../base/result.ts";
import type { Paths } from "../project/paths.ts";
import type { ApprovedRevision } from "../engine/commands.ts";
import { ensureFolder } from "../journal/io.ts";

/** Programs of the repository that run as agents or hooks, with the hash of their content. They are not part of the plan. */
export type Programs = Readonly<Record<string, string>>;

/** A person's word for exactly one content of a plan, its rules and its settings. */
export interface Approval {
  readonly plan: string;
  /** See plan/hash.ts. */
  readonly hash: string;
  readonly at: string;
  readonly by: string;
  /** The approved commit, to show the difference later. */
  readonly commit: string;
  readonly programs: Programs;
}

/** Reads the approval of a plan. A damaged one is a bug or the work of another program, and only a person may remove it. */
export function readApproval(paths: Paths, plan: string): Approval | undefined {
  const file = fileOf(paths, plan);
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Approval;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    if (!(error instanceof SyntaxError)) throw error;
    throw new Error(`${file} is damaged. Remove it, then read and approve the plan again.`, { cause: error });
  }
}

/** Writes the approval of a plan; it replaces the earlier one. */
export function writeApproval(paths: Paths, approval: Approval): Result<unknown> {
  return writeDocument(realFiles, fileOf(paths, approval.plan), JSON.stringify(approval, null, 2) + "\n");
}

function fileOf(paths: Paths, plan: string): string {
  return join(paths.approvals, `${plan}.json`);
}

/** A person's word for one revision of a run's plan: no command carries it, only this file does. */
export interface RevisionApproval extends ApprovedRevision {
  readonly run: string;
  readonly plan: string;
  readonly at: string;
}

/** Finds the approval of exactly this revision: its hash and its commit. Null where there is none. */
export function approvalOf(
  paths: Pick<Paths, "approvals">,
  run: string,
  { commit, planHash }: Pick<RevisionApproval, "commit" | "planHash">,
): RevisionApproval | null {
  const approval = readRevisionApproval(paths, { run, planHash });
  return approval?.commit === commit ? approval : null;
}

/** Reads a person's approval of this hash for this run; undefined where there is none or the file is damaged. */
function readRevisionApproval(
  paths: Pick<Paths, "approvals">,
  { run, planHash }: Pick<RevisionApproval, "run" | "planHash">,
): RevisionApproval | undefined {
  const path = revisionFile(paths, { run, planHash });
  if (path === undefined || realFiles.stat(path)?.kind !== "file") return undefined;
  try {
    const approval = JSON.parse(realFiles.readFile(path).toString("utf8")) as RevisionApproval;
    return approval.run === run && approval.planHash === planHash ? approval : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Writes the approval of a revision. It is durable when this returns: only then may a command speak of it. */
export function writeRevisionApproval(paths: Pick<Paths, "approvals">, approval: RevisionApproval): Result<unknown> {
  const path = revisionFile(paths, approval);
  if (path === undefined) throw new Error(`Internal error: expected a hash, but was ${approval.planHash}`);
  ensureFolder(realFiles, dirname(path));
  return writeDocument(realFiles, path, JSON.stringify(approval, null, 2) + "\n");
}

/** The hash comes from a command, which may contain anything. */
function revisionFile(
  { approvals }: Pick<Paths, "approvals">,
  { run, planHash }: Pick<RevisionApproval, "run" | "planHash">,
) {
  return /^[0-9a-f]{64}$/.test(planHash) ? join(approvals, "revisions", run, `${planHash}.json`) : undefined;
}
