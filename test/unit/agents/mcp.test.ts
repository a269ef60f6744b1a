import { expect, test } from "vitest";
import { mcpServersOf, mcpVariables, whyNoServer } from "../../../src/agents/mcp.ts";

const mcp = {
  tickets: { command: ["node", "server.js", "--quiet"], env: { TOKEN: "${TICKETS_KEY}", MODE: "read" } },
  wiki: { url: "https://wiki.example/mcp", headers: { Authorization: "Bearer ${WIKI_KEY}" } },
};

test("servers get the values of the user's variables where the settings name them", () => {
  expect(mcpServersOf({ mcp }, { TICKETS_KEY: "t", WIKI_KEY: "w" })).toEqual({
    tickets: { command: "node", args: ["server.js", "--quiet"], env: { TOKEN: "t", MODE: "read" } },
    wiki: { url: "https://wiki.example/mcp", headers: { Authorization: "Bearer w" } },
  });
});

test("the variables whose values are secret are listed once each", () => {
  const twice = { ...mcp, more: { url: "https://x.example", headers: { "X-Key": "${WIKI_KEY}" } } };
  expect(mcpVariables({ mcp: twice })).toEqual(["TICKETS_KEY", "WIKI_KEY"]);
});

test("a variable that is not set is named with its server before a run starts; one every object has is not set", () => {
  expect(whyNoServer({ mcp }, { TICKETS_KEY: "t", WIKI_KEY: "w" })).toBeUndefined();
  expect(whyNoServer({ mcp }, { TICKETS_KEY: "t" })).toBe(
    "mcp.wiki needs the variable WIKI_KEY, which is not set. Set it, or remove mcp.wiki.",
  );
  const odd = { odd: { url: "https://x.example", headers: { "X-Key": "${constructor}" } } };
  expect(whyNoServer({ mcp: odd }, {})).toContain("needs the variable constructor");
});
