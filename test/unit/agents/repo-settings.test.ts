import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { shippedAt, shippedSettings, type SettingsReader } from "../../../src/agents/repo-settings.ts";
import { gitLimits } from "../../../src/git/limits.ts";
import { listTree } from "../../../src/git/objects.ts";
import { commitAll, rig, write } from "../../rig/git.ts";

const reader = (agent: string, honours: boolean, patterns: string[]): SettingsReader => ({ agent, honours, patterns });
const plain = (...paths: string[]) => paths.map((path) => ({ path, mode: "100644" }));

test("a file is honoured by those agents that read it and may", () => {
  const readers = [
    reader("mine", true, [".claude/settings*.json", ".claude/hooks/**"]),
    reader("other", false, [".claude/settings.json"]),
    reader("third", true, [".tool/rc", ".claude/settings.json"]),
  ];
  const files = plain(".claude/hooks/a/b.sh", ".claude/settings.json", ".codex/config.toml", ".tool/rc", "src/a.ts");
  expect(shippedSettings(files, readers)).toEqual([
    { path: ".claude/hooks/a/b.sh", honouredBy: ["mine"] },
    { path: ".claude/settings.json", honouredBy: ["mine", "third"] },
    { path: ".codex/config.toml", honouredBy: [] },
    { path: ".tool/rc", honouredBy: ["third"] },
  ]);
});

test("a link in the place of a folder of settings counts, one elsewhere does not", () => {
  const readers = [reader("mine", true, [".claude/hooks/**"])];
  const links = [".claude", ".claude/hooks", ".claudex", "docs"].map((path) => ({ path, mode: "120000" }));
  expect(shippedSettings(links, readers)).toEqual([
    { path: ".claude", honouredBy: ["mine"] },
    { path: ".claude/hooks", honouredBy: ["mine"] },
  ]);
});

test("a repository ships what its whole list of files does, for few settings and for very many", async () => {
  const { user, control } = await rig({
    "src/a.ts": "a",
    "deep/.mcp.json": "{}",
    ".tool/rc": "",
    ".claude": "no folder",
  });
  symlinkSync("src", join(user, ".codex"));
  writeFileSync(Buffer.concat([Buffer.from(join(user, "deep/.mcp.json")), Buffer.of(255)]), "no settings");
  const readers = [reader("mine", true, [".tool/rc", ".claude/hooks/**"]), reader("other", true, [".codex/**"])];
  const few = commitAll(user);
  expect(await shippedAt({ control }, few, readers)).toEqual([
    { path: ".codex", honouredBy: ["other"] },
    { path: ".tool/rc", honouredBy: ["mine"] },
    { path: "deep/.mcp.json", honouredBy: [] },
  ]);
  expect(await shippedAt({ control }, few, [])).toEqual(shippedSettings(await listTree(control, few), []));
  mkdirSync(join(user, ".tool/more"));
  writeFileSync(Buffer.concat([Buffer.from(join(user, ".tool/more/rc")), Buffer.of(255)]), "settings");
  const odd = [reader("mine", true, [".tool/**"])];
  const oddly = commitAll(user);
  expect(await shippedAt({ control }, oddly, odd), "a name that is no UTF-8").toContainEqual({
    path: ".tool/more/rc\u{FFFD}",
    honouredBy: ["mine"],
  });
  const names = Array.from({ length: gitLimits.pathsNamedMax + 1 }, (_, at) => [`.gemini/skills/${at}.md`, "x"]);
  write(user, Object.fromEntries(names));
  const many = commitAll(user);
  const shipped = await shippedAt({ control }, many, readers);
  expect(shipped).toHaveLength(names.length + 3);
  expect(shipped).toEqual(shippedSettings(await listTree(control, many), readers));
});
