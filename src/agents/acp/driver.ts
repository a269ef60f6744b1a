import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import { agentsLimits } from "../limits.ts";
import { converse, type AcpImage } from "./conversation.ts";
import type { AgentDriver, OwnLogin, SessionInput, SessionRequest, SessionResult } from "../driver-kit/agent.ts";
import { type OwnEnd, runSession } from "../driver-kit/session.ts";

/** Runs any agent that speaks the Agent Client Protocol, version 1, on its standard input and output. */
export const acpDriver: AgentDriver = {
  facts: {
    program: null,
    credentials: [],
    settings: [],
    userInstructions: [],
    repoSettings: [],
    endsTurn: true,
    ownLogin: (program) => ownLogins[basename(program)],
  },
  run,
};

/** The protocol does not say how a person logs in; these programs were tried. */
const ownLogins: Readonly<Record<string, OwnLogin>> = {
  opencode: { args: ["auth", "login"], file: ".local/share/opencode/auth.json", renewsOnce: true },
};

async function run(request: SessionRequest): Promise<SessionResult> {
  const { enclosure, signal } = request;
  const { folders, confined } = enclosure;
  const images = await loadImages(request.inputs);
  const talk = converse({ ...request, folders, confined, images });
  const cancel = (): void => talk.cancel();
  try {
    return await runSession(request, {
      argv: request.command,
      conversation: (say, hangUp) => {
        // Registered before the listener that kills the process, so that it can cancel first.
        signal.addEventListener("abort", cancel);
        talk.begin(say, hangUp);
      },
      hear: talk.hear,
      conclude: (end) => talk.outcome() ?? { kind: "crashed", detail: `${how(end)} before its answer` },
      usage: talk.usage,
      sessionId: talk.sessionId,
      version: talk.version,
      showsTools: true,
    });
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

/** Reads images by the paths that the agent sees; it can read larger ones in the inbox. */
async function loadImages(inputs: readonly SessionInput[]): Promise<ReadonlyMap<string, AcpImage>> {
  const images = new Map<string, AcpImage>();
  for (const { path, file, mediaType } of inputs) {
    if (!mediaType.startsWith("image/") || (await stat(file)).size > agentsLimits.imageBytesMax) continue;
    images.set(path, { mimeType: mediaType, data: await readFile(file, "base64") });
  }
  return images;
}

function how(end: OwnEnd): string {
  if (end.kind === "final")
    throw new Error("Internal error: expected an outcome with the final event, but there is none");
  return end.kind === "exited" ? `exit ${end.code}` : `killed by ${end.signal}`;
}
