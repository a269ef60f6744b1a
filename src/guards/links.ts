import { posix } from "node:path";
import { protectedKind } from "../plan/protected.ts";
import type { ContentGuard } from "./content-guard.ts";

/** Finds links to protected files: the work should write its own content, not borrow that of a test. */
export const guardLinks: ContentGuard = async ({ changes, rules }) =>
  changes.flatMap(({ path, after, isLink }) => {
    if (isLink !== true || after === null || protectedKind(path, rules.protect) !== undefined) return [];
    const target = posix.join(posix.dirname(path), after);
    const kind = protectedKind(target, rules.protect) ?? protectedKind(`${target}/any`, rules.protect);
    if (kind === undefined) return [];
    return [
      {
        guard: "protected",
        path,
        why: `is a symbolic link to ${target}, which is protected (${kind}). Make it a regular file.`,
      },
    ];
  });
