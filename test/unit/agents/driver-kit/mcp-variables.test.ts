import { expect, test } from "vitest";
import { mcpByVariable, variableReference } from "../../../../src/agents/driver-kit/mcp-variables.ts";

test("every value of a server is in a variable of its own, and no value is left in what is written down", () => {
  const { servers, env } = mcpByVariable({
    tickets: { command: "node", args: ["x.js"], env: { TOKEN: "secret-1", MODE: "secret-2" } },
    wiki: { url: "https://wiki.example", headers: { Authorization: "secret-3" } },
  });
  expect(env).toEqual({ STINT_MCP_0: "secret-1", STINT_MCP_1: "secret-2", STINT_MCP_2: "secret-3" });
  expect(servers).toEqual({
    tickets: { command: "node", args: ["x.js"], env: { TOKEN: "STINT_MCP_0", MODE: "STINT_MCP_1" } },
    wiki: { url: "https://wiki.example", headers: { Authorization: "STINT_MCP_2" } },
  });
  expect(JSON.stringify(servers)).not.toContain("secret");
});

test("a reference is written as programs read it that fill in variables themselves", () => {
  expect(variableReference("STINT_MCP_0")).toBe("${STINT_MCP_0}");
});
