import type { Node } from "../../../../syntax/parse.ts";
import { field, isLong } from "../shared/assertions.ts";
import type { Found, Place, Step } from "../shared/found.ts";
import * as walk from "../shared/walk.ts";
import { wordsOf, type RubyCall } from "./names.ts";

/** Says whether a call declares a suite, a test or a hook, and what stands in it; undefined where it declares nothing. */
export function declaredBy(call: RubyCall, place: Place, found: Found): readonly Step[] | undefined {
  const { name, block } = call;
  if (place.owner.kind !== "hook" || !speaksAlone(call)) return undefined;
  if (block !== undefined && suites.test(name)) return inBlock(block, suitePlace(call, place));
  if (tests.test(name) && (block !== undefined || isAnnounced(call))) return visitTest(call, place, found);
  return block !== undefined && hooks.test(name) ? inBlock(block, walk.inHook(place, found)) : undefined;
}

const suites =
  /^[fx]?(?:describe|context|feature|example_group)$|^(?:shared_examples|shared_examples_for|shared_context)$/;
const tests = /^[fx]?(?:it|specify|example|scenario)$|^(?:test|should|focus|skip|pending)$/;
const hooks = /^(?:before|after|around|setup|teardown|let!?|subject!?|background)$/;

/** Whether a call is `describe` or `RSpec.describe`, and not the method of some object. */
function speaksAlone({ receiver }: RubyCall): boolean {
  return receiver === undefined || receiver.text === "RSpec" || receiver.text === "Minitest";
}

/** `it "does something"` with no block says what is still to be done. */
function isAnnounced({ name, given, receiver }: RubyCall): boolean {
  return /^[fx]?(?:it|specify|example|scenario)$/.test(name) && given[0]?.type === "string" && receiver === undefined;
}

function inBlock(block: Node, place: Place): readonly Step[] {
  const body = field(block, "body");
  return body === undefined ? [] : [[body, place]];
}

function marksOf(call: RubyCall): { readonly skipped: string | null; readonly focused: string | null } {
  const { name } = call;
  const skips = /^x|^(?:skip|pending)$/.test(name) ? name : (markOf(call, "skip") ?? markOf(call, "pending"));
  const focuses = /^f(?!eature)|^focus$/.test(name) ? name : markOf(call, "focus");
  return { skipped: skips ?? null, focused: focuses ?? null };
}

function suitePlace(call: RubyCall, place: Place): Place {
  return walk.inSuite(place, { title: titleOf(call), ...marksOf(call) });
}

function visitTest(call: RubyCall, place: Place, found: Found): readonly Step[] {
  const marks = marksOf(call);
  const skipped = marks.skipped ?? (call.block === undefined ? `${call.name} without a body` : null);
  const inside = walk.inTest(call.node, place, { title: titleOf(call), found, ...marks, skipped });
  return call.block === undefined ? [] : inBlock(call.block, inside);
}

/** Returns the title that a call gives to a suite or test: its words, constants as written; of a one-liner, what it does. */
function titleOf({ given, block }: RubyCall): string {
  const words = given
    .filter(({ type }) => titles.has(type))
    .map((node) => (node.type === "string" ? wordsOf(node) : node.text));
  if (words.length > 0) return words.join(" ");
  const body = field(block, "body");
  return body === undefined || isLong(body) ? "" : body.text.replace(/\s+/g, " ").trim();
}

const titles: ReadonlySet<string> = new Set(["string", "constant", "scope_resolution"]);

/** Finds a mark of a suite or test, such as `:focus` or `skip: "later"`; undefined where it is absent or false. */
function markOf({ given }: RubyCall, key: string): string | undefined {
  for (const node of given) {
    if (node.type === "simple_symbol" && node.text === `:${key}`) return node.text;
    if (node.type !== "pair" || !/^:?(\w+)/.test(node.text)) continue;
    const value = field(node, "value");
    const isKey = field(node, "key")?.text.replace(/^:/, "") === key;
    if (isKey && value?.type !== "false" && value?.type !== "nil") return `${key}: ${(value?.text ?? "").slice(0, 40)}`;
  }
  return undefined;
}
