import { warningAt } from "../../problem.ts";
import { sortedPaths } from "../../sorted-paths.ts";
import type { Problem } from "../../types.ts";

/** Settings and rules in a place where nothing reads them are as good as none, and nobody notices. */
export function adviseMisplaced(repoFiles: ReadonlySet<string>, files: Iterable<string>): Problem[] {
  const likely = [".stint", "stint"].flatMap((start) => [...sortedPaths(repoFiles).startingWith(start)]);
  return [...new Set([...likely, ...files])].flatMap((path) => {
    const [, right] = places.find(([wrong]) => wrong.test(path)) ?? [];
    if (right === undefined || right === path) return [];
    const message = `this file is not read. Move it: \`git mv ${path} ${right}\``;
    return [warningAt(path, { line: 1, column: 1 }, { code: "not-read", message })];
  });
}

const places: readonly (readonly [RegExp, string])[] = [
  [/^(?:\.stint\/(?:config|settings|stint)|\.?stint(?:\.config|rc)?)\.(?:ya?ml|json|toml)$/, ".stint/config.yaml"],
  [/^(?:\.stint\/rules\.(?:ya?ml|txt|markdown|md)|\.?stint-rules\.md)$/, ".stint/rules.md"],
];
