import { expect, test } from "vitest";
import { shippedSettings, type SettingsReader } from "../../../src/agents/repo-settings.ts";

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
