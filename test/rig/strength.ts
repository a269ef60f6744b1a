import type { GuardEvidence } from "../../src/engine/evidence.ts";
import { defaultRules } from "../../src/plan/parse.ts";
import type { Task } from "../../src/plan/types.ts";
import type { ChangedText } from "../../src/guards/content-guard.ts";
import { guardTests } from "../../src/guards/test-strength/guard.ts";

/** Files before and after the work; null where there is none. */
export type Edit = Readonly<Record<string, readonly [before: string | null, after: string | null]>>;

/** Asks the guard of test strength about an edit, for a task that says this. */
export async function judgeEdit(
  edit: Edit,
  taskText = "",
  modify: readonly string[] = [],
): Promise<readonly GuardEvidence[]> {
  const changes = Object.entries(edit).map(([path, [before, after]]): ChangedText => {
    return { path, before, after, status: statusOf(before, after), tooLarge: false };
  });
  const contents = {
    task: { text: taskText, files: { create: [], modify, delete: [], touch: [] } } as unknown as Task,
    rules: defaultRules,
    checks: [],
    setup: "",
    changes,
  };
  return await guardTests(contents, async () => null);
}

/** The violations in words, without their lines. */
export async function lossesOf(edit: Edit, taskText = "", modify: readonly string[] = []): Promise<string[]> {
  return (await judgeEdit(edit, taskText, modify)).map(({ path, why }) => `${path} ${why}`);
}

function statusOf(before: string | null, after: string | null): ChangedText["status"] {
  if (before === null) return "A";
  return after === null ? "D" : "M";
}
