import { chmodSync, symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { changedLines, changedPaths, diffText } from "../../../src/git/diff.ts";
import { rig, sh, write } from "../../rig/git.ts";

test("changes, lines and text of a diff", async () => {
  const r = await rig({ "a ü\n": "1\n2\n", gone: "x\n", run: "r\n" });
  const checkout = await r.checkout();
  write(checkout.dir, { "a ü\n": "1\n3\n4\n", "new\tfile": "n\n", bin: "\0\n1\n2\n" });
  chmodSync(join(checkout.dir, "run"), 0o755);
  unlinkSync(join(checkout.dir, "gone"));
  symlinkSync("run", join(checkout.dir, "gone"));
  const { commit } = await r.take(checkout);
  const changes = await changedPaths(r.control, r.base, commit);
  expect(changes.map((change) => [change.status, change.path, change.newMode])).toEqual([
    ["M", "a ü\n", "100644"],
    ["A", "bin", "100644"],
    ["T", "gone", "120000"],
    ["A", "new\tfile", "100644"],
    ["M", "run", "100755"],
  ]);
  const lines = await changedLines(r.control, r.base, commit);
  expect(lines.find((line) => line.path === "a ü\n")).toEqual({ path: "a ü\n", added: 2, removed: 1 });
  expect(lines.find((line) => line.path === "new\tfile")?.added).toBe(1);
  expect(lines.find((line) => line.path === "bin")?.added).toBe(3);
  expect(sh(r.control.dir, "diff-tree", "-r", "--numstat", r.base, commit, "--", "bin")).toBe("-\t-\tbin");
  const whole = await diffText(r.control, { from: r.base, to: commit }, 100_000);
  expect(whole.text).toContain("+3\n+4\n");
  expect(whole.truncated).toBe(false);
  expect(await diffText(r.control, { from: r.base, to: commit }, 10)).toEqual({ text: "diff --git", truncated: true });
});
