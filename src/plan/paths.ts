import picomatch from "picomatch";
import { planLimits } from "./limits.ts";

/** Decides whether a path is covered by any of the patterns it was made from. */
export type Matcher = (path: string) => boolean;

/** Says why a path or glob may not appear in a plan or in rules, so that lint refuses what git or a matcher would misread. */
export function pathProblem(path: string): string | undefined {
  if (path === "") return "is empty; write a path relative to the repo root";
  if (isTooLong(path)) {
    return `is longer than ${planLimits.pathCharsMax} characters, or one name in it than ${planLimits.pathSegmentCharsMax}; shorten it`;
  }
  if (hasControl(path)) return "contains a control character or line separator; remove it";
  if (/^(?:\/|\\\\|[a-z]:[\\/])/i.test(path)) return "is absolute; write it relative to the repo root";
  if (path.includes("\\")) return "contains a backslash; separate folders with /";
  if (path.endsWith("/")) return `ends with a slash; write ${path}** for everything inside`;
  return segmentProblem(path.split("/")) ?? globProblem(path);
}

/** Tells a glob from a path; `[id]` and `(group)` are folder names of web frameworks far more often than globs. */
export function isGlob(pattern: string): boolean {
  return /[*?]|\{[^{}]*(?:,|\.\.)[^{}]*\}|[@!+]\(|\([^()]*\||\[(?:[!^][^\]]|[^\].]-[^\]])/.test(pattern);
}

/** Compiles patterns once, so that one list can be tried on thousands of paths; an unacceptable one covers only itself. */
export function matcher(patterns: readonly string[], options: { readonly nocase?: boolean } = {}): Matcher {
  const fold = (text: string): string => (options.nocase === true ? text.toLowerCase() : text);
  const paths = new Set(patterns.map(fold));
  const shapes = sortByShape(patterns.flatMap((pattern) => readings(fold(pattern))));
  const [anyName, anyPath, inFolder] = [union(shapes.nameGlobs), union(shapes.pathGlobs), anySegment(shapes.folders)];
  return (path) => {
    if (isTooLong(path)) return false;
    const folded = fold(path);
    const name = folded.slice(folded.lastIndexOf("/") + 1);
    return paths.has(folded) || shapes.names.has(name) || anyName(name) || anyPath(folded) || inFolder(folded);
  };
}

/** Like `matcher`, but brackets and parentheses mean themselves: what such a glob says is what it can match. */
export function plainMatcher(pattern: string): Matcher {
  if (pathProblem(pattern) !== undefined) return (path) => path === pattern;
  const expression = toExpression(escapeAllButStars(pattern));
  return (path) => path === pattern || (!isTooLong(path) && expression.test(path));
}

/** No matcher covers such a path, so guards must refuse it outright. */
export function isTooLong(path: string): boolean {
  if (path.length > planLimits.pathCharsMax) return true;
  return (
    path.length > planLimits.pathSegmentCharsMax &&
    path.split("/").some((segment) => segment.length > planLimits.pathSegmentCharsMax)
  );
}

/** Controls and line or paragraph separators are invisible in a list of paths, and tools disagree on what matches them. */
export function hasControl(path: string): boolean {
  return /[\p{Cc}\p{Zl}\p{Zp}]/u.test(path);
}

/** Two names that differ in case or composition are one file on many machines. */
export function fileKey(path: string): string {
  return path.normalize("NFC").toLowerCase();
}

/** Writes out the alternatives of `{a,b}` groups; undefined when there are too many. */
export function expandBraces(pattern: string): readonly string[] | undefined {
  const done: string[] = [];
  const open = [pattern];
  while (open.length > 0) {
    const next = open.pop()!;
    const expanded = expandFirst(next);
    if (expanded === undefined) done.push(next);
    else open.push(...expanded.toReversed());
    if (done.length + open.length > planLimits.globAlternativesMax) return undefined;
  }
  return [...new Set(done)];
}

/** Finds the folder that has everything a glob can match, with its slash; "" is the whole repo. */
export function staticPrefix(pattern: string): string {
  const special = pattern.search(/[*?[\](){}!@+|]/);
  return special === -1 ? pattern : pattern.slice(0, pattern.lastIndexOf("/", special) + 1);
}

function segmentProblem(segments: readonly string[]): string | undefined {
  if (segments.includes("..")) return "leaves the repo; a plan may only name files inside it";
  if (segments.includes(".")) return 'has a "." segment; write the path without it';
  if (segments.includes("")) return "has an empty segment; write one slash between folders";
  if (segments.some((segment) => segment.toLowerCase() === ".git")) return "is inside .git, which no task may touch";
  return undefined;
}

