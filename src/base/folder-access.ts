import { accessSync, constants, existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { systemReason } from "./result.ts";

/** Why a folder must not be used, as the end of a sentence about it, and how to fix it. */
export interface FolderFlaw {
  readonly why: string;
  readonly cure: string;
}

/** Says why nothing can be created in a folder. */
export function accessFlaw(folder: string): FolderFlaw | undefined {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const cure = existsSync(folder) ? "Fix its permissions" : "Create it";
    return { why: `is not writable (${systemReason(error)})`, cure: `${cure}.` };
  }
}

/** Says why there can be no temporary files, and what to do. */
export function whyNoTemporaryFiles(): string | undefined {
  const flaw = accessFlaw(tmpdir());
  if (flaw === undefined) return undefined;
  const cure = flaw.cure.replace(/\.$/, ", or set TMPDIR to another folder.");
  return `${tmpdir()}, the folder for temporary files, ${flaw.why}. ${cure}`;
}
