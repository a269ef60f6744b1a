import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { PlanFiles } from "../../plan/types.ts";
import { ok, type Result } from "../../result.ts";
import type { Project } from "../project.ts";

/** A plan's documents, and what of the checkout they may take the place of. */
export interface HandedOver {
  readonly plan: string;
  /** By path in the repository. */
  readonly documents: ReadonlyMap<string, Uint8Array>;
  /** Whether a plan that stands there may change. */
  readonly replace: boolean;
  /** The plan that is revised: a file that is as it stands there, or as HEAD has it, is nobody's unsaved work. */
  readonly standing?: PlanFiles;
}

/** Writes a plan's documents to the user's checkout; says which paths it wrote or removed. */
export async function handOver({ repo }: Project, { documents }: HandedOver): Promise<Result<readonly string[]>> {
  for (const [path, bytes] of documents) {
    await mkdir(dirname(join(repo.root, path)), { recursive: true });
    await writeFile(join(repo.root, path), bytes);
  }
  return ok([...documents.keys()]);
}
