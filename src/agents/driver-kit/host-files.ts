import { lstat, open, readFile, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { agentsLimits } from "../limits.ts";
import type { SessionInput } from "./agent.ts";

/** Reads files that become part of a prompt when the session starts, so that dialects stay pure. */
export interface HostFiles {
  readonly base64: (input: SessionInput) => Promise<string>;
  /** Reads the first of these files that the root of the repository has; undefined where it has none. */
  readonly ofRepository: (names: readonly string[]) => Promise<string | undefined>;
}

/** Reads files on the host; no agent works in the workspace yet. */
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

/** Refuses files outside the workspace: a repository may ship a link to a file of the user's. */
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
