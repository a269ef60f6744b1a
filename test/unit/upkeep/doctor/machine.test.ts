import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { pathsOf } from "../../../../src/project/paths.ts";
import { examineMachine } from "../../../../src/upkeep/doctor/machine.ts";

let root = "";

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "stint-machine-"));
});

afterEach(() => rmSync(root, { recursive: true }));

const environment = () => ({ PATH: join(root, "bin"), HOME: root, XDG_STATE_HOME: join(root, "state") });

test("tools are found on the user's PATH, and one that is not there has no path", async () => {
  mkdirSync(join(root, "bin"));
  writeFileSync(join(root, "bin", "flock"), "#!/bin/sh\n", { mode: 0o755 });
  writeFileSync(join(root, "bin", "mkfifo"), "not executable", { mode: 0o644 });
  const { tools, node, git } = await examineMachine(environment(), undefined);
  expect(tools).toEqual([
    { name: "flock", path: join(root, "bin", "flock") },
    { name: "mkfifo", path: null },
  ]);
  expect(node).toBe(process.versions.node);
  expect(git).toMatch(/^git version /);
});

test("folders that do not exist yet are measured on the disk where they will be", async () => {
  const { folders } = await examineMachine(environment(), undefined);
  expect(folders.map(({ about, path, flaw }) => [about, path, flaw])).toEqual([
    ["state folder", join(root, "state", "stint"), undefined],
    ["temporary folder", tmpdir(), undefined],
  ]);
  expect(folders.every(({ freeBytes }) => freeBytes > 0)).toBe(true);
});

test("a state folder that is open to others has a flaw, and the repository's own is examined beside it", async () => {
  const paths = pathsOf(join(root, "repo", ".git"), environment());
  mkdirSync(paths.state, { recursive: true, mode: 0o700 });
  chmodSync(paths.state, 0o777);
  const { folders } = await examineMachine(environment(), paths);
  const found = folders.find(({ about }) => about === "state of this repository");
  expect(found).toMatchObject({
    path: paths.state,
    flaw: { why: expect.stringContaining("open to other users") as string },
  });
});
