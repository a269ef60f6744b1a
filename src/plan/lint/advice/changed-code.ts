import { expandBraces, isGlob } from "../../paths.ts";
import type { TaskFiles } from "../../types.ts";

/** Finds the code among the files that a task writes: prose, pictures and data have no tests, and deleted files need none. */
export function codeIn({ create, modify, touch }: TaskFiles): string[] {
  return [...create, ...modify, ...touch].filter((pattern) => (expandBraces(pattern) ?? [pattern]).some(isCode));
}

function isCode(pattern: string): boolean {
  const name = pattern.slice(pattern.lastIndexOf("/") + 1);
  const [, ending] = /\.([a-z0-9]+)$/i.exec(name) ?? [];
  if (ending !== undefined) return endings.has(ending.toLowerCase());
  return isGlob(pattern) && !withoutCode.test(pattern);
}

const withoutCode = /^(?:docs?|assets|images|designs?|locales|i18n|translations|plans)\//i;

const endings = new Set(
  (
    "js cjs mjs jsx ts cts mts tsx vue svelte astro coffee py go rs java kt kts groovy scala clj cljs rb erb php c h cc cpp cxx hh hpp " +
    "cs fs vb swift m mm dart ex exs erl hs ml mli elm lua pl pm r jl zig nim sh bash zsh fish ps1 sql proto graphql"
  ).split(" "),
);
