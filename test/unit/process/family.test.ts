import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { identify } from "../../../src/process/identity.ts";
import { followFamily } from "../../../src/process/family.ts";

test("processor time of a grandchild counts, and a sleeping family shows none", async () => {
  const busy = spawn("sh", ["-c", "(while :; do :; done) & wait"], { detached: true, stdio: "ignore" });
  const calm = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" });
  const [busyFamily, calmFamily] = [followFamily(identify(busy.pid!)!), followFamily(identify(calm.pid!)!)];
  while (busyFamily.look().ticks === 0 || busyFamily.look().members.length < 2) await new Promise(setImmediate);
  calmFamily.look();

  expect(calmFamily.look().ticks).toBe(0);
  process.kill(-busy.pid!, "SIGKILL");
  process.kill(-calm.pid!, "SIGKILL");
});
