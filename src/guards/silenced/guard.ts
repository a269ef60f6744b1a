import type { GuardEvidence } from "../../engine/evidence.ts";
import type { Task } from "../../plan/types.ts";
import { languageOf, type Language } from "../../syntax/language.ts";
import { withTree, type Node } from "../../syntax/parse.ts";
import type { Contents, ContentGuard } from "../content-guard.ts";
import { evidenceLines } from "../evidence-lines.ts";

/** A place that makes a tool look away. */
interface Mark {
  readonly path: string;
  readonly line: number;
  /** Its line as written, without indentation. */
  readonly text: string;
  /** It applies to the whole file, or to all that follows. */
  readonly isWide: boolean;
}

/** Finds new marks that tell linters, type checkers and compilers to look away. */
export const guardSilenced: ContentGuard = async ({ task, changes }) => {
  if (asksForMarks(task.text)) return [];
  const [before, after] = await Promise.all([marksOf(changes, "before"), marksOf(changes, "after")]);
  const existed = new Set(changes.filter((change) => change.before !== null).map(({ path }) => path));
  const isWideHere = ({ path, isWide }: Mark) => isWide && existed.has(path);
  const wide = risen(before.filter(isWideHere), after.filter(isWideHere), before);
  const others = isAboutMarks(task) ? risen(before, after, before).filter((mark) => !wide.includes(mark)) : [];
  return [...violations(wide, whyWide), ...violations(others, whyOne)];
};

const whyWide =
  "has a new mark that silences linters or type checkers for the whole file. Fix what they report instead.";
const whyOne = "has a new mark that silences what the task asks to fix. Fix it instead.";

async function marksOf(changes: Contents["changes"], side: "before" | "after"): Promise<Mark[]> {
  const found = await Promise.all(
    changes.map(async ({ path, [side]: text }) => (text === null ? [] : await marksIn(path, text))),
  );
  return found.flat();
}

