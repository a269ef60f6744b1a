import type { GuardEvidence } from "../engine/evidence.ts";
import type { Contents, ContentGuard, ReadBase } from "./content-guard.ts";
import { guardCommentsOnly } from "./comments-only.ts";
import { guardDefinitions } from "./definitions/guard.ts";
import { guardLinks } from "./scope.ts";
import { guardSecrets } from "./secrets.ts";
import { guardSilenced } from "./silenced/guard.ts";
import { guardTests } from "./test-strength/guard.ts";
import { guardTestAware } from "./test-aware/guard.ts";

const guards: readonly ContentGuard[] = [
  guardTests,
  guardDefinitions,
  guardSecrets,
  guardTestAware,
  guardSilenced,
  guardLinks,
  guardCommentsOnly,
];

/** Reads what an attempt wrote: every violation, guard by guard. */
export async function guardContents(contents: Contents, readBase: ReadBase): Promise<GuardEvidence[]> {
  const found = await Promise.all(guards.map((guard) => guard(contents, readBase)));
  return found.flat();
}
