import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { noSandbox } from "../../../src/sandbox/sandbox.ts";
import { setupKey, type SetupCircumstances } from "../../../src/workspace/setup-key.ts";
import { tempDir, write } from "../../rig/git.ts";

let dir: string;

beforeEach(() => {
  dir = tempDir();
  for (const name of ["tree", "home", "bin"]) mkdirSync(join(dir, name));
  for (const tool of ["git", "node", "npm", "go", "cargo", "rustc"]) program(tool, '"$0 $*"');
});

test("the key has the command, its inputs, the variables in a fixed order and the versions of the tools", async () => {
  const key = await keyOf({ env: { B: "2", PATH: `${dir}/bin:/bin:/usr/bin`, A: "1" } });
  expect(JSON.parse(key ?? "")).toMatchObject({
    command: "npm ci",
    inputs: "lock 1",
    variables: [
      ["A", "1"],
      ["B", "2"],
      ["PATH", `${dir}/bin:/bin:/usr/bin`],
    ],
    versions: ["git", "node", "npm"].map((tool) => `${dir}/bin/${tool}\n${dir}/bin/${tool} --version\n`).join(""),
    at: join(dir, "tree"),
  });
});

test("another input, variable or version of a tool is another key", async () => {
  const before = await keyOf({});
  expect(await keyOf({})).toBe(before);
  expect(await keyOf({ inputs: "lock 2" })).not.toBe(before);
  program("npm", "11.0.0");
  expect(await keyOf({})).not.toBe(before);
});

test("a tool is asked in its own way, together with what it runs on; words that are no tools are not run", async () => {
  const key = await keyOf({ command: "cargo fetch && go mod download && curl constructor" });
  const { versions } = JSON.parse(key ?? "") as { readonly versions: string };
  expect(versions.match(/\w+ (?:--)?version$/gm)).toEqual([
    "git --version",
    "node --version",
    "cargo --version",
    "rustc --version",
    "go version",
  ]);
});

async function keyOf(circumstances: Partial<SetupCircumstances>): Promise<string | undefined> {
  return await setupKey({
    command: "npm ci",
    inputs: "lock 1",
    env: { PATH: `${dir}/bin:/bin:/usr/bin` },
    enclosure: noSandbox.enclose({
      workspace: join(dir, "tree"),
      home: join(dir, "home"),
      visible: [],
      network: false,
    }),
    dir,
    logDir: dir,
    signal: new AbortController().signal,
    ...circumstances,
  });
}

function program(name: string, said: string): void {
  write(dir, { [`bin/${name}`]: `#!/bin/sh\necho ${said}\n` });
  chmodSync(join(dir, "bin", name), 0o755);
}
