import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createCheckout } from "../../../src/workspace/checkout.ts";
import { ann, rig, sh, write } from "../../rig/git.ts";

test("a checkout is a clean clone of its own in which git works", async () => {
  const r = await rig({ "a.txt": "a\n", "d/run.sh": "#!/bin/sh\n" });
  const checkout = await r.checkout();
  const { dir } = checkout;
  expect(statSync(dir).mode & 0o777).toBe(0o700);
  expect(sh(dir, "status", "--porcelain", "--branch")).toBe("## stint/task");
  expect(sh(dir, "remote")).toBe("");
  expect(sh(dir, "log", "--format=%H")).toBe(r.base);
  write(dir, { "a.txt": "b\n" });
  expect(sh(dir, "diff", "--stat")).toContain("a.txt");
  execFileSync("git", ["commit", "-qam", "mine"], {
    cwd: dir,
    env: { PATH: process.env["PATH"], HOME: "/nonexistent" },
  });
  expect(sh(dir, "log", "-1", "--format=%an %s")).toBe("Ann mine");
  sh(dir, "gc", "-q", "--prune=now");
  expect(sh(r.user, "status", "--porcelain")).toBe("");
  const detached = await createCheckout(r.control, {
    dir: join(r.root, "detached"),
    commit: r.base,
    branch: null,
    identity: ann,
  });
  expect(sh(detached.dir, "rev-parse", "--abbrev-ref", "HEAD")).toBe("HEAD");
});
