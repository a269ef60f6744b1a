import { expect, test } from "vitest";
import { withTree } from "../../../src/syntax/parse.ts";
import { childAt, syntaxOf, type Syntax } from "../../../src/syntax/syntax.ts";

async function nodesOf(text: string): Promise<readonly [Syntax, ...Syntax[]]> {
  const nodes = await withTree(text, "javascript", (root) => syntaxOf(root, text));
  if (nodes === undefined) throw new Error("not read");
  return nodes;
}

test("nodes come in the order of the text, with their words, places and parents", async () => {
  const [root, ...nodes] = await nodesOf("if (a > 1) {\n  b();\n}\n");
  expect(root.parent).toBeUndefined();
  const condition = nodes.find(({ type }) => type === "binary_expression");
  expect(condition).toMatchObject({ text: "a > 1", tokens: [">"], line: 1, start: 4, end: 9 });
  expect(condition?.parent?.field).toBe("condition");
  const body = nodes.find(({ field }) => field === "consequence");
  expect(body).toMatchObject({ type: "statement_block", line: 1, lastLine: 3 });
  const starts = nodes.map(({ start }) => start);
  expect(starts).toEqual(starts.toSorted((a, b) => a - b));
});

test("every node but the root is the child that its index says", async () => {
  const [root, ...nodes] = await nodesOf("class A { m(x, y = [1, 2]) { return `${x}`; } }");
  expect(nodes.length).toBeGreaterThan(10);
  for (const node of nodes) expect(node.parent?.children[node.index]).toBe(node);
  expect(root.children).toHaveLength(1);
});

test("a child is found by its field", async () => {
  const [root] = await nodesOf("f(1)");
  const call = root.children[0]?.children[0];
  expect(childAt(call, "function")?.text).toBe("f");
  expect(childAt(call, "arguments")?.text).toBe("(1)");
  expect(childAt(call, "nothing")).toBeUndefined();
  expect(childAt(undefined, "function")).toBeUndefined();
});

test("a tree of a thousand levels is copied whole", async () => {
  const nodes = await nodesOf(`${"[".repeat(1_000)}${"]".repeat(1_000)}`);
  expect(nodes.filter(({ type }) => type === "array")).toHaveLength(1_000);
});
