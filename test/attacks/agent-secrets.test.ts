import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makes } from "../rig/plan.ts";
import { createRig } from "../rig/rig.ts";

const secrets = {
  ANTHROPIC_API_KEY: "its own",
  CODEX_API_KEY: "of another agent",
  GEMINI_API_KEY: "of another agent",
  AWS_ACCESS_KEY_ID: "of a cloud",
  AWS_SECRET_ACCESS_KEY: "of a cloud",
  GITHUB_TOKEN: "of the user",
};

test("Of the user's secrets an agent gets those it logs in with, and no other.", async () => {
  expect(await secretsSeen({})).toEqual(["ANTHROPIC_API_KEY"]);
});

test("A secret that the settings name is let through: without that it stays outside for lack of a name, not by chance.", async () => {
  expect(await secretsSeen({ env: ["GITHUB_TOKEN"] })).toEqual(["ANTHROPIC_API_KEY", "GITHUB_TOKEN"]);
});

/** The names of secrets in the environment of an agent that poses as claude. */
async function secretsSeen(agent: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    config: { agents: { claude: agent }, roles: { executor: { agent: "claude" } }, run: { attempts: 1 } },
  });
  const bin = join(rig.root, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "claude"), `#!/bin/sh\nenv > '${rig.outside}/env'\n`, { mode: 0o755 });
  await rig.stint(["run", "--yes"], { env: { ...secrets, PATH: `${bin}:${process.env["PATH"]}` } });
  const lines = readFileSync(join(rig.outside, "env"), "utf8").split("\n");
  return Object.keys(secrets).filter((name) => lines.some((line) => line.startsWith(`${name}=`)));
}
