import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { draftOf } from "./drafts.ts";
import type { JournalEvent } from "./follow.ts";
import type { Move, Moves } from "./moves.ts";
import type { PlanSpec } from "./plan.ts";
import { createRig, type Rig, type RigOptions } from "./rig.ts";

/** A question as a planner leaves it. */
export interface Asked {
  readonly id: string;
  readonly question: string;
  readonly options?: readonly string[];
  readonly recommend?: string;
}

/** A rig whose planner and critic are the scripted agent; moves stand under the names of phases. */
export async function createPlanningRig(moves: Moves, options: Omit<RigOptions, "moves"> = {}): Promise<Rig> {
  const { config = {}, ...rest } = options;
  const roles = { planner: { agent: "scripted" }, ...config["roles"] };
  return createRig({ ...rest, moves: { ...quiet, ...moves }, config: { ...config, roles } });
}

/** A critic that has nothing to say. */
export const content: Moves = { critique: [{ leave: "findings.json", text: "[]" }] };

/** A planner with nothing to ask besides. */
const quiet: Moves = { interview: [], gaps: [], ...content };

/** Leaves a whole plan, as a planner does. */
export function leavesPlan(spec: PlanSpec): Move[] {
  return Object.entries(draftOf(spec)).map(([name, text]) => ({ leave: name, text }));
}

/** Leaves questions for the person who wants the plan. */
export function asks(...questions: readonly Asked[]): readonly Move[] {
  return [{ leave: "questions.json", text: JSON.stringify(questions) }];
}

/** Keeps what a session found in its inbox, for `inboxOf`. */
export function keepsInbox(name: string): Move {
  return { shell: `cp -R "$STINT_INBOX" "$(dirname "$RIG_MOVES")/${name}"` };
}

/** A file that a session found in its inbox; empty where it was not there. */
export function inboxOf(rig: Rig, name: string, file: string): string {
  const path = join(rig.outside, name, file);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

/** The folder of the newest planning. */
export function planningFolder({ gitDir }: Pick<Rig, "gitDir">): string {
  const folder = join(gitDir, "stint", "plannings");
  return join(folder, readdirSync(folder).toSorted().at(-1) ?? "");
}

/** The events of the newest planning. */
export function planningEvents(rig: Pick<Rig, "gitDir">, type?: string): readonly JournalEvent[] {
  const lines = readFileSync(join(planningFolder(rig), "journal.jsonl"), "utf8")
    .split("\n")
    .filter(Boolean);
  const events = lines.map((line) => JSON.parse(line) as JournalEvent);
  return events.filter((event) => type === undefined || event.type === type);
}
