import { expect, test } from "vitest";
import { ancestors, ancestry, findCycle, remainingPath, topologicalOrder, type Node } from "../../../src/plan/graph.ts";

const node = (id: string, ...depends: string[]): Node => ({ id, depends });
const diamond = [node("d", "b", "c"), node("a"), node("b", "a"), node("c", "a")];
const chain = Array.from({ length: 10_000 }, (_, index) =>
  index === 0 ? node("t0") : node(`t${index}`, `t${index - 1}`),
).toReversed();

test("a graph without a cycle has none, shared dependencies and unknown ids included", () => {
  expect(findCycle([...diamond, node("e", "ghost")])).toBeUndefined();
});

test("a cycle is listed in order of depends, closed by its first id", () => {
  expect(findCycle([node("x", "a"), node("a", "b"), node("b", "c"), node("c", "a")])).toEqual(["a", "b", "c", "a"]);
  expect(findCycle([node("a", "a")])).toEqual(["a", "a"]);
});

test("the order puts dependencies first and otherwise keeps the plan's", () => {
  expect(topologicalOrder(diamond)).toEqual(["a", "b", "c", "d"]);
  expect(topologicalOrder([node("a"), node("b", "a", "a"), node("c"), node("d", "b")])).toEqual(["a", "b", "c", "d"]);
});

test("tasks in or behind a cycle are left out of the order", () => {
  const tasks = [node("behind", "a"), node("a", "b"), node("b", "c", "a"), node("c", "b"), node("free")];
  expect(topologicalOrder(tasks)).toEqual(["free"]);
});

test("ancestors are direct and indirect, and a cycle does not hold them up", () => {
  expect(ancestors(diamond, "d")).toEqual(new Set(["a", "b", "c"]));
  expect(ancestors(diamond, "a")).toEqual(new Set());
  expect(ancestors([node("a", "b"), node("b", "a")], "a")).toEqual(new Set(["a", "b"]));
});

test("ancestry answers for each pair, and knows no position behind a cycle", () => {
  const order = ancestry([...diamond, node("x", "y"), node("y", "x")]);
  expect(order.isAncestor("a", "d")).toBe(true);
  expect(order.isAncestor("d", "a")).toBe(false);
  expect(order.isAncestor("b", "c")).toBe(false);
  expect(order.isAncestor("a", "a")).toBe(false);
  expect(order.position("x")).toBeUndefined();
});

test("the remaining path counts the heaviest way to the end", () => {
  const weights = new Map([
    ["a", 1],
    ["b", 10],
    ["c", 2],
    ["d", 5],
  ]);
  expect(Object.fromEntries(remainingPath(diamond, weights))).toEqual({ d: 5, c: 7, b: 15, a: 16 });
});

test("a chain of 10,000 tasks neither overflows nor stalls", () => {
  const weights = new Map(chain.map(({ id }) => [id, 1]));
  expect(findCycle(chain)).toBeUndefined();
  expect(topologicalOrder(chain).at(-1)).toBe("t9999");
  expect(ancestors(chain, "t9999").size).toBe(9999);
  expect(remainingPath(chain, weights).get("t0")).toBe(10_000);
  expect(ancestry(chain).isAncestor("t0", "t9999")).toBe(true);
  expect(findCycle([...chain.slice(0, -1), node("t0", "t9999")])).toHaveLength(10_001);
});
