/**
 * A draft as a session that corrected another one means it: what it left takes the place of what was there, and a task
 * that it did not leave stays as long as the plan still names it.
 */
export function mergeDraft(
  before: ReadonlyMap<string, Uint8Array>,
  left: ReadonlyMap<string, Uint8Array>,
): ReadonlyMap<string, Uint8Array> {
  const plan = left.get("plan.md");
  const index = plan === undefined ? null : new TextDecoder().decode(plan);
  const kept = [...before].filter(([name]) => index === null || !name.startsWith("tasks/") || index.includes(name));
  return new Map([...kept, ...left]);
}
