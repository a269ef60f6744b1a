import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pathsOf } from "../../../src/project/paths.ts";
import { ensurePrivateFolders, ensureStateFolders, flawOf } from "../../../src/project/state-folder.ts";
import { tempDir } from "../../rig/git.ts";

test("the folders of a repository are created for their owner alone, and are accepted again", () => {
  const root = tempDir();
  const paths = pathsOf(join(root, "repo/.git"), { HOME: root });
  for (let time = 0; time < 2; time += 1) expect(ensureStateFolders(paths)).toEqual({ ok: true, value: undefined });
  const all = [paths.state, paths.approvals, paths.locks, paths.runs, paths.planningSessions, paths.scratch];
  expect(all.map((folder) => statSync(folder).mode & 0o777)).toEqual(all.map(() => 0o700));
});

test("a folder that others may enter, a file and a link in its place are refused with how to fix it", () => {
  const root = tempDir();
  const [open, file, link] = [join(root, "open"), join(root, "file"), join(root, "link")];
  mkdirSync(open);
  chmodSync(open, 0o750);
  writeFileSync(file, "");
  symlinkSync(root, link);
  expect(flawOf(open)).toEqual({ why: "is open to other users", cure: expect.stringContaining("chmod 700") as string });
  expect(flawOf(file)?.why).toBe("is not a folder");
  expect(flawOf(link)?.why).toBe("is not a folder");
  expect(flawOf(join(root, "absent"))).toBeUndefined();
  expect(ensurePrivateFolders([open])).toMatchObject({ ok: false, failure: { reason: "untrusted-state" } });
});

test("where a file is in the way, the failure names it", () => {
  const root = tempDir();
  writeFileSync(join(root, "file"), "");
  const made = ensurePrivateFolders([join(root, "file", "below", "folder")]);
  expect(made.ok ? "" : made.failure.message).toContain(`${join(root, "file")} is not a folder: move it away`);
});

test("a clone inside Stint's own folder is no checkout: its owner is sent back", () => {
  const root = tempDir();
  const workspace = join(root, ".local/state/stint/0123456789abcdef/r/workspaces/01-a.1/tree");
  mkdirSync(join(workspace, ".git"), { recursive: true });
  const made = ensureStateFolders(pathsOf(join(workspace, ".git"), { HOME: root }));
  expect(made).toMatchObject({ ok: false, failure: { reason: "in-workspace" } });
  expect(made.ok ? "" : made.failure.message).toContain(workspace);
});
