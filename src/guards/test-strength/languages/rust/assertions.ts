import type { Node } from "../../../../syntax/parse.ts";
import type { Force } from "../../model.ts";
import { both, either, isLong, isPredicate } from "../shared/assertions.ts";

/** Rates how much a macro demands by its tokens, since grammars do not look into macros; undefined where it asserts nothing. */
export function forceOfMacro(name: string, tokens: Node | undefined): Force | undefined {
  const [first = [], second = []] = tokens === undefined || isLong(tokens) ? [] : segments(tokens);
  switch (name.replace(/^(?:debug|prop)_/, "")) {
    case "assert":
      return tokens !== undefined && isLong(tokens) ? "weak" : forceOfTokens(first);
    case "assert_eq":
      return tokens !== undefined && isLong(tokens) ? "strong" : forceOfEquality(first, second);
    case "assert_matches":
      return "strong";
    case "assert_ne":
    case "panic":
    case "unreachable":
    case "assert_snapshot":
    case "assert_debug_snapshot":
    case "assert_json_snapshot":
    case "assert_yaml_snapshot":
      return "weak";
    default:
      return undefined;
  }
}

/** Counts the values that `assert_eq!` compares at once: those of the largest `[…]` among its sides. */
export function partsOfMacro(tokens: Node | undefined): number {
  if (tokens === undefined || isLong(tokens)) return 1;
  const lists = segments(tokens)
    .slice(0, 2)
    .map((side) => side.at(-1))
    .filter((last) => last?.type === "token_tree" && last.text.startsWith("["));
  return Math.max(1, ...lists.map((list) => segments(list!).length));
}

/** Splits a token tree at its commas. */
export function segments(tree: Node): Node[][] {
  const inside = tree.children.slice(1, -1).filter((token) => token !== null && !token.isExtra) as Node[];
  const parts = splitBy(inside, ",");
  return parts.at(-1)?.length === 0 ? parts.slice(0, -1) : parts;
}

function splitBy(tokens: readonly Node[], separator: string): Node[][] {
  const parts: Node[][] = [[]];
  for (const token of tokens) {
    if (token.type === separator) parts.push([]);
    else parts.at(-1)!.push(token);
  }
  return parts;
}

function forceOfTokens(tokens: readonly Node[]): Force {
  const any = splitBy(tokens, "||");
  if (any.length > 1) return any.map(forceOfTokens).reduce(either);
  const all = splitBy(tokens, "&&");
  if (all.length > 1) return all.map(forceOfTokens).reduce(both);
  const [left = [], right] = splitBy(tokens, "==");
  if (right !== undefined) return forceOfEquality(left, right);
  const [first] = tokens;
  if (isLiteral(tokens)) return first?.text === "false" ? "weak" : "vacuous";
  if (first?.text === "matches" && tokens[1]?.type === "!") return "strong";
  return first?.type === "!" || tokens.some(({ type }) => type === "!=") ? "weak" : forceOfQuestion(tokens);
}

/** Rates what the last call asks: `x.is_none()`, `s.contains("a")`. */
function forceOfQuestion(tokens: readonly Node[]): Force {
  const [name, given] = tokens.slice(-2);
  if (given?.type !== "token_tree" || name?.type !== "identifier") return "weak";
  if (name.text === "is_none" || name.text === "is_empty") return "strong";
  return isPredicate(name.text, given.namedChildCount) ? "strong" : "weak";
}

function forceOfEquality(left: readonly Node[], right: readonly Node[]): Force {
  if (isLiteral(left) && isLiteral(right)) return "vacuous";
  const calls = left.some(({ type, text }) => type === "token_tree" && text.startsWith("("));
  return !calls && textOf(left) === textOf(right) ? "vacuous" : "strong";
}

function isLiteral(tokens: readonly Node[]): boolean {
  return tokens.length > 0 && tokens.every(({ type }) => type.endsWith("_literal") || type === "-" || type === "&");
}

function textOf(tokens: readonly Node[]): string {
  return tokens.map(({ text }) => text).join(" ");
}
