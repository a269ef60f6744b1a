import { guardTestAware } from "../../src/guards/test-aware/guard.ts";
import { judged } from "./contents.ts";

/** What the guard says about a new or changed source file, without how to fix it. */
export async function foundIn(path: string, text: string, before: string | null = null): Promise<string[]> {
  const found = await judged(guardTestAware, { edits: { [path]: [before, `${text}\n`] } });
  return found.map(({ why }) => why.split(" in its new lines")[0] ?? "");
}
