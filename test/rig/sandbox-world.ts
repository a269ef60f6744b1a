import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { findSandbox, type SandboxWish } from "../../src/sandbox/find.ts";
import { type Enclosure, noSandbox, type RoomSpec, type Sandbox } from "../../src/sandbox/sandbox.ts";

/** Whether this machine can confine at all; tests that need it are skipped by name where it cannot. */
export const canConfine = await isBwrapUsable();

async function isBwrapUsable(): Promise<boolean> {
  const found = await findSandbox({ mode: "bwrap", env: process.env, hidden: [], mounts: [] });
  return found.ok;
}

/** A folder of the test's own. */
function worldFolder(parent: string): string {
  mkdirSync(parent, { recursive: true });
  const folder = realpathSync(mkdtempSync(join(parent, "world-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A user with a home, and a room beside it. */
export interface World {
  readonly root: string;
  readonly home: string;
  readonly write: (path: string, text: string, mode?: number) => string;
  readonly find: (wish?: Partial<SandboxWish>) => Promise<Sandbox>;
  readonly enclose: (sandbox: Sandbox, room?: Partial<RoomSpec>) => Enclosure;
}

/** Outside the temporary folders, which are private in a sandbox anyway, unless told otherwise. */
export function createWorld(parent = join(import.meta.dirname, "..", "..", ".cache", "rigs")): World {
  const root = worldFolder(parent);
  const home = join(root, "home");
  for (const name of ["home", "room/tree", "room/home", "room/outbox", "room/inbox"])
    mkdirSync(join(root, name), { recursive: true });
  const room = (name: string) => join(root, "room", name);
  return {
    root,
    home,
    write: (path, text, mode = 0o644) => {
      const file = join(root, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text, { mode });
      return file;
    },
    find: async (wish = {}) => {
      if (wish.mode === "none") return noSandbox;
      const env = { PATH: process.env["PATH"], HOME: home, ...wish.env };
      const found = await findSandbox({ mode: "bwrap", hidden: [], mounts: [], ...wish, env });
      if (!found.ok) throw new Error(found.failure.message);
      return found.value.sandbox;
    },
    enclose: (sandbox, more = {}) =>
      sandbox.enclose({
        workspace: room("tree"),
        home: room("home"),
        outbox: room("outbox"),
        inbox: room("inbox"),
        visible: [],
        network: false,
        ...more,
      }),
  };
}

/** Runs a command line in an enclosure to its end. */
export function runIn(
  enclosure: Enclosure,
  line: string,
  options: { readonly env?: Record<string, string>; readonly uid?: number } = {},
) {
  const env = { PATH: "/usr/bin:/bin", ...options.env };
  const command = enclosure.enter({ argv: ["/bin/sh", "-c", line], cwd: enclosure.folders.workspace, env });
  const [program = "", ...args] = command.argv;
  const who = options.uid === undefined ? {} : { uid: options.uid, gid: options.uid };
  const ended = spawnSync(program, args, { ...command, ...who, encoding: "utf8" });
  return { code: ended.status, out: ended.stdout + ended.stderr };
}
