import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Moves } from "../../src/agents/scripted/moves.ts";

/** The worked examples, by folder of docs/examples, with the name of each plan. */
export const examples = { node: "reminders", python: "report" } as const;

/** Every file of an example, by path. */
export function exampleFiles(kind: keyof typeof examples): Record<string, string> {
  return filesBelow(join("docs", "examples", kind));
}

/** What an agent that does everything right would do, task by task. */
export function exampleMoves(kind: keyof typeof examples): Moves {
  const folder = join("test", "fixtures", "example-solutions", kind);
  const tasks = readdirSync(folder).map((task) => {
    const files = Object.entries(filesBelow(join(folder, task)));
    return [task, files.map(([edit, write]) => ({ edit, write }))] as const;
  });
  return Object.fromEntries(tasks);
}

function filesBelow(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("__pycache__"))
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, "utf8")]));
}
