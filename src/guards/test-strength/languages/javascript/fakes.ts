import { childAt, type Syntax } from "../../../../syntax/syntax.ts";
import type { Mock } from "../../model.ts";
import { chainOf, isFunction, unwrapped, wordsOf, type Link } from "./names.ts";
import type { Finding } from "./tests.ts";
import type { Import } from "./vocabulary.ts";

/** A method that a test replaces by answers of its own. */
interface Fake {
  /** The object as written: `cart`, `Invoice.prototype`. */
  readonly object: string;
  readonly member: string;
  readonly start: number;
  /** Where the function ends in which it is replaced. */
  readonly end: number;
}

/** Takes an assertion on the answer of a method that the test itself replaced for one that cannot fail. */
export function withoutFakes(nodes: readonly Syntax[], chains: readonly Finding[]): readonly Finding[] {
  const fakes = [
    ...chains.flatMap(({ node, links }) => byCall(node, links)),
    ...nodes.flatMap((node) => (node.type === "assignment_expression" ? byAssignment(node) : [])),
  ];
  if (fakes.length === 0) return chains;
  const made = madeObjects(nodes);
  return chains.map((finding) => {
    if (finding.asserted.length === 0 || !asksFake(finding, fakes, made)) return finding;
    return { ...finding, asserted: finding.asserted.map((one) => ({ ...one, force: "vacuous" as const })) };
  });
}

/** Reads `mock.method(o, "m", …)`, `vi.spyOn(o, "m").mockReturnValue(…)` and `sinon.stub(o, "m").returns(…)`; a spy alone still calls the real one. */
function byCall(node: Syntax, links: readonly Link[]): Fake[] {
  const at = links.findIndex(
    ({ name, args }) => /^(?:method|getter|spyOn|stub|replace)$/.test(name) && args !== undefined,
  );
  const [object, member, answer] = links[at]?.args ?? [];
  if (at < 1 || object === undefined || member?.type !== "string") return [];
  const before = links
    .slice(0, at)
    .map(({ name }) => name)
    .join(".");
  if (!/(?:^|\.)(?:mock|vi|vitest|jest|sinon|sandbox)$/.test(before)) return [];
  const answers = links
    .slice(at + 1)
    .some(({ name }) =>
      /^(?:mock(?:Return|Resolved|Rejected|Implementation)\w*|returns|resolves|rejects|callsFake|throws)$/.test(name),
    );
  const isReplaced = answers || (answer !== undefined && answer.type !== "object") || links[at]?.name === "stub";
  return isReplaced ? [fakeAt(node, object.text, wordsOf(member))] : [];
}

/** Reads `Invoice.prototype.tax = () => 3` and `cart.total = vi.fn()…`. */
function byAssignment(node: Syntax): Fake[] {
  const [left, right] = [childAt(node, "left"), childAt(node, "right")];
  if (left?.type !== "member_expression" || right === undefined) return [];
  const isFake =
    isFunction(right) || /^(?:vi|jest|mock|t\.mock|sinon)\.(?:fn|stub|fake)\b/.test(right.text.slice(0, 20));
  const object = childAt(left, "object")?.text ?? "";
  return isFake && object !== "this" ? [fakeAt(node, object, childAt(left, "property")?.text ?? "")] : [];
}

function fakeAt(node: Syntax, object: string, member: string): Fake {
  let at = node.parent;
  for (let steps = 0; at !== undefined && steps < stepsMax && !isFunction(at); steps += 1) at = at.parent;
  // What a hook replaces is replaced for the tests around it.
  const isHook = /^(?:before|beforeEach|beforeAll|setup)\b/.test(at?.parent?.parent?.text.slice(0, 20) ?? "");
  return { object, member, start: node.start, end: at === undefined || !isFunction(at) || isHook ? Infinity : at.end };
}

/** The function around a statement is no more steps away. */
const stepsMax = 20;

