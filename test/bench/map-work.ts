import { openProject } from "../../src/project/project.ts";
import { codebaseMap } from "../../src/planning/map/codebase-map.ts";

/** Reads requests from standard input as lines of JSON, and answers each with a line: the map as its callers get it. */
async function main(): Promise<void> {
  const opened = await openProject(process.cwd(), process.env);
  if (!opened.ok) throw new Error(opened.failure.message);
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  for (const line of Buffer.concat(chunks).toString("utf8").split("\n").filter(Boolean)) {
    const made = await codebaseMap(opened.value, JSON.parse(line) as { commit: string; tokens: number; goal: string });
    process.stdout.write(`${JSON.stringify(made)}\n`);
  }
}

await main();
