import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compareAndSwapRef, isAncestor, readRef } from "../../../src/git/refs.ts";
import { commitAll, rig, write } from "../../rig/git.ts";

test("a ref moves only from where it was seen", async () => {
  const r = await rig();
  write(r.user, { b: "b" });
  const next = commitAll(r.user);
  const ref = "refs/stint/runs/r/tip";
  expect(await readRef(r.control, ref)).toBeNull();
  expect(await compareAndSwapRef(r.control, ref, { next: r.base, old: null })).toBe("moved");
  expect(await compareAndSwapRef(r.control, ref, { next, old: null })).toEqual({ actual: r.base });
  expect(await compareAndSwapRef(r.control, ref, { next, old: r.base })).toBe("moved");
  // Work that was saved twice within a second is the same commit.
  expect(await compareAndSwapRef(r.control, ref, { next, old: next })).toBe("moved");
  expect(await compareAndSwapRef(r.control, ref, { next: r.base, old: r.base })).toEqual({ actual: next });
  expect(await readRef(r.control, ref)).toBe(next);
  expect(await isAncestor(r.control, r.base, next)).toBe(true);
  expect(await isAncestor(r.control, next, r.base)).toBe(false);
});

test("a lock left by a machine that died does not stop the run", async () => {
  const r = await rig();
  await compareAndSwapRef(r.control, "refs/stint/runs/r/tip", { next: r.base, old: null });
  const lock = join(r.control.dir, "refs/stint/runs/r/tip.lock");
  writeFileSync(lock, "");
  write(r.user, { b: "b" });
  expect(await compareAndSwapRef(r.control, "refs/stint/runs/r/tip", { next: commitAll(r.user), old: r.base })).toBe(
    "moved",
  );
  expect(existsSync(lock)).toBe(false);
});

test("many moves of one ref at once: exactly one wins", async () => {
  const r = await rig();
  const swaps = Array.from({ length: 8 }, () =>
    compareAndSwapRef(r.control, "refs/stint/x", { next: r.base, old: null }),
  );
  const outcomes = await Promise.all(swaps);
  expect(outcomes.filter((outcome) => outcome === "moved")).toHaveLength(1);
});
