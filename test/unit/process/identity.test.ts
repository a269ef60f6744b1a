import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { identify, isAlive } from "../../../src/process/identity.ts";

test("an identity does not outlive its process, its pid or its boot", async () => {
  const child = spawn("sleep", ["1000"], { stdio: "ignore" });
  const identity = identify(child.pid!)!;
  expect(isAlive(identity)).toBe(true);
  expect(isAlive({ ...identity, startTime: `${Number(identity.startTime) - 1}` })).toBe(false);
  expect(isAlive({ ...identity, bootId: "00000000-0000-0000-0000-000000000000" })).toBe(false);

  child.kill("SIGKILL");
  await once(child, "exit");
  expect(isAlive(identity)).toBe(false);
  expect(identify(child.pid!)).toBeUndefined();
});

test("a zombie counts as dead", async () => {
  // The parent never waits for its child, because it has become another program.
  const parent = spawn("sh", ["-c", "sh -c 'echo $$; read _' <&3 & exec sleep 1000"], {
    stdio: ["ignore", "pipe", "ignore", "pipe"],
  });
  const [line] = (await once(parent.stdout!, "data")) as [Buffer];
  const identity = identify(Number(line))!;
  expect(isAlive(identity)).toBe(true);
  (parent.stdio[3] as import("node:net").Socket).end("\n");
  while (isAlive(identity)) await new Promise(setImmediate);

  expect(identify(identity.pid)).toEqual(identity);
  parent.kill("SIGKILL");
});
