import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { config } from "../../../../src/cli/commands/config.ts";
import { promptFiles } from "../../../../src/prompts/overrides.ts";
import { tempDir, write } from "../../../rig/git.ts";
import { recordedIo } from "../../../rig/io.ts";

test("prompts are written to a folder, new or not; a file in its place is bad usage and stays as it is", async () => {
  const cwd = tempDir();
  write(cwd, { "notes.md": "mine", "old/notes.md": "mine" });
  for (const folder of ["new/prompts", "old"]) {
    expect(await config({ ...recordedIo().io, cwd }, { dumpPrompts: folder })).toBe(0);
    expect(readdirSync(join(cwd, folder))).toEqual(expect.arrayContaining([...promptFiles()].map(([name]) => name)));
  }
  for (const file of ["notes.md", "notes.md/prompts"]) {
    const { io, err } = recordedIo();
    expect(await config({ ...io, cwd }, { dumpPrompts: file })).toBe(2);
    expect(err).toEqual([`stint: ${file} cannot be a folder: a file is in the way. Name another one.`]);
  }
  expect(readFileSync(join(cwd, "notes.md"), "utf8")).toBe("mine");
});
