import { expect, test } from "vitest";
import { loadConfig } from "../../../src/config/load.ts";
import { mcpServersOf, mcpVariables, whyNoServer } from "../../../src/agents/mcp.ts";

function load(servers: string) {
  const { config, problems } = loadConfig({
    project: { file: "c", bytes: new TextEncoder().encode(`mcp:\n${servers}`) },
  });
  return { config, problems: problems.map(({ line, column, message }) => `${line}:${column} ${message}`) };
}

test("a server is a program with its arguments, or an address; the user's variables take the places of their names", () => {
  const { config, problems } = load(
    [
      "  files: { command: [npx, -y, server], env: { TOKEN: $MY_TOKEN, PRICE: '5 $$', BOTH: 'a${MY_TOKEN}b' } }",
      "  short: { command: server, args: [--fast, with space] }",
      "  far: { url: 'https://host.example/mcp', headers: { Authorization: Bearer $OTHER } }",
    ].join("\n"),
  );
  expect(problems).toEqual([]);
  expect(mcpVariables(config)).toEqual(["MY_TOKEN", "OTHER"]);
  expect(mcpServersOf(config, { MY_TOKEN: "$OTHER", OTHER: "o" })).toEqual({
    files: { command: "npx", args: ["-y", "server"], env: { TOKEN: "$OTHER", PRICE: "5 $", BOTH: "a$OTHERb" } },
    short: { command: "server", args: ["--fast", "with space"], env: {} },
    far: { url: "https://host.example/mcp", headers: { Authorization: "Bearer o" } },
  });
});

test("a variable that is not set is named, with its server", () => {
  const { config } = load("  far: { url: 'https://h', headers: { X: $MY_TOKEN } }");
  expect(whyNoServer(config, {})).toBe(
    "mcp.far needs the variable MY_TOKEN, which is not set. Set it, or remove mcp.far.",
  );
  expect(whyNoServer(config, { MY_TOKEN: "t" })).toBeUndefined();
});

const listRule = 'must be a program, or a list such as ["npx", "-y", "some-server"]';
const urlRule = "must be an http or https URL without user name and password; put secrets into headers";

test.each<[string, string[]]>([
  ["{}", ["2:3 mcp.x must have exactly one of command and url"]],
  ["{ command: a, url: 'http://h' }", ["2:3 mcp.x must have exactly one of command and url"]],
  ["{ command: npx -y server }", [`2:8 mcp.x.command ${listRule}`]],
  ["{ command: [] }", [`2:8 mcp.x.command ${listRule}`]],
  ["{ command: a, headers: {} }", ["2:3 mcp.x has a command, so it cannot have headers"]],
  ["{ url: 'http://h', args: [] }", ["2:3 mcp.x has a url, so it cannot have args or env"]],
  ["{ comand: a }", ['2:8 unknown key "comand"; did you mean "command"?']],
  [
    "{ command: a, env: { A-B: x } }",
    ["2:27 mcp.x.env.A-B must be the name of an environment variable: letters, digits and _"],
  ],
  ["{ command: a, env: { A: 5 } }", ["2:27 mcp.x.env.A must be text, but is the number 5; put it in quotes"]],
  [
    "{ command: a, env: { A: 5$ } }",
    ["2:27 mcp.x.env.A has a $ that does not start a variable name; write $$ for a literal $"],
  ],
  ["{ url: 'file:///etc' }", [`2:8 mcp.x.url ${urlRule}`]],
  ["{ url: 'https://me:pw@h' }", [`2:8 mcp.x.url ${urlRule}`]],
  ["{ url: 'https://h', headers: { 'A B': x } }", ["2:37 mcp.x.headers.A B must be the name of an HTTP header"]],
  ["{ url: 'https://h', headers: { A: \"x\\r\\nB: y\" } }", ["2:37 mcp.x.headers.A must be a single line"]],
])("the server %j is refused with what to change", (server, expected) => {
  expect(load(`  x: ${server}`).problems).toEqual(expected);
});

test("a name that agents could not address is refused", () => {
  expect(load("  a.b: { command: c }").problems).toEqual([
    '2:3 mcp.a.b must be a name of 1 to 64 letters, digits, "_" and "-"',
  ]);
});
