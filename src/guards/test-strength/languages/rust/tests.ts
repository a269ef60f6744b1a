import type { Node } from "../../../../syntax/parse.ts";
import { field, isLong, named } from "../shared/assertions.ts";
import { segments } from "./assertions.ts";

/** What attributes above an item say of tests. */
export interface Attributes {
  readonly isTest: boolean;
  /** It is only built for tests: what is beside it is the product. */
  readonly onlyTests: boolean;
  readonly skipped: string | null;
  readonly cases: number;
  /** `#[should_panic]`: whether it says with which words; null where it is absent. */
  readonly panics: "anyhow" | "as expected" | null;
}

/** Reads attributes, each without its `#[` and `]`. */
export function attributesOf(attributes: readonly Node[]): Attributes {
  const names = attributes.map(nameOf);
  const panic = attributes.find((one) => nameOf(one) === "should_panic");
  const rows = names.filter((name) => name === "case" || name === "test_case").length;
  return {
    isTest: names.some((name) => tests.has(name)),
    onlyTests: attributes.some((one) => nameOf(one) === "cfg" && /\btest\b/.test(shortText(one))),
    skipped: attributes.map(skipOf).find((how) => how !== null) ?? null,
    cases: Math.max(1, rows),
    panics: panic === undefined ? null : shortText(panic).includes("expected") ? "as expected" : "anyhow",
  };
}

/** Returns the attribute of an item `#[…]` or `#![…]`. */
export function attributeIn(item: Node): Node[] {
  return named(item).slice(0, 1);
}

const tests: ReadonlySet<string> = new Set([
  "test",
  "rstest",
  "test_case",
  "wasm_bindgen_test",
  "quickcheck",
  "googletest",
]);

/** Returns `test` of `tokio::test`; in a macro, an attribute is a token tree. */
function nameOf(attribute: Node): string {
  if (attribute.type === "token_tree") {
    const path = (segments(attribute)[0] ?? []).filter(({ type }) => type !== "token_tree");
    return path.findLast(({ type }) => type === "identifier")?.text ?? "";
  }
  const [path] = named(attribute);
  return path?.type === "scoped_identifier" ? (field(path, "name")?.text ?? "") : (path?.text ?? "");
}

function skipOf(attribute: Node): string | null {
  const name = nameOf(attribute);
  const text = shortText(attribute);
  if (name === "ignore") return "#[ignore]";
  if (name === "cfg_attr" && /\bignore\b/.test(text)) return `#[${text}]`;
  return name === "cfg" && !usual.test(text) ? `#[${text}]` : null;
}

/** Conditions that are true wherever tests of this project are likely to run. */
const usual =
  /^cfg\((?:all\(|any\()?(?:(?:test|unix|debug_assertions|(?:target_os|target_family) = "(?:linux|unix)"|not\((?:windows|miri|(?:target_os|target_family) = "(?!linux|unix)\w+")\))(?:, )?)+\)*$/;

function shortText(node: Node): string {
  return isLong(node) ? "" : node.text;
}
