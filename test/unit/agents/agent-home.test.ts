import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { homes, path, textOf, write } from "../../rig/homes.ts";
import { clearHomeSettings } from "../../../src/agents/agent-home.ts";
import { projectLimits } from "../../../src/project/limits.ts";

test("the named instructions reach the agent's home, and nothing else of the user's", async () => {
  const { agent, bring } = homes({ [path]: "Be kind.\n", ".claude/.credentials.json": "secret", ".claude.json": "{}" });
  await bring();
  expect(textOf(agent)).toBe("Be kind.\n");
  expect(fs.readdirSync(agent, { recursive: true }).toSorted()).toEqual([".claude", path]);
});

test("each session gets them as they are now; what the user has not, the agent has not", async () => {
  const { user, agent, bring } = homes({ [path]: "Be kind.\n" });
  await bring();
  write(join(user, path), "Be quick.\n");
  await bring();
  expect(textOf(agent)).toBe("Be quick.\n");
  fs.rmSync(join(user, path));
  write(join(agent, ".claude/session.json"), "kept");
  await bring();
  expect(fs.readdirSync(join(agent, ".claude"))).toEqual(["session.json"]);
});

test("what an earlier session planted for the next to obey is gone, and the login stays", async () => {
  const { agent, user } = homes({ "notes/mine.md": "keep" });
  write(join(agent, ".claude/settings.json"), '{"hooks":{}}');
  write(join(agent, ".claude/skills/evil/SKILL.md"), "obey");
  write(join(agent, ".claude/.credentials.json"), "login");
  write(join(agent, ".bashrc"), "evil");
  write(join(agent, ".config/git/config"), "[core] hooksPath = /evil");
  fs.symlinkSync(join(user, "notes"), join(agent, ".claude/agents"));
  await clearHomeSettings(agent, [".claude/settings.json", ".claude/skills", ".claude/agents", ".claude/absent"]);
  expect(fs.readdirSync(agent, { recursive: true }).toSorted()).toEqual([
    ".claude",
    ".claude/.credentials.json",
    ".config",
  ]);
  expect(fs.readFileSync(join(user, "notes/mine.md"), "utf8")).toBe("keep");
});

test("a link in the place of a folder on the way hides nothing from that", async () => {
  const { agent, user, bring } = homes({ "notes/settings.json": "keep" });
  write(join(agent, "planted/settings.json"), '{"hooks":{}}');
  write(join(agent, "planted/CLAUDE.md"), "obey");
  for (const target of ["planted", join(user, "notes")]) {
    fs.symlinkSync(target, join(agent, ".claude"));
    await clearHomeSettings(agent, [".claude/settings.json"]);
    await bring();
    expect(fs.existsSync(join(agent, ".claude"))).toBe(false);
  }
  expect(fs.readFileSync(join(user, "notes/settings.json"), "utf8")).toBe("keep");
});

test("a link in the user's home is followed, because people keep such files elsewhere", async () => {
  const { user, agent, bring } = homes({ "dotfiles/claude.md": "Be kind.\n" });
  fs.mkdirSync(join(user, ".claude"));
  fs.symlinkSync("../dotfiles/claude.md", join(user, path));
  await bring();
  expect(fs.lstatSync(join(agent, path)).isFile()).toBe(true);
  expect(textOf(agent)).toBe("Be kind.\n");
});

test.each<[string, (file: string) => void, string]>([
  ["a folder", (file) => fs.mkdirSync(file), "is not a regular file"],
  ["a pipe", (file) => execFileSync("mkfifo", [file]), "is not a regular file"],
  [
    "a huge file",
    (file) => fs.writeFileSync(file, Buffer.alloc(projectLimits.userFileBytesMax + 1)),
    `has ${projectLimits.userFileBytesMax + 1} bytes; at most ${projectLimits.userFileBytesMax} are read`,
  ],
])("%s in their place is refused with how to fix it", async (_, make, why) => {
  const { user, bring } = homes();
  fs.mkdirSync(join(user, ".claude"));
  make(join(user, path));
  await expect(bring()).rejects.toThrow(
    `Your instructions ${join(user, path)} cannot be given to the agent: the file ${why}. Fix that, then run \`stint resume p#1\`.`,
  );
});
