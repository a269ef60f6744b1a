import { expect, test } from "vitest";
import { expectCode } from "../../rig/facts.ts";
import { writes } from "../../rig/moves.ts";
import { makes } from "../../rig/plan.ts";
import { createRig } from "../../rig/rig.ts";

test("Approval shows what servers run and send, and a run waits for their variables: 2.", async () => {
  await using rig = await createRig({
    config: {
      mcp: {
        files: { command: ["npx", "server"], env: { NODE_OPTIONS: "--require ./x.js", TOKEN: "$MY_TOKEN" } },
        far: { url: "https://host.example/mcp", headers: { Authorization: "Bearer $MY_TOKEN" } },
      },
    },
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: { "01-a": writes("a.txt") },
  });

  const approve = await rig.stint(["approve", "--yes"]);

  expectCode(approve, 0);
  expect(approve.stdout).toContain(
    "MCP servers for agents:\n" +
      "  files runs: npx server  (gets NODE_OPTIONS=--require ./x.js, TOKEN=$MY_TOKEN)\n" +
      "  far at: https://host.example/mcp  (sends Authorization: Bearer $MY_TOKEN)\n",
  );
  expect(await rig.stint(["run"])).toMatchObject({
    code: 2,
    stderr: "stint: mcp.files needs the variable MY_TOKEN, which is not set. Set it, or remove mcp.files.\n",
  });
  expectCode(await rig.stint(["run"], { env: { MY_TOKEN: "t" } }), 0);
});