/** Finds the marks that are new, if there are more than before: a narrower one in place of another is honest, and so is one that moved. */
function risen(before: readonly Mark[], after: readonly Mark[], known: readonly Mark[]): Mark[] {
  if (after.length <= before.length) return [];
  const left = known.map(({ text }) => text);
  return after.filter(({ text }) => {
    const at = left.indexOf(text);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function violations(marks: readonly Mark[], why: string): GuardEvidence[] {
  const paths = [...new Set(marks.map(({ path }) => path))];
  return paths.map((path) => {
    const lines = marks
      .filter((mark) => mark.path === path)
      .map(({ line, text }) => ({ sign: "+" as const, line, text }));
    return { guard: "silenced", path, why, evidence: evidenceLines(lines) };
  });
}

/** Whether what the task is there to make green, or its words, are about what such marks hide. */
function isAboutMarks({ checks, text }: Task): boolean {
  const commands = checks.flatMap((check) => (check.kind === "run" && check.red ? [check.run] : []));
  return [...commands, text.replace(/^---\n[\s\S]*?\n---\n/, "")].some((words) => about.test(words));
}

const about =
  /\b\w*lint(?:er|ing|s|ed)?\b|\b(?:ruff|flake8|mypy|pyright|basedpyright|tsc|vue-tsc|clippy|rubocop|sorbet|srb|golangci\w*|staticcheck|go vet|checkstyle|errorprone|spotbugs|biome|typecheck\w*|untyped|implicit any|noImplicitAny|static analysis)\b|\btype[- ](?:checks?|checker|checking|errors?|annotations?|hints?|safe(?:ty)?)\b|\bstrict(?:ly)? type[sd]?\b|\bstyle (?:check|rule|finding|error|violation|guide)s?\b|\bstyle\.\w+|-D ?warnings|-Werror|-W error|\b(?:no|without|any|zero|compiler|all) (?:\w+ )?warnings?\b/i;

/** A task that names a mark wants it, unless it says that there should be none. */
function asksForMarks(text: string): boolean {
  return [...text.matchAll(named)].some(
    ({ index }) =>
      !/\b(?:no|not|never|without|instead of|rather than|don't|nor|remove[sd]?|drop|delete|fewer|free of)\b[^.\n]{0,40}$/i.test(
        text.slice(Math.max(0, index - 60), index),
      ),
  );
}

const named =
  /\bnoqa\b|\bnolint\b|\b\w*lint-disable\b|@?ts-(?:ignore|nocheck|expect-error)|#!?\[(?:allow|expect)|\bSuppressWarnings\b|rubocop:(?:disable|todo)|\btype: ?ignore\b|\b(?:suppress|silenc)(?:e|es|ing|ion|ions)?\b|\bdisabl(?:e|es|ing) (?:\S+ ){0,3}(?:lint\w*|rules?|warnings?|inspections?)\b|\bgo:build ignore\b/gi;

/** Finds the marks of one file; a text that only mentions one in a string has none. One that cannot be parsed is refused by others. */
async function marksIn(path: string, text: string): Promise<readonly Mark[]> {
  const language = languageOf(path);
  if (language === undefined) return [];
  const found = await withTree(text, language, (root) => {
    const lines = text.split(/\r?\n/);
    const { one, wide, closed } = words[family(language)];
    const context: Context = { one, wide, closed, path, lines };
    return [
      ...root.descendantsOfType(comments).flatMap((node) => (node === null ? [] : commentMark(node, context))),
      ...root.descendantsOfType(attributes).flatMap((node) => (node === null ? [] : attributeMark(node, context))),
      ...(/^(?:typescript|tsx)$/.test(language) ? anyTypes(root, context) : []),
    ];
  });
  return found ?? [];
}

interface Context extends Words {
  readonly path: string;
  readonly lines: readonly string[];
}

const comments = ["comment", "line_comment", "block_comment"];
const attributes = ["inner_attribute_item", "attribute_item", "marker_annotation", "annotation"];

function family(language: Language): keyof typeof words {
  return language === "typescript" || language === "tsx" ? "javascript" : language;
}

function markAt({ startPosition }: Node, isWide: boolean, { path, lines }: Context): Mark {
  return { path, line: startPosition.row + 1, text: (lines[startPosition.row] ?? "").trim(), isWide };
}

/** Marks stand at the beginning of a comment, or of one that follows another in its line. */
function commentMark(node: Node, context: Context): Mark[] {
  const said = node.text.slice(0, markCharsMax).replace(/^(?:\/\*+!?|\/\/+!?|#+|\*)\s*/, "");
  const { one, wide, closed, lines } = context;
  const standsAlone = (lines[node.startPosition.row] ?? "").slice(0, node.startPosition.column).trim() === "";
  const isClosed = closed !== null && lines.slice(node.startPosition.row + 1).some((line) => closed.test(line));
  const isWide = wide.test(said) && standsAlone && !isClosed;
  return isWide || one.test(said) || wide.test(said) ? [markAt(node, isWide, context)] : [];
}

/** Longer comments say why, after the mark. */
const markCharsMax = 300;

/** `#![allow(…)]` at the top of a file applies to all of it, and `@SuppressWarnings("all")` to its class. */
function attributeMark(node: Node, context: Context): Mark[] {
  const said = node.text.slice(0, markCharsMax);
  if (node.type.endsWith("annotation")) {
    if (!/^@(?:java\.lang\.)?(?:SuppressWarnings|SuppressFBWarnings)\b/.test(said)) return [];
    return [markAt(node, /"all"/.test(said), context)];
  }
  if (!/^#!?\[\s*(?:(?:allow|expect)\s*\(|cfg_attr\s*\(.*,\s*(?:allow|expect)\s*\()/s.test(said)) return [];
  const isWide = node.type === "inner_attribute_item" && node.parent?.type === "source_file";
  return [markAt(node, isWide, context)];
}

/** Finds `as any` and `: any`, which say to a type checker that nothing is known. */
function anyTypes(root: Node, context: Context): Mark[] {
  const types = root.descendantsOfType("predefined_type").flatMap((node) => (node?.text === "any" ? [node] : []));
  const alone = types.filter(({ parent }) =>
    /^(?:as_expression|type_annotation|type_assertion|type_arguments)$/.test(parent?.type ?? ""),
  );
  return alone.map((node) => markAt(node, false, context));
}

/** How comments of a language make tools look away. */
interface Words {
  /** They look away from one place. */
  readonly one: RegExp;
  /** They look away from the whole file, where the comment has a line of its own. */
  readonly wide: RegExp;
  /** What ends it again; null where nothing does. */
  readonly closed: RegExp | null;
}

/** Each matches from the beginning of what a comment says. */
const words: Readonly<Record<Exclude<Language, "typescript" | "tsx">, Words>> = {
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
