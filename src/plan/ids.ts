import { planLimits } from "./limits.ts";

const idPattern = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** Whether a plan or task may have this name: safe as a file name, a ref, an argument and an environment value. */
export function isId(name: string): boolean {
  return idPattern.test(name);
}

/** What a reader, or a file system that ignores case, cannot tell apart has the same folded form. */
export function foldId(name: string): string {
  return name.normalize("NFKC").toUpperCase().toLowerCase();
}

/** The rule in words, for messages. */
export const idRule = 'use 1 to 64 characters from a-z, 0-9 and "-", starting with a letter or digit';

/** Makes words part of a name, short enough for a branch and a run's id; empty where no letter or digit is left. */
export function slugOf(words: string): string {
  const plain = words.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const parts = plain.match(/[a-z0-9]+/g) ?? [];
  return parts.join("-").slice(0, planLimits.quickSlugCharsMax).replace(/-$/, "");
}
