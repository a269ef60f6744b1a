import type { Control } from "./control.ts";
import type { GitOptions } from "./run.ts";

/**
 * The repository whose settings apply and the folder that objects are written to: the control repository's own, or that of
 * the user's repository, whose configuration is not read even then.
 */
export type ObjectStore = Pick<Control, "dir" | "objectsDir">;

/** Points git at a store. */
export function inStore({ dir, objectsDir }: ObjectStore): GitOptions & { readonly env: Record<string, string> } {
  return { gitDir: dir, env: { GIT_OBJECT_DIRECTORY: objectsDir } };
}
