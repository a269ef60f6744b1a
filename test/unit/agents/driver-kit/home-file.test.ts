import * as fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { homes, path, textOf } from "../../../rig/homes.ts";
import { clearHomeSettings } from "../../../../src/agents/agent-home.ts";

test("a link that an agent planted in its home is replaced, never followed", async () => {
  const { user, agent, bring } = homes({ [path]: "Be kind.\n", "repo/CLAUDE.md": "the user's own" });
  const victim = join(user, "repo");
  fs.symlinkSync(victim, join(agent, ".claude"));
  // The control: whoever writes to the plain path writes into the victim's folder.
  fs.writeFileSync(join(agent, ".claude", "control"), "");
  expect(fs.readdirSync(victim)).toEqual(["CLAUDE.md", "control"]);

  await bring();
  expect(fs.readFileSync(join(victim, "CLAUDE.md"), "utf8")).toBe("the user's own");
  expect(textOf(agent)).toBe("Be kind.\n");

  fs.rmSync(join(agent, path));
  fs.symlinkSync(join(victim, "CLAUDE.md"), join(agent, path));
  await bring();
  expect(fs.readFileSync(join(victim, "CLAUDE.md"), "utf8")).toBe("the user's own");

  fs.rmSync(join(agent, ".claude"), { recursive: true });
  fs.symlinkSync(victim, join(agent, ".claude"));
  fs.rmSync(join(user, path));
  await bring();
  expect(fs.existsSync(join(victim, "CLAUDE.md"))).toBe(true);
});

test("sessions that begin at once in a new home take nothing away from each other", async () => {
  for (let round = 0; round < 30; round += 1) {
    const { agent, bring } = homes({ [path]: "Be kind.\n" });
    const begin = async () => {
      await clearHomeSettings(agent, [".claude/settings.json", ".claude/skills"]);
      await bring();
    };
    await Promise.all(Array.from({ length: 8 }, begin));
    expect(textOf(agent)).toBe("Be kind.\n");
    expect(fs.readdirSync(join(agent, ".claude"))).toEqual(["CLAUDE.md"]);
  }
});
