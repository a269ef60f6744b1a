import type { Question, RunState, TaskState } from "../../engine/state.ts";
import { cliLimits } from "../limits.ts";
import { answerCommands } from "../../report/next-steps.ts";
import type { RunHistory } from "./history.ts";
import { shown } from "./format.ts";

/** A task or a revised plan that waits for a person: why, and what to type. */
export interface NeedRow {
  readonly id: string;
  readonly kind: "blocked" | "asks" | "yours";
  readonly why: string;
  readonly type: readonly string[];
}

/** Questions first, then blocked tasks, then tasks taken by hand. */
export function needsOf(state: RunState, record: Pick<RunHistory, "blocked">): NeedRow[] {
  const questions = [...state.questions.values()];
  const asked = new Map(questions.map((question) => [question.task ?? question.id, question]));
  const open = new Set([...asked.keys(), ...record.blocked, ...state.held]);
  const tasks = [...open].flatMap((id) => state.tasks.get(id) ?? []);
  const ofPlan = questions.filter(({ task }) => task === null).map((question) => planRow(state, question));
  const rows = [...ofPlan, ...tasks.flatMap((task) => rowOf(task, asked.get(task.spec.id)) ?? [])];
  return rows.toSorted((a, b) => order[a.kind] - order[b.kind]).slice(0, cliLimits.viewRowsMax);
}

const order: Record<NeedRow["kind"], number> = { asks: 0, blocked: 1, yours: 2 };

/** A revised plan is accepted on the page that shows all of it. */
function planRow({ plan }: RunState, question: Question): NeedRow {
  const type = [`stint approve ${plan}`, ...answerCommands(question)].map(shown);
  return { id: question.id, kind: "asks", why: shown(question.question), type };
}

function rowOf({ spec: { id }, phase, blocked, feedback }: TaskState, question?: Question): NeedRow | undefined {
  if (question !== undefined)
    return { id, kind: "asks", why: shown(question.question), type: answerCommands(question).map(shown) };
  if (phase === "blocked" || phase === "exhausted") {
    const why = blocked?.why ?? feedback?.why ?? "";
    return { id, kind: "blocked", why: shown(why), type: [`stint requeue ${id}`, `stint take ${id}`] };
  }
  return phase === "taken" ? { id, kind: "yours", why: "taken by hand", type: [`stint submit ${id}`] } : undefined;
}
