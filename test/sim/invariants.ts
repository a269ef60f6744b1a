import { isDeepStrictEqual } from "node:util";
import { fold } from "../../src/engine/evolve.ts";
import type { EventOf, EventType } from "../../src/engine/events.ts";
import type { RunState } from "../../src/engine/state.ts";
import { runPaths, runRef } from "../../src/project/paths.ts";
import type { Plan } from "../../src/plan/types.ts";
import type { RunEntry } from "../../src/hooks/run-entry.ts";
import type { JournalEntry } from "../../src/journal/framing.ts";
import { journalStart, scan, type Cursor } from "../../src/journal/scan.ts";
import { interrupted, type Agent } from "./agents.ts";
import { holds } from "./facts.ts";
import { whyUnheard } from "./heard.ts";
import type { Sender } from "./people.ts";
import type { SimProcess } from "./process.ts";
import type { World } from "./world.ts";

/** The last of these tells whether a run is paused. */
const pauseEvents: ReadonlySet<RunEntry["type"]> = new Set(["pausing", "paused", "resumed", "stopped"]);

/** What must hold after every event and after every recovery; each is named after the promise it belongs to. */
export class Invariants {
  readonly #world: World;
  /** What was shown to anyone, by run, then by number. */
  readonly #shown = new Map<string, RunEntry[]>();
  readonly #driverOf = new Map<string, SimProcess>();
  /** By run: what was read of its journal. */
  readonly #read = new Map<string, { bytes: Buffer; cursor: Cursor; entries: readonly RunEntry[] }>();
  /** By run and number of the event, when a revision was accepted. */
  readonly #acceptedAt = new Map<string, number>();
  #last: string | undefined;
  /** The commits that drivers have put on the run's ref; somebody else may have moved the ref since. */
  readonly #putOnRef = new Set<string>();

  constructor(world: World) {
    this.#world = world;
  }

  /** The run that was last heard of. */
  get run(): string | undefined {
    return this.#last;
  }

  /** Told of every event that a driver or a reader shows. */
  observerOf(process: SimProcess, run: string): (entry: RunEntry) => void {
    return (entry) => {
      this.#world.say(`${process.name} ${entry.seq}/${entry.epoch} ${describe(entry)}`);
      this.show(run, entry);
      const driver = this.#driverOf.get(`${run} ${entry.epoch}`) ?? process;
      this.#driverOf.set(`${run} ${entry.epoch}`, driver);
      if (driver !== process)
        this.#blame("P4", `${driver.name} and ${process.name} both write at epoch ${entry.epoch}`);
    };
  }

  /** An event that somebody saw. */
  show(run: string, entry: RunEntry): void {
    if (entry.type === "run-started") this.#last = run;
    const shown = this.#shown.get(run) ?? [];
    this.#shown.set(run, shown);
    const before = shown[entry.seq - 1];
    if (before !== undefined && before.hash !== entry.hash) {
      this.#blame("P1", `event ${entry.seq} was ${describe(before)} and is ${describe(entry)} now`);
    }
    if (before !== undefined) return;
    shown[entry.seq - 1] = entry;
    this.#onFirstSight(run, entry);
  }

  /** A driver has opened the journal: all that was shown must be in it. */
  recovered(run: string, entries: readonly JournalEntry[]): void {
    for (const entry of this.#shown.get(run) ?? []) {
      if (entry === undefined || entries[entry.seq - 1]?.hash === entry.hash) continue;
      this.#blame("P1", `event ${entry.seq} (${describe(entry)}) was shown and is lost`);
    }
    for (const entry of entries as readonly RunEntry[]) this.show(run, entry);
  }

  /** The journal as it lies on the disk: all that was shown is there, and the state of whoever wrote last is what it tells. */
  whole(run: string, ended?: { readonly state: RunState; readonly by: SimProcess }): RunState | undefined {
    const entries = this.#readJournal(run);
    if (entries === undefined) return undefined;
    this.recovered(run, entries);
    const folded = this.#fold(entries);
    const isLast = ended !== undefined && this.#driverOf.get(`${run} ${entries.at(-1)?.epoch}`) === ended.by;
    if (isLast && !isDeepStrictEqual(ended.state, folded))
      this.#blame("P13", "a driver's state is not what its journal tells");
    return folded;
  }

