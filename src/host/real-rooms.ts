import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { endLeftovers } from "../agents/supervise.ts";
import type { Config } from "../config/load.ts";
import type { CheckEvidence } from "../engine/events.ts";
import { isMechanical, type MechanicalCheck } from "../verify/checks.ts";
import { evaluateCheck, labelOf } from "../verify/evaluate-check.ts";
import { createCheckout, removeCheckout, type Checkout } from "../workspace/checkout.ts";
import { removeUntracked } from "../workspace/remove-untracked.ts";
import { restoreTree } from "../workspace/restore.ts";
import { roomEnvironment, setUpCheckout } from "../workspace/set-up.ts";
import { untrackedPaths } from "../workspace/snapshot.ts";
import type { RoomPort } from "./ports.ts";
import type { Project } from "./project.ts";

/** Rooms below `dir`: a fresh checkout each, with an empty HOME, used for one list of checks and thrown away. */
export function realRooms(
  project: Project,
  options: { readonly config: Config; readonly dir: string; readonly inBackground?: (work: Promise<unknown>) => void },
): RoomPort {
  return {
    check: async ({ commit, checks, logDir, signal }) => {
      const dir = join(options.dir, randomUUID());
      const { setup, env: extra } = options.config.workspace;
      try {
        await mkdir(logDir, { recursive: true, mode: 0o700 });
        const checkout = await createCheckout(project.control, {
          dir: join(dir, "tree"),
          commit,
          branch: null,
          identity,
        });
        const env = await roomEnvironment(dir, { userEnv: project.env, extra });
        const room = { project, checkout, env, logDir, setup, signal };
        return await checkInRoom(room, checks.filter(isMechanical));
      } finally {
        const removed = removeCheckout(dir);
        if (options.inBackground === undefined) await removed;
        else options.inBackground(removed);
      }
    },
    sweep: async () => {
      await endLeftovers({ cwdWithin: options.dir });
      await rm(options.dir, { recursive: true, force: true });
    },
  };
}

/** Checks that commit inside their room need a name; nothing they commit is kept. */
const identity = { name: "Stint", email: "stint@localhost" };

interface Room {
  readonly project: Project;
  readonly checkout: Checkout;
  readonly env: Readonly<Record<string, string>>;
  readonly logDir: string;
  readonly setup: string | undefined;
  readonly signal: AbortSignal;
}

async function checkInRoom(room: Room, checks: readonly MechanicalCheck[]): Promise<CheckEvidence[]> {
  const { checkout, env, logDir, signal } = room;
  const failed =
    room.setup === undefined
      ? undefined
      : await setUpCheckout({ ...room, command: room.setup, logFile: join(logDir, "setup.log") });
  if (failed !== undefined) return checks.map((check) => brokenBySetup(check, failed));
  const made = new Set(room.setup === undefined ? [] : await untrackedPaths(room.project.control, checkout));
  const evidence: CheckEvidence[] = [];
  for (const [index, check] of checks.entries()) {
    // Code run by one check can rewrite what the next one reads, so each starts from a verified tree.
    if (index > 0 || room.setup !== undefined) await putBack(room, made);
    const logFile = join(logDir, `check-${index + 1}.log`);
    const { label, state, why, tail, durationMs } = await evaluateCheck(check, {
      root: checkout.dir,
      env,
      logFile,
      signal,
    });
    signal.throwIfAborted();
    evidence.push({ label, state, why, tail, durationMs });
  }
  return evidence;
}

async function putBack({ project, checkout }: Room, made: ReadonlySet<string>): Promise<void> {
  await restoreTree(project.control, checkout);
  await removeUntracked(project.control, checkout, made);
}

function brokenBySetup(check: MechanicalCheck, why: string): CheckEvidence {
  return { label: labelOf(check), state: "broken", why: why.split("\n")[0] ?? "", tail: why, durationMs: 0 };
}
