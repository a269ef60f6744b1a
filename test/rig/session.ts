import fs from "node:fs";
import path from "node:path";
import type { SessionRequest } from "../../src/agents/driver-kit/agent.ts";
import { agentEnvironment } from "../../src/process/environment.ts";
import { noSandbox } from "../../src/sandbox/sandbox.ts";

/** The folders of one session below `folder`, made if they are not there. */
export function sessionFolders(folder: string) {
  const [workspace, outbox, inbox, home] = ["workspace", "outbox", "inbox", "home"].map((name) =>
    path.join(folder, name),
  ) as [string, string, string, string];
  for (const dir of [workspace, outbox, inbox, home]) fs.mkdirSync(dir, { recursive: true });
  return { workspace, outbox, inbox, home };
}

/** The environment a session of the tests gets. */
export function sessionEnvironment(folder: string, userEnv: Record<string, string | undefined>, allow: string[] = []) {
  const { outbox, inbox, home } = sessionFolders(folder);
  const stint = { role: "executor", run: "r", task: "01-a", attempt: 1, outbox, inbox };
  return agentEnvironment({ userEnv, allow, home, stint });
}

/** A session without a sandbox, to be changed where a test means something else. */
export function sessionRequest(folder: string, more: Partial<SessionRequest> = {}): SessionRequest {
  const { workspace, outbox, inbox, home } = sessionFolders(folder);
  return {
    command: [],
    prompt: "Do the task.",
    inputs: [],
    mcp: {},
    repoSettings: false,
    workspace,
    files: [workspace],
    outbox,
    home,
    enclosure: noSandbox.enclose({ workspace, home, outbox, inbox, visible: [], network: true }),
    env: sessionEnvironment(folder, process.env),
    marker: `STINT_OUTBOX=${outbox}`,
    logFile: path.join(folder, "output.log"),
    resume: "stint resume p#1",
    wallMsMax: 50_000,
    idleMsMax: 50_000,
    signal: new AbortController().signal,
    started: async () => undefined,
    observe: () => undefined,
    ...more,
  };
}
