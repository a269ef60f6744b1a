/** How comments of a language make tools look away. */
export interface Words {
  /** They look away from one place. */
  readonly one: RegExp;
  /** They look away from the whole file, where the comment has a line of its own. */
  readonly wide: RegExp;
  /** What ends it again; null where nothing does. */
  readonly closed: RegExp | null;
}

type Family = "javascript" | "python" | "go" | "rust" | "java" | "ruby";

/** Each matches from the beginning of what a comment says. */
export const words: Readonly<Record<Family, Words>> = {
  javascript: {
    one: /^(?:@ts-(?:ignore|expect-error)|\w*-?lint-disable-(?:next-)?line|biome-ignore(?!-)|deno-lint-ignore(?!-)|tslint:disable-(?:next-)?line|\$FlowFixMe|@type \{any\}|NOSONAR)/,
    wide: /^(?:@ts-nocheck|@noflow|(?:\w+-?)?lint-(?:disable|ignore)(?!-(?:next-)?line)(?:-file)?(?![\w-])|tslint:disable(?!-)|biome-ignore-(?:all|start)|deno-lint-ignore-file|js[hl]int ignore)/,
    closed: /\blint-enable\b|(?:es|ox)lint-enable|tslint:enable|biome-ignore-end|js[hl]int ignore:end/,
  },
  python: {
    one: /^(?:noqa\b|type:\s*ignore|pyright:\s*ignore|ty:\s*ignore|pyre-(?:ignore|fixme)|pylint:\s*disable|nosec\b|pytype:\s*disable)/i,
    wide: /^(?:(?:flake8|ruff):\s*noqa|mypy:\s*(?:ignore-errors|disable-error-code|allow-)|pylint:\s*(?:skip-file|disable-all)|pyright:\s*(?:basic|off|report\w+\s*=\s*(?:false|none))|pyre-ignore-all-errors|pytype:\s*skip-file|ruff:\s*disable)/i,
    closed: /#\s*ruff:\s*enable/i,
  },
  go: {
    one: /^(?:nolint\b|lint:ignore\b|nosec\b|revive:disable-(?:next-)?line)/,
    wide: /^(?:go:build ignore\b|\+build ignore\b|lint:file-ignore\b|revive:disable(?!-))/,
    closed: /revive:enable/,
  },
  rust: { one: /^(?:skipcq|NOLINT)\b/, wide: /^(?!)/, closed: null },
  java: {
    one: /^(?:NOSONAR|NOPMD|noinspection)\b/,
    wide: /^CHECKSTYLE[:.]?\s*OFF\b/i,
    closed: /CHECKSTYLE[:.]?\s*ON\b/i,
  },
  ruby: {
    one: /^(?:rubocop|standard):(?:disable|todo)\b/,
    wide: /^(?:(?:rubocop|standard):(?:disable|todo)\b|typed:\s*(?:ignore|false)\b|steep:ignore:start)/,
    closed: /(?:rubocop|standard):enable\b|steep:ignore:end/,
  },
};
