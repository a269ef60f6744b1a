import { guardsLimits } from "../limits.ts";

/**
 * Everything that a glob, a regular expression or a comma-separated list names, one by one: `(^|/)(build|src)/` is
 * `^build/`, `/build/`, `^src/` and `/src/`. An item with too many alternatives stays as it is.
 */
export function alternativesOf(item: string): string[] {
  const done: string[] = [];
  const queue = [item.replaceAll(/\[\\*\/\\*\]|\\\//g, "/")];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const group = /@?\((?:\?:)?([^()]*)\)(?![?*+{])|\{([^{}]*)\}/.exec(next);
    if (group === null) done.push(...next.split(/[|,]/));
    else {
      const [head, tail] = [next.slice(0, group.index), next.slice(group.index + group[0].length)];
      const parts = group[1]?.split("|") ?? group[2]?.split(",") ?? [];
      queue.push(...parts.map((part) => head + part + tail));
    }
    if (queue.length + done.length > guardsLimits.excludeAlternativesMax) return [item];
  }
  return done;
}

const harmlessName =
  /^(?:node_modules|dist|build|out|coverage|\.git|\.cache|vendor|\.venv|\.tox|target|\.next|\.output|storybook-static|\*?\.d\.[cm]?ts|(?:\*\.|__)?generated(?:__|\.\*|\.\w+)?)$/i;

/**
 * Whether one alternative of what is left out is about nothing that tests, types or rules are asked of: one of its
 * folders is, by its whole name, a place for what others wrote or what a build makes.
 */
export function isHarmlessExclude(alternative: string): boolean {
  if (/^\.{3}configDefaults(?:\.coverage)?\.exclude$/.test(alternative)) return true;
  // What is optional, negated or a class of characters may match anything.
  if (/^!|[()[\]{}+]|(?<!\/)\?/.test(alternative)) return false;
  const parts = alternative
    .replaceAll("\\b", "")
    .replaceAll(/\\(?=[^\w\s])/g, "")
    .split(/\/\??/)
    .map((part) =>
      part
        .replace(/^\^/, "")
        .replace(/\$$/, "")
        .replace(/^\.\*(?=.)/, "")
        .replace(/(?<=.)\.\*$/, ""),
    );
  return !parts.includes("..") && parts.some((part) => harmlessName.test(part));
}
