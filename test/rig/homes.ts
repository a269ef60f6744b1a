import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { bringUserInstructions } from "../../src/agents/agent-home.ts";

/** The file of instructions that is brought. */
export const path = ".claude/CLAUDE.md";

interface Homes {
  readonly user: string;
  readonly agent: string;
  readonly bring: () => Promise<void>;
}

/** A user's home with these files and an agent's empty one; both are gone after the test. */
export function homes(files: Record<string, string> = {}): Homes {
  const root = fs.mkdtempSync(join(tmpdir(), "stint-homes-"));
  onTestFinished(() => fs.rmSync(root, { recursive: true }));
  const [user, agent] = [join(root, "user"), join(root, "agent")];
  for (const home of [user, agent]) fs.mkdirSync(home);
  for (const [name, text] of Object.entries(files)) write(join(user, name), text);
  const about = { userHome: user, agentHome: agent, paths: [path], resume: "stint resume p#1" };
  return { user, agent, bring: () => bringUserInstructions(about) };
}

export function write(file: string, text: string): void {
  fs.mkdirSync(dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}

export const textOf = (home: string) => fs.readFileSync(join(home, path), "utf8");
