import { posix } from "node:path";
import { mappedLanguageOf } from "../../syntax/language.ts";

/** Finds the files that an import may mean. */
export type Resolve = (from: string, text: string) => readonly number[];

/** Compares paths alone, in every language: a relative path first, else files whose path ends like the import. */
export function importResolver(paths: readonly string[]): Resolve {
  const exact = new Map<string, number>();
  const byStem = new Map<string, number[]>();
  paths.forEach((path, at) => {
    const stem = withoutExtension(path);
    exact.set(path, at);
    if (!exact.has(stem)) exact.set(stem, at);
    const name = posix.basename(stem);
    const key = isIndex.test(name) ? posix.basename(posix.dirname(stem)) : name;
    const known = byStem.get(key);
    if (known === undefined) byStem.set(key, [at]);
    else if (known.length < namesakesMax) known.push(at);
  });
  const relative = (from: string, text: string): number | undefined => {
    const place = posix.join(posix.dirname(from), text);
    const tries = [place, withoutExtension(place), ...indexNames.map((name) => posix.join(place, name))];
    return tries.map((one) => exact.get(one)).find((at) => at !== undefined);
  };
  const byTail = (text: string): readonly number[] => {
    const parts = (mappedLanguageOf(text) === undefined ? text : withoutExtension(text))
      .split(/[^\p{L}\p{N}_$-]+/u)
      .filter((part) => part !== "");
    const found = lastTwo(parts).flatMap((name) => byStem.get(name) ?? []);
    const before = parts.at(-2);
    const near = found.filter((at) => before !== undefined && (paths[at] ?? "").includes(`${before}/`));
    return near.length > 0 ? near : found.length <= 1 ? found : [];
  };
  return (from, text) => {
    const at = relative(from, pythonRelative(text));
    return at !== undefined ? [at] : /^\.\.?\//.test(text) ? [] : byTail(text);
  };
}

/** `a.b.c` may mean a file c, or c in a file b. */
function lastTwo(parts: readonly string[]): string[] {
  return parts.slice(-2).toReversed();
}

/** `..a.b` is `../a/b`, and `.a` is `./a`. */
function pythonRelative(text: string): string {
  const [, dots, rest] = /^(\.+)([\w.]+)$/.exec(text) ?? [];
  if (dots === undefined || rest === undefined) return text;
  return `${dots.length === 1 ? "./" : "../".repeat(dots.length - 1)}${rest.replaceAll(".", "/")}`;
}

function withoutExtension(path: string): string {
  return path.replace(/(?<=[^/])\.[A-Za-z]{1,4}$/, "");
}

const isIndex = /^(?:index|__init__|mod|lib|main)$/;
const indexNames = ["index", "__init__", "mod"];

/** How many files of one name are considered. */
const namesakesMax = 20;
