import { readFileSync } from "node:fs";
import { join } from "node:path";
import { realFiles } from "../journal/file-port.ts";
import { writeDocument } from "../journal/document.ts";
import type { Result } from "../base/result.ts";
import type { Paths } from "../project/paths.ts";

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

/** The approval of a plan; a damaged one is a bug or a foreign hand, and only a person may remove it. */
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

/** Replaces what was approved of the plan before. */
export function writeApproval(paths: Paths, approval: Approval): Result<unknown> {
  return writeDocument(realFiles, fileOf(paths, approval.plan), JSON.stringify(approval, null, 2) + "\n");
}

function fileOf(paths: Paths, plan: string): string {
  return join(paths.approvals, `${plan}.json`);
}
