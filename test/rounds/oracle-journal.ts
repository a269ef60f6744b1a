import { createHash } from "node:crypto";
import type { Files, RoundTask } from "./round.ts";

/** One line of the journal, as far as the oracle looks into it. */
export interface Line {
  readonly seq: number;
  readonly epoch: number;
  readonly type: string;
  readonly prev: string;
  readonly hash: string;
  readonly task?: string;
  readonly attempt?: number;
  readonly result?: string;
  readonly state?: string;
  readonly reason?: string | null;
  readonly checks?: readonly unknown[];
}

/** Verifies the hash chain over the bytes as they are, and that numbers and epochs only rise. */
export function inspectChain(text: string): readonly string[] {
  const found: string[] = [];
  let last = { hash: "0".repeat(64), seq: 0, epoch: 0 };
  for (const bytes of text.split("\n").slice(0, -1)) {
    const line = JSON.parse(bytes) as Line;
    const hash = createHash("sha256")
      .update(bytes.replace(/,"hash":"[0-9a-f]{64}"\}$/, "}"))
      .digest("hex");
    if (hash !== line.hash || line.prev !== last.hash) found.push(`the journal's chain is broken at line ${line.seq}`);
    if (line.seq !== last.seq + 1 || line.epoch < last.epoch)
      found.push(`the journal's numbers jump at line ${line.seq}`);
    last = line;
  }
  return text.endsWith("\n") ? found : [...found, "the journal ends in a torn line"];
}

export function linesOfJournal(text: string): readonly Line[] {
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);
}

/** What the order of events must show of every task, whatever died when. */
export function inspectOrder(lines: readonly Line[], tasks: readonly RoundTask[], lanes: number): readonly string[] {
  const found: string[] = [];
  const integrated = new Set<string>();
  const underWay = new Set<string>();
  const sessions = new Set<string>();
  for (const line of lines) {
    const id = line.task ?? "";
    if (line.type === "attempt-started") found.push(...badStart(id, { tasks, integrated, underWay }));
    if (line.type === "agent-started") sessions.add(`${id} ${line.attempt}`);
    if (line.type === "agent-finished") sessions.delete(`${id} ${line.attempt}`);
    if (sessions.size > lanes) found.push(`${sessions.size} sessions at once on ${lanes} lanes, at line ${line.seq}`);
    if (line.type === "task-integrated" && integrated.has(id)) found.push(`${id} was integrated twice`);
    if (line.type === "task-integrated") integrated.add(id);
    if (endsAttempt(line)) underWay.delete(id);
    else if (line.type === "attempt-started") underWay.add(id);
  }
  return found;
}

/** Attempts that counted against the limit: the last verdict on each attempt says. */
export function chargedAttempts(lines: readonly Line[], task: string): number {
  const last = new Map<number, string>();
  for (const line of lines) {
    if (line.task !== task || line.attempt === undefined) continue;
    if (line.type === "verdict") last.set(line.attempt, line.result ?? "");
    if (line.type === "work-lost") last.set(line.attempt, "failed");
  }
  return [...last.values()].filter((result) => result === "failed").length;
}

interface Standing {
  readonly tasks: readonly RoundTask[];
  readonly integrated: ReadonlySet<string>;
  readonly underWay: ReadonlySet<string>;
}

function* badStart(id: string, { tasks, integrated, underWay }: Standing): Generator<string> {
  const task = tasks.find((one) => one.id === id);
  if (task === undefined) {
    yield `an attempt of an unknown task: ${id}`;
    return;
  }
  if (integrated.has(id)) yield `${id} was started again after it was integrated`;
  for (const dependency of task.depends) {
    if (!integrated.has(dependency)) yield `${id} was started before ${dependency} was integrated`;
  }
  for (const other of tasks) {
    const meets =
      other.id !== id &&
      underWay.has(other.id) &&
      pathsOf(other.files).some((path) => pathsOf(task.files).includes(path));
    if (meets) yield `${id} was started while ${other.id} was under way, and both name the same file`;
  }
}

function endsAttempt({ type, result }: Line): boolean {
  if (type === "verdict") return result !== "passed";
  return ["task-integrated", "work-rescued", "work-lost", "task-blocked"].includes(type);
}

function pathsOf(files: Files): readonly string[] {
  return [...files.create, ...files.modify, ...files.delete];
}