/** What is asserted is the answer of the fake itself; what others make of it is a fair test of them. */
function asksFake({ node, links }: Finding, fakes: readonly Fake[], made: ReadonlyMap<string, string>): boolean {
  const first = links.find(({ args }) => args !== undefined)?.args?.[0];
  const asked = first === undefined ? undefined : unwrapped(first);
  if (asked?.type !== "call_expression") return false;
  const member = chainOf(asked).at(-1)?.name ?? "";
  const callee = childAt(asked, "function");
  const object = childAt(callee, "object");
  if (object === undefined) return false;
  return fakes.some(
    (fake) => fake.member === member && fake.start < node.start && node.start < fake.end && isSame(object, fake, made),
  );
}

function isSame(object: Syntax, fake: Fake, made: ReadonlyMap<string, string>): boolean {
  const whole = unwrapped(object);
  if (whole.text === fake.object) return true;
  const name = /^([\w$.]+)\.prototype$/.exec(fake.object)?.[1];
  if (name === undefined) return false;
  return (
    (whole.type === "new_expression" && childAt(whole, "constructor")?.text === name) || made.get(whole.text) === name
  );
}

/** Finds variables by the class that they are made of. */
function madeObjects(nodes: readonly Syntax[]): ReadonlyMap<string, string> {
  const made = new Map<string, string>();
  for (const node of nodes) {
    const value = childAt(node, "value") ?? childAt(node, "right");
    const name = childAt(node, "name") ?? childAt(node, "left");
    if (value?.type === "new_expression" && name !== undefined)
      made.set(name.text, childAt(value, "constructor")?.text ?? "");
  }
  return made;
}

/** Reads a chain as the replacement of modules: `vi.mock("../src/add.ts", …)`, `proxyquire("./a", { "./b": … })`. */
export function mocksOf(links: readonly Link[], line: number, imports: readonly Import[]): readonly Mock[] {
  const written = links.map(({ name }) => name).join(".");
  const args = links.at(-1)?.args ?? [];
  const [module, factory] = args;
  if (module === undefined) return [];
  if (/^proxyquire\b/.test(written)) return keysOf(factory).map((target) => ({ target, line }));
  if (!replacers.test(written)) return [];
  const target = wordsOf(module.type === "call_expression" ? (module.children.at(-1)?.children[0] ?? module) : module);
  return keepsTheRest(factory) && !replacesAll(factory, target, imports) ? [] : [{ target, line }];
}

const replacers =
  /^(?:(?:vi|vitest|jest)\.(?:mock|doMock|unstable_mockModule|setMock)|(?:\w+\.)?mock\.module|(?:td|testdouble|quibble)\.(?:replace|replaceEsm|esm)|quibble|rewiremock|esmock)$/;

/** Whether a factory loads the real module and changes some of it, or is a spy that still calls it. */
function keepsTheRest(factory: Syntax | undefined): boolean {
  if (factory === undefined) return false;
  if (factory.type === "object") return /\bspy\s*:\s*true\b/.test(factory.text);
  if (!isFunction(factory)) return false;
  const parameters = childAt(factory, "parameters") ?? childAt(factory, "parameter");
  return (
    (parameters?.children.length ?? 0) > 0 || /\b(?:importActual|requireActual|importOriginal)\b/.test(factory.text)
  );
}

/** What is kept is of no use where the file takes nothing of it. */
function replacesAll(factory: Syntax | undefined, target: string, imports: readonly Import[]): boolean {
  const taken = imports.filter(({ source }) => source === target).flatMap(({ names }) => names);
  const text = factory?.text ?? "";
  const isKey = (name: string): boolean =>
    new RegExp(String.raw`(?<![\w$.])${name.replaceAll("$", "\\$")}\s*[:(]`).test(text);
  return factory?.type !== "object" && taken.length > 0 && taken.every((name) => /^[\w$]+$/.test(name) && isKey(name));
}

function keysOf(object: Syntax | undefined): readonly string[] {
  const keys = (object?.children ?? []).map((pair) => childAt(pair, "key"));
  return keys.flatMap((key) => (key === undefined ? [] : [wordsOf(key)]));
}