  /** An event that nobody can make sense of would end every driver to come. */
  #fold(entries: readonly RunEntry[]): RunState | undefined {
    try {
      return fold(entries);
    } catch (error) {
      this.#blame("P13", `the journal cannot be followed: ${String(error)}`);
      return undefined;
    }
  }

  /** What was read before and is still the same is not verified again. */
  #readJournal(run: string): readonly RunEntry[] | undefined {
    const path = runPaths(this.#world.paths, run).journal;
    const bytes = this.#world.disk.peek(path) ?? Buffer.alloc(0);
    const known = this.#read.get(run);
    const isSame = known !== undefined && bytes.subarray(0, known.cursor.offset).equals(known.bytes);
    const { cursor, entries } = isSame ? known : { cursor: journalStart, entries: [] };
    const scanned = scan(path, bytes.subarray(cursor.offset), cursor);
    if (!scanned.ok) {
      this.#blame("P2", scanned.failure.message);
      return undefined;
    }
    const all = [...entries, ...(scanned.value.entries as readonly RunEntry[])];
    const end = scanned.value.cursor;
    this.#read.set(run, { bytes: bytes.subarray(0, end.offset), cursor: end, entries: all });
    return all;
  }

  /** A ref of the run or a branch of the user's has moved. */
  moved(ref: string, { old, next, by }: { old: string | null; next: string; by: SimProcess | null }): void {
    const run = this.#last;
    if (by === null || run === undefined) return;
    if (ref === runRef(run)) return this.#runMoved(run, old, next);
    const { repository } = this.#world;
    if (ref === `refs/heads/${this.#world.branch}` && old !== null && !repository.isAncestor(old, next)) {
      this.#blame("P11", `the user's branch was moved from ${old} to ${next}, which does not hold it`);
    }
  }

  /** Only a commit that was verified on the very tip lands, after the intent to land it. */
  #runMoved(run: string, old: string | null, next: string): void {
    this.#putOnRef.add(next);
    const commit = this.#world.repository.commits.get(next);
    if (commit?.parent !== old)
      this.#blame("P8", `the run's ref was moved from ${old} to ${next}, which does not build on it`);
    const integrating = this.#events(run, "integrating").find((event) => event.new === next);
    if (integrating === undefined) return this.#blame("P8", `the run's ref was moved to ${next} without an intent`);
    const verdict = this.#events(run, "verdict").find((event) => event.placed === next);
    if (verdict?.result !== "passed") this.#blame("done", `${next} of ${integrating.task} landed without a verdict`);
    const task = this.#planOf(run).tasks.find(({ id }) => id === integrating.task);
    const red = task?.checks.find((check) => !holds(check, commit?.tree ?? new Map()));
    if (red !== undefined) this.#blame("done", `${next} of ${integrating.task} landed with a red check`);
  }

  /** A session begins: no other of its task is alive, and its task has not landed. */
  released({ process, run, told, key: { task, judge } }: Agent): void {
    const isJudge = judge !== undefined;
    for (const other of this.#world.agents.living()) {
      if (
        other.process === process ||
        other.run !== run ||
        other.key.task !== task ||
        (other.key.judge !== undefined) !== isJudge
      )
        continue;
      const pids = [other, { process }].map((one) => one.process.identity.pid).join(" and ");
      this.#blame("P6", `two sessions of ${task} at once: pids ${pids}`);
    }
    if (!isJudge && this.#hasLanded(task)) this.#blame("P7", `${task} has landed and is executed again`);
    const text = this.#planOf(run).tasks.find(({ id }) => id === task)?.text;
    if (told !== null && told !== text) this.#blame("replan", `${task} is begun with a plan that does not hold`);
    if (this.#accepted(run)?.changes.some(({ id }) => id === task) === true)
      this.#blame("replan", `${task} is begun while another plan for it is accepted`);
  }

  /** The revision that waits until what it changes has ended. */
  #accepted(run: string): (RunEntry & EventOf<"revision-accepted">) | undefined {
    const last = this.#entries(run).findLast(({ type }) => aboutRevision.has(type));
    return last?.type === "revision-accepted" ? last : undefined;
  }

  #hasLanded(task: string): boolean {
    const run = this.#last;
    if (run === undefined) return false;
    const tip = this.#world.repository.refs.get(runRef(run));
    const landed = this.#events(run, "integrating").filter((event) => event.task === task);
    const reopened = this.#events(run, "task-reopened").filter((event) => event.task === task);
    const onRef = landed.filter((event) => tip !== undefined && this.#world.repository.isAncestor(event.new, tip));
    return onRef.length > reopened.length;
  }

  /** A workspace goes: what somebody made in it is saved. */
  removed(dir: string, files: ReadonlyMap<string, string>, base: string): void {
    const { repository } = this.#world;
    const tree = repository.commits.get(base)?.tree ?? new Map<string, string>();
    if (dir.includes("/judges/") || isSame(files, tree)) return;
    const refs = [...repository.refs.values()];
    const isSaved = refs.some((id) => isSame(files, repository.commits.get(id)?.tree ?? new Map()));
    if (!isSaved) this.#blame("P11", `${dir} was removed, and nothing holds what was in it`);
  }

  #onFirstSight(run: string, entry: RunEntry): void {
    if (entry.type === "task-integrated") this.#expectOnRef(run, entry);
    if (entry.type === "run-finished") this.#expectDone(run, entry);
    if (entry.type === "verdict") this.#expectBlame(run, entry);
    if (entry.type === "attempt-started") this.#expectFreed(run, entry);
    if (entry.type === "attempt-started" || entry.type === "paused") this.#expectPause(run, entry);
    if (entry.type === "plan-revised") this.#expectKept(run, entry);
    if (entry.type === "agent-finished") this.#expectEndedFor(run, entry);
    if (entry.type === "revision-accepted") this.#acceptedAt.set(`${run} ${entry.seq}`, this.#world.timeline.elapsed());
  }

  /** A limit, an overload, a missing login, a cap or our own end of a session is nobody's failure. */
  #expectBlame(run: string, { task, attempt, result }: EventOf<"verdict">): void {
    const end = this.#events(run, "agent-finished").findLast(
      (event) => event.task === task && event.attempt === attempt,
    );
    if (result !== "failed" || end === undefined || !free.has(end.outcome.kind)) return;
    this.#blame("charge", `attempt ${attempt} of ${task} failed because of ${end.outcome.kind}`);
  }

  #expectOnRef(run: string, { task, commit }: EventOf<"task-integrated">): void {
    const { repository } = this.#world;
    const tip = repository.refs.get(runRef(run));
    if (this.#putOnRef.has(commit) || (tip !== undefined && repository.isAncestor(commit, tip))) return;
    this.#blame("P8", `${task} is integrated, but ${commit} was never on the run's ref`);
  }

  #expectDone(run: string, { tip }: EventOf<"run-finished">): void {
    const { rules } = this.#world.scenario;
    const plan = this.#planOf(run);
    const tree = this.#world.repository.commits.get(tip)?.tree ?? new Map<string, string>();
    const all = [...plan.tasks.flatMap(({ checks }) => checks), ...plan.checks, ...rules.checks];
    if (!all.every((check) => holds(check, tree))) this.#blame("done", "the run is finished with a red check");
  }

  /** Another plan holds: what it does not name goes on as if nothing had happened, what it names has been ended, and what has landed stays. */
  #expectKept(run: string, event: RunEntry & EventOf<"plan-revised">): void {
    const entries = this.#entries(run).filter(({ seq }) => seq < event.seq);
    if (entries.length !== event.seq - 1) return;
    const [before, after] = [fold(entries), fold([...entries, event])];
    const named = new Set(event.changes.map(({ id }) => id));
    for (const [id, task] of before?.tasks ?? []) {
      const now = after?.tasks.get(id);
      if (named.has(id) && task.commit !== null) this.#blame("P7", `${id} has landed, and another plan changes it`);
      const isKept =
        now !== undefined && isDeepStrictEqual({ ...task, rank: 0, unmet: 0 }, { ...now, rank: 0, unmet: 0 });
      if (!named.has(id) && !isKept) this.#blame("P7", `another plan that does not name ${id} changed what it is`);
    }
    for (const { run: of, key } of this.#world.agents.living()) {
      if (of === run && named.has(key.task))
        this.#blame("P6", `${key.task} is planned anew while a session of it lives`);
    }
  }

  /** A revision ends the sessions of the tasks that it names, at once and without counting an attempt, and no others. */
  #expectEndedFor(run: string, event: RunEntry & EventOf<"agent-finished">): void {
    const { task, attempt, outcome, epoch } = event;
    const entries = this.#entries(run);
    const isStart = (entry: RunEntry) =>
      entry.type === "agent-started" && entry.task === task && entry.attempt === attempt;
    const since = entries.slice(entries.findLastIndex(isStart) + 1).filter((entry) => entry.epoch === epoch);
    const named = since.find(
      (entry) => entry.type === "revision-accepted" && entry.changes.some(({ id }) => id === task),
    );
    if (outcome.kind === "interrupted") {
      const isTold = since.some(
        (entry) =>
          entry.type === "paused" ||
          entry.type === "stopped" ||
          (entry.type === "pausing" && !entry.finishing.includes(task)),
      );
      const isOurs =
        outcome.detail === interrupted.detail && this.#driverOf.get(`${run} ${epoch}`)?.isInterrupted !== true;
      if (isOurs && !isTold && named === undefined)
        this.#blame("replan", `the session of ${task} was ended for nothing`);
      return;
    }
    const acceptedAt = named === undefined ? undefined : this.#acceptedAt.get(`${run} ${named.seq}`);
    const isLate = acceptedAt !== undefined && acceptedAt < this.#world.timeline.elapsed();
    if (isLate && outcome.kind !== "budget")
      this.#blame("replan", `the session of ${task} went on although another plan for it is accepted`);
  }

  /** The plan that holds, as far as was shown. */
  #planOf(run: string): Plan {
    const revised = this.#events(run, "plan-revised").at(-1);
    const { revisions, scenario } = this.#world;
    return revisions.made.get(revised?.commit ?? "")?.plan ?? scenario.plan;
  }

  /** What costs nothing was not counted: each attempt that is spent has a verdict that says so. */
  #expectFreed(run: string, { task, attempt }: EventOf<"attempt-started">): void {
    const { attempts } = this.#world.settings;
    const entries = this.#entries(run);
    const from = entries.findLastIndex((entry) => isFresh(entry, task));
    const again = entries.filter(
      (entry) => entry.type === "attempt-started" && entry.task === task && entry.attempt === attempt,
    );
    if (again.length > 1) this.#blame("P11", `attempt ${attempt} of ${task} begins twice`);
    // Work that was verified on a tip that fell is verified again, so an attempt may have two verdicts.
    const failed = new Set(
      entries
        .slice(from + 1)
        .filter((entry) => entry.type === "verdict")
        .filter((entry) => entry.task === task && entry.result === "failed")
        .map((entry) => entry.attempt),
    );
    if (failed.size >= attempts)
      this.#blame("bound", `attempt ${attempt} of ${task} begins after ${failed.size} failures of ${attempts}`);
  }

  /** Once nothing is under way: no attempt was charged without a failure, and nothing that agents told they used is missing. */
  settled(run: string, state: RunState): void {
    for (const { spec, spent, phase } of state.tasks.values()) {
      const failures = this.#events(run, "verdict").filter(
        (event) => event.task === spec.id && event.result === "failed",
      );
      const ends = this.#events(run, "task-blocked").filter((event) => event.task === spec.id);
      if (spent > failures.length + ends.length)
        this.#blame("charge", `${spec.id} (${phase}) was charged ${spent} attempts for ${failures.length} failures`);
    }
    const { agents, revisions } = this.#world;
    const used = agents.all.reduce((sum, agent) => sum + agent.used.inputTokens, revisions.total());
    if (state.usage.inputTokens !== used)
      this.#blame("charge", `agents used ${used} tokens, the journal knows of ${state.usage.inputTokens}`);
  }

  /** Whether a living driver was last heard to be paused, or to let sessions finish before that. */
  isPaused(run: string): boolean {
    const last = this.#lastPause(run);
    return (
      (last?.type === "paused" || last?.type === "pausing") &&
      this.#driverOf.get(`${run} ${last.epoch}`)?.isAlive === true
    );
  }

  /** Nothing starts in a pause, and one that waits for sessions is over only with the last of them. */
  #expectPause(run: string, entry: RunEntry & EventOf<"attempt-started" | "paused">): void {
    const before = this.#entries(run).filter(({ seq }) => seq < entry.seq);
    const last = before.findLast(({ type }) => pauseEvents.has(type));
    if (last?.type !== "pausing" && last?.type !== "paused") return;
    if (entry.type === "attempt-started")
      return this.#blame("pause", `${entry.task} starts although the run is paused`);
    const state = last.type === "pausing" && entry.command === undefined ? this.#fold(before) : undefined;
    const open = [...(state?.finishing ?? [])].filter((id) => state?.tasks.get(id)?.phase === "working");
    if (open.length > 0) this.#blame("pause", `paused although sessions of ${open.join(", ")} are finishing`);
  }

  #lastPause(run: string): RunEntry | undefined {
    return this.#entries(run).findLast(({ type }) => pauseEvents.has(type));
  }

  /** Every command that was sent is in the journal once, unless its sender had it back. */
  heard(run: string, senders: readonly Sender[]): void {
    for (const why of whyUnheard(this.#entries(run), senders)) this.#blame("P12", why);
    const names = this.#world.disk.list(runPaths(this.#world.paths, run).commands);
    const left = names.filter((name) => /\.(json|taken)$/.test(name));
    if (left.length > 0) this.#blame("P12", `${left.join(", ")} was never looked at`);
  }

  /** Whatever was ever shown, of any run, is there. */
  all(): void {
    for (const run of this.#shown.keys()) this.whole(run);
  }

  #entries(run: string): RunEntry[] {
    return (this.#shown.get(run) ?? []).filter((entry) => entry !== undefined);
  }

  #events<T extends EventType>(run: string, type: T): EventOf<T>[] {
    return this.#entries(run).filter((entry): entry is RunEntry & EventOf<T> => entry.type === type);
  }

  #blame(promise: string, why: string): void {
    this.#world.blame(`${promise}: ${why}`);
  }
}

const aboutRevision = new Set<EventType>(["revision-accepted", "revision-dropped", "plan-revised"]);

const free = new Set<string>(["limit", "overloaded", "auth", "misconfigured", "budget", "interrupted"]);

/** With these a task's count begins anew. */
const fresh = new Set<EventType>(["task-requeued", "task-reopened", "task-taken"]);

function isFresh(entry: RunEntry, task: string): boolean {
  if (entry.type === "plan-revised") return entry.changes.some(({ id }) => id === task);
  return "task" in entry && entry.task === task && fresh.has(entry.type);
}

function isSame(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  if (a.size !== b.size) return false;
  for (const [path, text] of a) if (b.get(path) !== text) return false;
  return true;
}

function describe(entry: RunEntry): string {
  const { type, task, result, reason, why } = entry as JournalEntry;
  const about = [task, result ?? reason ?? why].filter((part) => typeof part === "string");
  return [type, ...about].join(" ");
}
