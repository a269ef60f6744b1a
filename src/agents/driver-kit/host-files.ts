import { lstat, open, readFile, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { agentsLimits } from "../limits.ts";
import type { SessionInput } from "./agent.ts";

/** Files that become part of what an agent is told; read when its session starts, so that dialects stay pure. */
export interface HostFiles {
  readonly base64: (input: SessionInput) => Promise<string>;
  /** The first of these files that stands in the root of the repository; undefined where none does. */
  readonly ofRepository: (names: readonly string[]) => Promise<string | undefined>;
}

/** The workspace is one that no agent works in yet. */
export function hostFiles(workspace: string): HostFiles {
  return {
    base64: ({ file }) => readFile(file, "base64"),
    ofRepository: async (names) => {
      for (const name of names) {
        const text = await readInside(workspace, name);
        if (text !== undefined) return text;
      }
      return undefined;
    },
  };
}

/** A repository may ship a link to a file of the user's: what lies outside is not its instructions. */
async function readInside(workspace: string, name: string): Promise<string | undefined> {
  try {
    const file = await realpath(join(workspace, name));
    if (!file.startsWith(`${await realpath(workspace)}${sep}`)) return undefined;
    return (await lstat(file)).isFile() ? await readBeginning(file) : undefined;
  } catch {
    return undefined;
  }
}

async function readBeginning(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const buffer = Buffer.alloc(agentsLimits.repoInstructionsBytesMax);
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    return buffer.subarray(0, bytesRead).toString("utf8");
  } finally {
    await handle.close();
  }
}
