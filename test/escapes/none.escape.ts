import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newToken } from "../rig/escapes.ts";
import { createWorld } from "../rig/sandbox-world.ts";
import { escapeSuite } from "./suite.ts";
import { endAll, goAllWays, tracedWays, untilAllAreOut, waysOut } from "./ways.ts";

escapeSuite({ mode: "none", ways: tracedWays, skip: false });

test("control: killing the process group leaves those who went into a session of their own", async () => {
  const folder = join(createWorld().root, "room", "tree");
  const token = newToken();
  const script = goAllWays(tracedWays, token, "exit 0");
  const child = spawn("/bin/sh", ["-c", script], { cwd: folder, env: { PATH: "/usr/bin:/bin" }, detached: true });
  await untilAllAreOut(tracedWays, token);
  process.kill(-child.pid!, "SIGKILL");
  await once(child, "exit");

  const left = waysOut(tracedWays, token);
  await endAll(tracedWays, token, folder);
  expect(left).toEqual(
    expect.arrayContaining([
      "a session of its own",
      "ignoring them in a session of its own",
      "an empty environment",
      "a double fork into a session of its own",
    ]),
  );
});
