import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { initialise } from "../../../../src/upkeep/init/init.ts";
import { rig } from "../../../rig/git.ts";
import { canMount, diskAt } from "../../../rig/small-disk.ts";

test.skipIf(!canMount)(
  "where nothing can be written it says why and what to do, and leaves nothing half done",
  async () => {
    const { user } = await rig();
    using disk = diskAt(user);
    const cases = [
      [disk.makeReadOnly, "the disk is read-only. Make it writable, then try again."],
      [disk.fillInodes, "the disk is full. Free some space, then try again."],
    ] as const;
    for (const [spoil, why] of cases) {
      spoil();
      expect(await initialise(user, {})).toMatchObject({
        ok: false,
        failure: { reason: "unwritable", message: `${join(user, ".stint")} cannot be written: ${why}` },
      });
      disk.cure();
      expect(existsSync(join(user, ".stint"))).toBe(false);
    }
    expect(await initialise(user, {})).toMatchObject({
      ok: true,
      value: { written: [".stint/config.yaml", ".stint/rules.md"] },
    });
    expect(readdirSync(join(user, ".stint")).toSorted()).toEqual(["config.yaml", "rules.md"]);
  },
);

test("a program of the set-up or of a check that is not on PATH is named at once", async () => {
  const { user } = await rig();
  writeFileSync(join(user, "pyproject.toml"), '[project]\nname = "x"\n');
  writeFileSync(join(user, "uv.lock"), "");
  const bin = join(user, "bin");
  mkdirSync(bin);
  const notes = async () => {
    const done = await initialise(user, { PATH: bin });
    return done.ok ? done.value.notes.filter((note) => note.includes(" PATH")) : [done.failure.message];
  };
  expect(await notes()).toEqual([
    "workspace.setup runs uv, which is not on this machine's PATH. Install it, or correct workspace.setup.",
  ]);
  writeFileSync(join(bin, "uv"), "#!/bin/sh\n", { mode: 0o755 });
  expect(await notes()).toEqual([]);
});