function globProblem(pattern: string): string | undefined {
  if (/^!(?!\()/.test(pattern)) return "starts with !, which would mean everything else; list the files you mean";
  const alternatives = expandBraces(pattern);
  if (alternatives === undefined)
    return `expands to more than ${planLimits.globAlternativesMax} alternatives; use several entries`;
  if (!isGlob(pattern)) return undefined;
  if (alternatives.some(repeatsGroup)) return "repeats or nests a group in parentheses; use several entries";
  if (alternatives.some((alternative) => wildcards(alternative) > planLimits.globWildcardsMax)) {
    return "has too many wildcards; use several simpler entries";
  }
  return alternatives
    .map((alternative) => segmentProblem(alternative.split("/")))
    .find((problem) => problem !== undefined);
}

/** A repeated group such as `+(a|aa)` or `(a+)+` takes exponential time on a path that almost matches. */
function repeatsGroup(pattern: string): boolean {
  return (
    /[+*]\(|\)[+*?{]|\(\?|\([^()]*\(/.test(pattern) ||
    pattern.split("(").length - 1 > planLimits.globGroupsMax ||
    /\|{2}/.test(pattern)
  );
}

/** One star in a segment has nothing to trade with; further ones do, and so does each `**`. */
function wildcards(pattern: string): number {
  return pattern.split("/").reduce((sum, segment) => {
    if (segment === "**") return sum + 1;
    const stars = segment.match(/\*+|\+|!\(/g)?.length ?? 0;
    return sum + (stars > planLimits.globStarsMax ? Infinity : Math.max(0, stars - 1));
  }, 0);
}

interface Shapes {
  readonly names: Set<string>;
  readonly folders: Set<string>;
  readonly nameGlobs: string[];
  readonly pathGlobs: string[];
}

/** Most globs are a file name or a folder name anywhere; looking those up spares a hundred expressions per path. */
function sortByShape(globs: readonly string[]): Shapes {
  const shapes: Shapes = { names: new Set(), folders: new Set(), nameGlobs: [], pathGlobs: [] };
  for (const glob of globs) {
    const [, name, folder] = /^\*\*\/(?:([^/]+)|([^/]+)\/\*\*)$/.exec(glob) ?? [];
    if (folder !== undefined && isPlain(folder)) shapes.folders.add(folder);
    else if (name === undefined || name === "**") shapes.pathGlobs.push(glob);
    else if (isPlain(name)) shapes.names.add(name);
    else shapes.nameGlobs.push(name);
  }
  return shapes;
}

function union(globs: readonly string[]): Matcher {
  if (globs.length === 0) return () => false;
  const expression = new RegExp(globs.map((glob) => toExpression(glob).source).join("|"), expressionFlags);
  return (text) => expression.test(text);
}

/** Finds plain names among the names of a path without taking it apart. */
function anySegment(names: ReadonlySet<string>): Matcher {
  if (names.size === 0) return () => false;
  const literal = [...names].map((name) => name.replace(/[.^$]/g, String.raw`\$&`));
  const expression = new RegExp(`(?:^|/)(?:${literal.join("|")})(?:/|$)`);
  return (path) => expression.test(path);
}

function isPlain(text: string): boolean {
  return !/[\\*?[\](){}!@+|"]/.test(text);
}

/** Lists what a pattern may mean besides itself: each alternative, and with brackets and parentheses as part of names. */
function readings(pattern: string): string[] {
  if (isPlain(pattern) || pathProblem(pattern) !== undefined) return [];
  return (expandBraces(pattern) ?? []).flatMap((alternative) => [
    ...(isQuick(alternative) ? [alternative] : []),
    ...(/[([]/.test(alternative) ? [escapeAllButStars(alternative)] : []),
  ]);
}

/** A path such as `(a+)+` is acceptable as a name, but must not be compiled as the expression it also is. */
function isQuick(pattern: string): boolean {
  return !repeatsGroup(pattern) && wildcards(pattern) <= planLimits.globWildcardsMax;
}

/** `**` compiles to `.`, which without this flag stops at a line end or U+2028, while `*` does not. */
const expressionFlags = "s";

function toExpression(pattern: string): RegExp {
  return picomatch.makeRe(pattern, {
    dot: true,
    nonegate: true,
    windows: false,
    maxLength: 2 * planLimits.pathCharsMax,
    flags: expressionFlags,
  });
}

function escapeAllButStars(pattern: string): string {
  return pattern.replace(/[[\](){}!@+|"]/g, "\\$&");
}

/** Expands the first group that has a comma at its own level; `{1..3}` and `{x}` are left to picomatch. */
function expandFirst(pattern: string): string[] | undefined {
  for (let start = pattern.indexOf("{"); start !== -1; start = pattern.indexOf("{", start + 1)) {
    const group = readGroup(pattern, start);
    if (group === undefined || group.parts.length < 2) continue;
    const [before, after] = [pattern.slice(0, start), pattern.slice(group.end + 1)];
    return group.parts.map((part) => before + part + after);
  }
  return undefined;
}

function readGroup(pattern: string, start: number): { readonly parts: string[]; readonly end: number } | undefined {
  const parts: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let index = start; index < pattern.length; index += 1) {
    const char = pattern[index];
    if (char === "{") depth += 1;
    else if (char === "}") depth -= 1;
    if (depth > 1 || (char !== "," && depth > 0)) continue;
    parts.push(pattern.slice(from, index));
    from = index + 1;
    if (depth === 0) return { parts, end: index };
  }
  return undefined;
}
