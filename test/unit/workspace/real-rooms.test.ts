import { commandCheck } from "../../../src/approval/preconditions.ts";
import { findSandbox } from "../../../src/sandbox/find.ts";
import { canLayer } from "../../rig/layers.ts";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkInFreshRoom, ownRooms, realRooms, type RoomOptions, roomsIn } from "../../../src/workspace/real-rooms.ts";
import { noSandbox } from "../../../src/sandbox/sandbox.ts";
import { rig, tempDir } from "../../rig/git.ts";

test("rooms that a killed driver left are swept, though a check took its own right to write, as Go does in HOME", async () => {
  const { control, root, base } = await rig();
  const dir = tempDir();
  const folder = join(dir, "rooms/one/home-abc123/go/pkg/mod");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "go.mod"), "");
  const none = () => Promise.reject(new Error(root));
  const unused = { keep: () => undefined, layerOf: () => undefined, remove: () => undefined };
  const workspaces = { fresh: none, give: none, find: none, makeWhole: none, ...unused };
  const furniture = { userEnv: process.env, envNames: [], setup: undefined, sandbox: noSandbox };
  const options = { control, furniture, dir: join(dir, "rooms"), base };
  const { sweep } = realRooms(options, { workspaces, inBackground: () => undefined });
  await withoutRights(dir, async () => {
    chmodSync(folder, 0o555);
    await sweep();
  });
  expect(existsSync(join(dir, "rooms"))).toBe(false);
});

/** Root may do everything, so what is to fail for want of a right is done as nobody. */
async function withoutRights(dir: string, work: () => Promise<void>): Promise<void> {
  if (process.getuid?.() !== 0) return await work();
  execFileSync("chown", ["-R", "65534", dir]);
  process.seteuid?.(65_534);
  try {
    await work();
  } finally {
    process.seteuid?.(0);
  }
}

test.skipIf(!canLayer)(
  "who checks beside others has rooms of their own; in one folder for both, the end of one takes the files of the other",
  async () => {
    const { control, base } = await rig({ "a.txt": "a\n" });
    const dir = tempDir();
    const found = await findSandbox({ mode: "bwrap", env: process.env, hidden: [], mounts: [], roomsBelow: dir });
    if (!found.ok) throw new Error(found.failure.message);
    const furniture = { userEnv: process.env, envNames: [], setup: undefined, sandbox: found.value.sandbox };
    const asked = {
      commit: base,
      checks: [commandCheck("cat a.txt")],
      logDir: tempDir(),
      signal: new AbortController().signal,
    };
    const stateOf = async (rooms: RoomOptions) => (await checkInFreshRoom(rooms, asked))[0]?.state;
    const options = { control, furniture, dir, base };
    await using one = ownRooms(options);
    expect(await stateOf(one)).toBe("green");
    {
      await using other = ownRooms(options);
      expect(await stateOf(other)).toBe("green");
    }
    expect(await stateOf(one)).toBe("green");
    const [shared, alike] = [roomsIn(options), roomsIn(options)];
    expect(await stateOf(shared)).toBe("green");
    await alike.trees?.remove();
    expect(await stateOf(shared).catch(() => "broken")).not.toBe("green");
  },
);
