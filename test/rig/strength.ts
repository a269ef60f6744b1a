import type { GuardEvidence } from "../../src/engine/evidence.ts";
import { defaultRules } from "../../src/plan/rules.ts";
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

/** The violations in words, without their lines and without how to fix them, which each of them must say. */
export async function lossesOf(edit: Edit, taskText = "", modify: readonly string[] = []): Promise<string[]> {
  return (await judgeEdit(edit, taskText, modify)).map(({ path, why }) => `${path} ${withoutFix(why)}`);
}

function withoutFix(why: string): string {
  const fix = fixes.find((one) => why.endsWith(one));
  if (fix === undefined) throw new Error(`Internal error: expected a message that says how to fix it, but was: ${why}`);
  return why.slice(0, -fix.length);
}

const fixes = [
  ". Write tests that run and can fail.",
  ". Make its tests demand at least what they demanded before.",
  ". Put its tests back, or move them.",
  ". Split it into smaller files.",
];

function statusOf(before: string | null, after: string | null): ChangedText["status"] {
  if (before === null) return "A";
  return after === null ? "D" : "M";
}
