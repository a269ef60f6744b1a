import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { workspaceLimits } from "../../../src/workspace/limits.ts";
import { type MadeBySetup, whyPlanted } from "../../../src/workspace/planted.ts";
import { tempDir, write } from "../../rig/git.ts";

const never = (): Promise<undefined> => Promise.reject(new Error("set-up was run without the work"));

test("dependencies and build results decide no test, so set-up is not run again to compare", async () => {
  const room = made({ "node_modules/x/x.test.js": "1", "dist/app.js": "1", "notes.txt": "1" });
  expect(await whyPlanted(room, never)).toBeUndefined();
});

test("a test or a runner's settings that set-up makes only with the work is planted, and named", async () => {
  const room = made({ "tests/extra.test.ts": "1", "vitest.config.ts": "1" });
  const why = await whyPlanted(room, async () => made({ "vitest.config.ts": "1" }));
  expect(why).toMatch(/^set-up made tests\/extra\.test\.ts, which can change the result of tests/);
});

test("what set-up makes without the work, too, is no plant unless its content differs", async () => {
  const room = made({ "tests/generated.test.ts": "same" });
  expect(await whyPlanted(room, async () => made({ "tests/generated.test.ts": "same" }))).toBeUndefined();
  expect(await whyPlanted(room, async () => made({ "tests/generated.test.ts": "other" }))).toContain("generated");
  expect(await whyPlanted(room, async () => undefined)).toContain("generated");
});

test("a program of packages that leads into the project's files is planted, one among packages is not", async () => {
  const room = made({ "node_modules/tool/run.js": "1" });
  const link = (name: string, target: string): MadeBySetup => {
    mkdirSync(join(room.dir, "node_modules/.bin"), { recursive: true });
    symlinkSync(target, join(room.dir, "node_modules/.bin", name));
    return { ...room, made: new Map([...room.made, [`node_modules/.bin/${name}`, "link"]]) };
  };
  expect(await whyPlanted(link("tool", "../tool/run.js"), never)).toBeUndefined();
  expect(await whyPlanted(link("vitest", "../../src/cheat.js"), async () => undefined)).toContain(".bin/vitest");
});

test("of a file too large to read, the size is compared", async () => {
  const large = "x".repeat(workspaceLimits.guardedFileBytesMax + 1);
  const room = made({ "tests/data.test.ts": large });
  expect(await whyPlanted(room, async () => made({ "tests/data.test.ts": large.replace("x", "y") }))).toBeUndefined();
  expect(await whyPlanted(room, async () => made({ "tests/data.test.ts": `${large}x` }))).toContain("data.test.ts");
});

function made(files: Record<string, string>): MadeBySetup {
  const dir = tempDir();
  write(dir, files);
  return { dir, made: new Map(Object.keys(files).map((path) => [path, "file"])) };
}
