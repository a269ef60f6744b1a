import { dirname, join } from "node:path";
import type { ApprovedRevision } from "../engine/commands.ts";
import { realFiles } from "../journal/file-port.ts";
import { writeDocument } from "../journal/document.ts";
import { ensureFolder } from "../journal/io.ts";
import type { Result } from "../base/result.ts";
import type { Paths } from "../project/paths.ts";

/** A person's word for one revision of a run's plan: no command carries it, only this file does. */
export interface RevisionApproval extends ApprovedRevision {
  readonly run: string;
  readonly plan: string;
  readonly at: string;
}

/** A person's approval of this hash for this run; undefined where there is none or the file is damaged. */
function readRevisionApproval(
  paths: Pick<Paths, "approvals">,
  { run, planHash }: Pick<RevisionApproval, "run" | "planHash">,
): RevisionApproval | undefined {
  const path = fileOf(paths, { run, planHash });
  if (path === undefined || realFiles.stat(path)?.kind !== "file") return undefined;
  try {
    const approval = JSON.parse(realFiles.readFile(path).toString("utf8")) as RevisionApproval;
    return approval.run === run && approval.planHash === planHash ? approval : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The same, if it is for exactly this commit. */
export function approvalOf(
  paths: Pick<Paths, "approvals">,
  run: string,
  { commit, planHash }: Pick<RevisionApproval, "commit" | "planHash">,
): RevisionApproval | null {
  const approval = readRevisionApproval(paths, { run, planHash });
  return approval?.commit === commit ? approval : null;
}

/** Durable when it returns: only then may a command speak of it. */
export function writeRevisionApproval(paths: Pick<Paths, "approvals">, approval: RevisionApproval): Result<unknown> {
  const path = fileOf(paths, approval);
  if (path === undefined) throw new Error(`Internal error: expected a hash, but was ${approval.planHash}`);
  ensureFolder(realFiles, dirname(path));
  return writeDocument(realFiles, path, JSON.stringify(approval, null, 2) + "\n");
}

/** A command says the hash, and may say anything. */
function fileOf(
  { approvals }: Pick<Paths, "approvals">,
  { run, planHash }: Pick<RevisionApproval, "run" | "planHash">,
) {
  return /^[0-9a-f]{64}$/.test(planHash) ? join(approvals, "revisions", run, `${planHash}.json`) : undefined;
}
