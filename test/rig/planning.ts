import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Move, Moves } from "../../src/agents/scripted/moves.ts";
import type { Dialog } from "../../src/host/planning/contract.ts";
import {
  beginPlanning,
  continuePlanning,
  type PlanningEnd,
  type PlanningRequest,
} from "../../src/host/planning/plan.ts";
import { openProject, type Project } from "../../src/host/project.ts";
import type { PlanningEvent } from "../../src/planner/events.ts";
import type { PlanningState } from "../../src/planner/planning.ts";
import type { Result } from "../../src/result.ts";
import { makes, plan, type PlanSpec } from "./plan.ts";
import { createScriptedRig } from "./scripted.ts";
import type { Rig, RigOptions } from "./rig.ts";

/** A rig whose planner and reviewer are the driver `scripted`; its moves are keyed by phase. */
export async function createPlanningRig(
  options: Omit<RigOptions, "moves" | "plan"> & { readonly moves: Moves | ((rig: Drafts) => Moves) },
): Promise<PlanningRig> {
  const { config = {}, ...rest } = options;
  const roles = { planner: { agent: "embedded" }, reviewer: { agent: "embedded" } };
  const rig = await createScriptedRig({
    ...rest,
    moves: {},
    config: { ...config, roles: { ...roles, ...config["roles"] } },
  });
  const drafts = draftsIn(rig);
  const moves = typeof options.moves === "function" ? options.moves(drafts) : options.moves;
  rig.write("moves.json", JSON.stringify({ ...quiet, ...moves }));
  rig.commit("Moves");
  const drive: PlanningRig["drive"] = async (request = {}, how) => await driven(rig, { request, ...how });
  return Object.assign(rig, { drive, ...drafts, inboxOf: (name: string) => filesIn(join(rig.outside, name)) });
}

export interface PlanningRig extends Rig, Drafts {
  /** Begins a planning, or continues one, in this process, and drives it to its end. */
  readonly drive: (request?: Partial<PlanningRequest> | "continue", how?: How) => Promise<Driven>;
  /** What `seeInbox` kept, by path. */
  readonly inboxOf: (name: string) => Readonly<Record<string, string>>;
}

interface How {
  readonly dialog?: Dialog;
  readonly signal?: AbortSignal;
  readonly observe?: (event: PlanningEvent) => void;
}

export interface Driven {
  readonly end: PlanningEnd;
  readonly state: PlanningState;
  readonly folder: string;
  readonly events: readonly PlanningEvent[];
  /** What of a session is kept, by path. */
  readonly session: (name: string) => Readonly<Record<string, string>>;
}

export interface Drafts {
  /** Leaves the documents of a plan in the outbox. */
  readonly leave: (spec: PlanSpec | Readonly<Record<string, string>>) => Move;
  /** Keeps a copy of the inbox for the test. */
  readonly seeInbox: (name: string) => Move;
}

/** A plan of one task that lint and its check have nothing to say about. */
export const goodPlan: PlanSpec = { tasks: { "01-note": makes("note.txt", { goal: "Write ready into note.txt." }) } };

/** What a phase does that a test does not care about. */
const quiet: Moves = { interview: [], gaps: [], critique: [{ run: `echo '[]' > "$STINT_OUTBOX/findings.json"` }] };

function draftsIn(rig: Rig): Drafts {
  let count = 0;
  return {
    leave: (spec) => {
      const folder = join(rig.outside, `draft-${(count += 1)}`);
      const files = "tasks" in spec && typeof spec["tasks"] === "object" ? inFolder(spec as PlanSpec) : spec;
      for (const [name, text] of Object.entries(files as Record<string, string>)) {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        writeFileSync(join(folder, name), text);
      }
      return { run: `cp -r "${folder}/." "$STINT_OUTBOX/"` };
    },
    seeInbox: (name) => ({ run: `cp -r "$STINT_INBOX" "${join(rig.outside, name)}"` }),
  };
}

function inFolder(spec: PlanSpec): Record<string, string> {
  return Object.fromEntries(
    Object.entries(plan({ ...spec, name: "any" })).map(([path, text]) => [path.replace("plans/any/", ""), text]),
  );
}

/** The files below a folder as text, by path. */
function filesIn(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).toSorted();
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, "utf8")]));
}

async function driven(
  rig: Rig,
  { request, dialog, signal, observe }: How & { readonly request: Partial<PlanningRequest> | "continue" },
): Promise<Driven> {
  const project = expectOk(await openProject(rig.repo, rig.env));
  const opened = expectOk(await open(project, rig, request, dialog !== undefined));
  const events: PlanningEvent[] = [];
  try {
    const end = await opened.drive({
      dialog: dialog ?? null,
      signal: signal ?? new AbortController().signal,
      observe: (event) => {
        events.push(event);
        observe?.(event);
      },
    });
    const session = (name: string) => filesIn(join(opened.folder, "sessions", name));
    return { end, state: opened.state, folder: opened.folder, events, session };
  } finally {
    opened.close();
  }
}

async function open(project: Project, { repo }: Rig, request: Partial<PlanningRequest> | "continue", isHeard: boolean) {
  if (request === "continue") return await continuePlanning(project, { headless: !isHeard });
  const standard = { goal: "Write a note", inputs: [], cwd: repo, headless: !isHeard, revises: null };
  return await beginPlanning(project, { ...standard, ...request });
}

function expectOk<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}
