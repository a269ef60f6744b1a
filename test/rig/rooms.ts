import type { CheckEvidence } from "../../src/engine/evidence.ts";
import type { RunEvent, RunSettings } from "../../src/engine/events.ts";
import type { Ports } from "../../src/run/ports.ts";
import type { Run } from "../../src/run/run.ts";
import { parsePlan } from "../../src/plan/parse.ts";
import type { PlanFile } from "../../src/plan/types.ts";
import { checkKey, isMechanical } from "../../src/checks/checks.ts";
import { labelOf } from "../../src/checks/evaluate-check.ts";
import { document, plan as planFiles, type PlanSpec } from "./plan.ts";
import { spec, World } from "./world.ts";

/** What a check shows on a commit, the n-th time it is asked there. */
export type Showing = (label: string, commit: string, time: number) => CheckEvidence["state"] | "no-room";

export interface Staged {
  readonly run: Run;
  readonly world: World;
  /** Every question to a room, in order, as `label @ commit`. */
  readonly asked: string[];
  /** How many rooms were in use at the same time, at most. */
  readonly most: () => number;
}

/** A run whose tasks have landed as `of-<id>` on `base`, and whose rooms show what the test says. */
export function stage(
  written: PlanSpec & { readonly rules?: readonly string[] },
  shows: Showing,
  settings: Partial<RunSettings> = {},
): Staged {
  const files = { ...planFiles({ ...written, name: "p" }), ".stint/rules.md": rulesFile(written.rules) };
  const documents = new Map(
    Object.entries(files).map(([path, text]): [string, PlanFile] => [path, { bytes: Buffer.from(text) }]),
  );
  const { plan, rules } = parsePlan(documents, "p");
  if (plan === undefined) throw new Error("The test's plan is wrong");
  const world = new World(
    plan.tasks.map(({ id }) => spec(id)),
    settings,
  );
  for (const { id } of plan.tasks) world.add({ type: "task-integrated", task: id, attempt: 1, commit: `of-${id}` });
  const asked: string[] = [];
  const rooms = scriptedRooms(shows, asked);
  const ports = {
    rooms,
    repo: {
      treeOf: async (commit: string) => `tree of ${commit}`,
      changes: async (_: string, to: string) => [
        { status: "A", path: `made ${to}`, lines: 1 },
        { status: "M", path: `changed ${to}`, lines: 1 },
      ],
    },
    documents: { runDir: "/nowhere", attemptDir: () => "/nowhere", write: () => undefined },
  } as unknown as Ports;
  const run = {
    ...{ plan, rules, documents, ports, state: world.state },
    append: (event: RunEvent) => world.add(event),
  } as unknown as Run;
  return { run, world, asked, most: rooms.most };
}

function rulesFile(checks: readonly string[] = []): string {
  return document({ checks }, "Work carefully.");
}

function scriptedRooms(shows: Showing, asked: string[]) {
  let [inUse, most] = [0, 0];
  const check: Ports["rooms"]["check"] = async ({ commit, checks, signal }) => {
    most = Math.max(most, (inUse += 1));
    const evidence: CheckEvidence[] = [];
    try {
      for (const one of checks) {
        if (!isMechanical(one)) continue;
        await new Promise((resolve) => setImmediate(resolve));
        signal.throwIfAborted();
        const question = `${labelOf(one)} @ ${commit}`;
        asked.push(question);
        const state = shows(labelOf(one), commit, asked.filter((other) => other === question).length);
        const of = {
          key: checkKey(one),
          label: labelOf(one),
          why: `it is ${state}`,
          tail: `said ${state}`,
          durationMs: 1,
        };
        evidence.push(state === "no-room" ? { ...of, state: "broken", cause: "set-up" } : { ...of, state });
      }
      return evidence;
    } finally {
      inUse -= 1;
    }
  };
  return { check, most: () => most };
}
