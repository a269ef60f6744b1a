import { posix } from "node:path";
import type { GuardEvidence } from "../engine/evidence.ts";
import { protectedKind, refusal, whyForbidden, type Change } from "../plan/protected.ts";
import type { Rules, Task } from "../plan/types.ts";
import { did, type ContentGuard } from "./content-guard.ts";

/** A changed path with its added and removed lines. */
export interface CountedChange extends Change {
  readonly lines: number;
}

/** Asks the guards of scope, protected, forbidden and size; which change a task may make is decided by `refusal` in src/plan/protected.ts. */
export function guardChanges(changes: readonly CountedChange[], task: Task, rules: Rules): GuardEvidence[] {
  return [...changes.flatMap((change) => guardPath(change, task, rules)), ...guardSize(changes, rules)];
}

const list = { A: "create", M: "modify", D: "delete" } as const;
const undo = { A: "Delete it", M: "Undo the change", D: "Put it back" } as const;

function guardPath(change: Change, task: Task, rules: Rules): GuardEvidence[] {
  const { status, path } = change;
  const refused = refusal(task.files, change, rules);
  if (refused === undefined) return [];
  const forbidden = whyForbidden(path, rules.forbid);
  if (forbidden !== undefined) {
    return [
      { guard: "forbidden", path, why: `${did[status]}, but it may never change: ${forbidden}. ${undo[status]}.` },
    ];
  }
  const kind = protectedKind(path, rules.protect);
  const orAsk = `${undo[status]}, or ask for the file.`;
  if (kind === "plan") {
    const why = `${did[status]}, but it belongs to the plan or the settings, which agents must not change. ${undo[status]}.`;
    return [{ guard: "protected", path, why }];
  }
  if (kind !== undefined)
    return [
      {
        guard: "protected",
        path,
        why: `${did[status]}, but it is protected (${kind}): the task does not name it. ${orAsk}`,
      },
    ];
  if (refused === "protected") return [{ guard: "protected", path, why: `${did[status]}, but ${unnamed}. ${orAsk}` }];
  return [{ guard: "scope", path, why: `${did[status]}, but it is not in the task's files.${list[status]}. ${orAsk}` }];
}

const unnamed = "it can decide what a check runs, and the task does not name it (`**` does not count)";

function guardSize(changes: readonly CountedChange[], rules: Rules): GuardEvidence[] {
  const counted = changes.filter((change) => protectedKind(change.path, []) !== "lockfile");
  const lines = counted.reduce((sum, change) => sum + change.lines, 0);
  if (lines <= rules.maxChangedLines) return [];
  return [
    {
      guard: "size",
      path: "",
      why: `${lines} lines changed; the rules allow ${rules.maxChangedLines}. Make a smaller change.`,
    },
  ];
}

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
