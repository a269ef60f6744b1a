import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { removeCheckout } from "../../../src/workspace/checkout.ts";
import { removeAside, unlock } from "../../../src/workspace/remove.ts";
import { rig, tempDir } from "../../rig/git.ts";

test("removal copes with names that are not UTF-8 and folders without permission", async () => {
  const r = await rig();
  const checkout = await r.checkout();
  writeFileSync(Buffer.concat([Buffer.from(`${checkout.dir}/`), Buffer.from([0xff, 0xfe])]), "x");
  mkdirSync(join(checkout.dir, "locked/in"), { recursive: true });
  chmodSync(join(checkout.dir, "locked"), 0o000);
  await removeCheckout(checkout.dir);
  expect(existsSync(checkout.dir)).toBe(false);
  expect(existsSync(checkout.index)).toBe(false);
  await removeCheckout(checkout.dir);
});

test("a link is never unlocked, because that would change what it leads to", async () => {
  const dir = tempDir();
  mkdirSync(join(dir, "locked"));
  chmodSync(join(dir, "locked"), 0o500);
  symlinkSync("locked", join(dir, "link"));
  expect(await unlock(join(dir, "link"))).toBe(false);
  expect(statSync(join(dir, "locked")).mode & 0o777).toBe(0o500);
  expect(await unlock(join(dir, "locked"))).toBe(true);
  expect(statSync(join(dir, "locked")).mode & 0o777).toBe(0o700);
  expect(await unlock(join(dir, "gone"))).toBe(false);
});

test("a folder that is removed aside is gone under either name, also where it cannot be moved", async () => {
  const dir = tempDir();
  mkdirSync(join(dir, "scratch"));
  for (const within of ["scratch", "gone"]) {
    mkdirSync(join(dir, "work/in"), { recursive: true });
    await removeAside(join(dir, "work"), join(dir, within));
    expect([existsSync(join(dir, "work")), readdirSync(join(dir, "scratch"))]).toEqual([false, []]);
  }
});
