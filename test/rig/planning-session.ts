import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ok } from "../../src/base/result.ts";
import type { Outcome } from "../../src/engine/session.ts";
import { noSpending } from "../../src/engine/spending.ts";
import type { AssessedDraft } from "../../src/planning/machine/assessment.ts";
import type { PlanningEvent, PlanningPhase } from "../../src/planning/machine/events.ts";
import { evolvePlanning, foldPlanning } from "../../src/planning/machine/evolve.ts";
import type { SessionOutput } from "../../src/planning/machine/session-output.ts";
import type { PlanningSession } from "../../src/planning/planning-session.ts";
import type { PlannerSession, PlanningPorts } from "../../src/planning/ports.ts";
import { planningPathsIn } from "../../src/project/paths.ts";
import { defaultPrompts } from "../../src/prompts/overrides.ts";
import { begun } from "./planning-events.ts";

/** What the agent of one phase leaves; what is left out is empty. */
export interface Left extends Partial<Omit<SessionOutput, "draft">> {
  readonly draft?: Readonly<Record<string, string>>;
  readonly outcome?: Outcome;
}

/** A planning session in a folder of its own, with ports that a test scripts. */
export interface ScriptedPlanning extends Disposable {
  readonly planning: PlanningSession;
  /** What was recorded, without the events that were there before. */
  readonly events: PlanningEvent[];
  /** What the sessions were asked for, in order. */
  readonly requests: PlannerSession[];
}

export const process = { pid: 1, startTime: "1", bootId: "b" };

/** Opens a planning session after these events, whose agents leave what `left` has for their phase. */
export function scriptedPlanning(
  before: readonly PlanningEvent[] = [begun],
  {
    left = {},
    ports = {},
    signal = new AbortController().signal,
  }: {
    readonly left?: Readonly<Partial<Record<PlanningPhase, Left>>>;
    readonly ports?: Partial<PlanningPorts>;
    readonly signal?: AbortSignal;
  } = {},
): ScriptedPlanning {
  const root = mkdtempSync(join(tmpdir(), "stint-planning-"));
  const folders = { dir: join(root, "planning"), scratch: join(root, "scratch") };
  const paths = planningPathsIn({ run: "p", resumeCommand: "stint plan --continue", ...folders });
  mkdirSync(paths.dir);
  const state = { ...foldPlanning(before)! };
  const events: PlanningEvent[] = [];
  const requests: PlannerSession[] = [];
  const planning: PlanningSession = {
    state,
    append: (event) => {
      events.push(event);
      Object.assign(state, evolvePlanning(state, event));
    },
    paths,
    materials: { prompts: defaultPrompts, project: "# Project", rules: "", inputs: new Map(), revision: null },
    ports: {
      dialog: null,
      sessions: {
        run: async (request) => {
          requests.push(request);
          request.started(process, "marker");
          return endOf(left[request.phase] ?? {});
        },
        end: async () => noSpending,
        discard: async () => undefined,
      },
      write: (path, text) => {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, text);
      },
      map: async () => ({ text: "# Map", files: 1, symbols: 2, tokens: 3 }),
      assess: async ({ draft, rules }) => assessedAs(draft, rules),
      handOver: async ({ documents }) => ok([...documents.keys()]),
      ...ports,
    },
    signal,
    assessed: null,
  };
  return { planning, events, requests, [Symbol.dispose]: () => rmSync(root, { recursive: true }) };
}

function endOf({ draft = {}, outcome = { kind: "ok" }, ...output }: Left) {
  return {
    outcome,
    ...{ report: null, reportProblem: null, usage: noSpending, sessionId: null, model: null, dirty: [] },
    output: { rules: null, questions: [], findings: null, problems: [], ...output, draft: bytesOf(draft) },
  };
}

function assessedAs(draft: ReadonlyMap<string, Uint8Array>, rules: Uint8Array | null): AssessedDraft {
  const documents = new Map([...draft].map(([name, bytes]) => [`plans/work/${name}`, bytes]));
  return { documents, rules, plan: undefined, problems: [], checked: [], changes: [], against: null };
}

/** Texts as the bytes of files. */
export function bytesOf(texts: Readonly<Record<string, string>>): Map<string, Uint8Array> {
  return new Map(Object.entries(texts).map(([name, text]) => [name, Buffer.from(text)]));
}

/** Files as texts. */
export function textsOf(files: ReadonlyMap<string, Uint8Array>): Record<string, string> {
  return Object.fromEntries([...files].map(([name, bytes]) => [name, Buffer.from(bytes).toString("utf8")]));
}
