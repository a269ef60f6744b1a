import type { Node } from "../../../../syntax/parse.ts";
import { field, partsOf } from "../force.ts";
import * as walk from "../walk.ts";
import type { Found, Place, Step } from "../found.ts";
import { placeInLoop } from "./flow.ts";
import { constants, forceOfAssert, forceOfExpect, forceOfSpec } from "./force.ts";
import { callOf, markOf, titleOf, wordsOf, type RubyCall } from "./names.ts";

/** Calls that declare suites and tests, assert, skip or replace, and all others by their name. */
export function visitRubyCall(node: Node, place: Place, found: Found): readonly Step[] | undefined {
  const call = callOf(node);
  const { name, block } = call;
  if (name === "require" || name === "require_relative") return noteImport(call, found);
  if (place.owner.kind === "hook" && speaksAlone(call)) {
    if (block !== undefined && suites.test(name)) return inBlock(block, suitePlace(call, place));
    if (tests.test(name) && (block !== undefined || isAnnounced(call))) return visitTest(call, place, found);
    if (block !== undefined && hooks.test(name)) return inBlock(block, walk.inHook(place, found));
  }
  noteCall(call, place, found);
  const looped = (block === undefined ? undefined : placeInLoop(node, place, found)) ?? place;
  const method = field(node, "method");
  return walk.childSteps(node, place).flatMap(([child]): Step[] => {
    return child.id === method?.id ? [] : [[child, child.id === block?.id ? looped : place]];
  });
}

const suites =
  /^[fx]?(?:describe|context|feature|example_group)$|^(?:shared_examples|shared_examples_for|shared_context)$/;
const tests = /^[fx]?(?:it|specify|example|scenario)$|^(?:test|should|focus|skip|pending)$/;
const hooks = /^(?:before|after|around|setup|teardown|let!?|subject!?|background)$/;

/** `describe` and `RSpec.describe`, but not the method of some object. */
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

function noteImport({ given }: RubyCall, { imports }: Found): readonly Step[] {
  if (given[0]?.type === "string") imports.push(wordsOf(given[0]));
  return [];
}

function noteCall(call: RubyCall, place: Place, found: Found): void {
  const { node, name, given } = call;
  if (/^(?:skip|pending|omit|pend)$/.test(name) && call.receiver === undefined && call.block === undefined) {
    return walk.addSkip(place, name);
  }
  if (noteExpectation(call, place)) return;
  const force = forceOfAssert(call) ?? forceOfSpec(call);
  const parts = partsOf(given.slice(0, 2), constants.containers);
  if (force !== undefined) return walk.addKnown(node, place, { name, force, parts });
  noteMock(call, found);
  if (name !== "expect") walk.addCall(node, place, { name });
}

/** `expect(a).to eq(1)`, `is_expected.to be_valid`, `a.should eq(1)`; `allow(…).to` only prepares. */
function noteExpectation({ node, name, given, receiver }: RubyCall, place: Place): boolean {
  if (!/^(?:to|not_to|to_not|should|should_not)$/.test(name) || receiver === undefined) return false;
  const subject = receiver.type === "call" ? callOf(receiver) : undefined;
  const root = subject?.name ?? receiver.text;
  if (root.startsWith("allow")) return true;
  const [matcher] = given;
  if (matcher === undefined) return name.startsWith("should");
  const actual = name.startsWith("should") ? receiver : subject?.given[0];
  const force = forceOfExpect(actual, matcher, /not/.test(name));
  const expected = matcher.type === "call" ? callOf(matcher).given : [];
  const lists = /^(?:contain_exactly|include|have_attributes)$/.test(
    matcher.type === "call" ? callOf(matcher).name : "",
  );
  walk.addAssertion(node, place, {
    force,
    parts: lists ? expected.length : partsOf(expected.slice(0, 1), constants.containers),
  });
  return true;
}

/** `stub_const("Cart", …)` puts something else in place of a whole class, which lies in `cart.rb`. */
function noteMock({ node, name, given }: RubyCall, { mocks }: Found): void {
  if (name !== "stub_const" || given[0]?.type !== "string") return;
  const path = wordsOf(given[0])
    .replaceAll("::", "/")
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, "_")
    .toLowerCase();
  mocks.push({ target: path, line: walk.lineOf(node) });
}
