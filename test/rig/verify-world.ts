import type { CheckEvidence } from "../../src/engine/evidence.ts";
import type { EventOf, RunSettings } from "../../src/engine/events.ts";
import { taskOf } from "../../src/engine/state.ts";
import type { Run } from "../../src/run/run.ts";
import { verifyCandidate } from "../../src/run/steps/verify.ts";
import type { Placed, RepoPort } from "../../src/run/ports.ts";
import { checkKey, type MechanicalCheck } from "../../src/checks/checks.ts";
import { labelOf } from "../../src/checks/evaluate-check.ts";
import type { Rules, RunCheck, Task } from "../../src/plan/types.ts";
import { spec, World } from "./world.ts";

/** A task with one command as its check and these files. */
export interface Job {
  readonly check: string;
  readonly files: readonly string[];
  readonly depends?: readonly string[];
  /** What its candidate changes. */
  readonly changes?: readonly string[];
}

/** What a check says, by commit; further looks at the same commit take the next word, the last one stays. In a room that cannot be set up, nothing is asked. */
export type Words = Readonly<Record<string, Readonly<Record<string, readonly ("green" | "red" | "no room")[]>>>>;

/** Verification without git and without a room: commits and checks are words. */
export class VerifyWorld extends World {
  /** Each room: the commit, and the checks that were run there. */
  readonly rooms: string[] = [];
  readonly words: Words;
  readonly run: Run;
  /** Checks that nothing which differs can matter to. */
  readonly unread = new Set<string>();
  /** Checks to which a difference can matter all the same, as "check: commit to commit". */
  readonly matters = new Set<string>();
  /** The commits of which rooms heard that they landed. */
  readonly landed: string[] = [];
  /** Paths that cannot be merged, by candidate. */
  readonly clashes = new Map<string, readonly string[]>();
  /** What test runners ran, by commit, check and file. */
  readonly ran: Record<string, Record<string, Record<string, number>>> = {};
  private readonly looks = new Map<string, number>();

  constructor(
    jobs: Readonly<Record<string, Job>>,
    words: Words,
    more: { rules?: string; settings?: Partial<RunSettings> } = {},
  ) {
    const specs = Object.entries(jobs).map(([id, { files, depends }]) => {
      return spec(id, depends, { create: [], modify: [], delete: [], touch: [...files] });
    });
    super(specs, { parallel: 4, ...more.settings });
    this.words = words;
    this.run = this.makeRun(jobs, more.rules);
  }

  /** A session made a candidate on the present tip. */
  candidate(id: string, attempt = 1) {
    const of = { task: id, attempt };
    const usage = { inputTokens: 0, outputTokens: 0, usd: 0 };
    this.add({ type: "attempt-started", ...of, base: this.state.tip, role: "executor" });
    const finished = { outcome: { kind: "ok" }, report: null, reportProblem: null, usage } as const;
    this.add({ type: "agent-finished", ...of, ...finished });
    const paths = [...(this.changesOf(id) ?? [])];
    this.add({ type: "candidate-made", ...of, commit: `candidate ${id}`, paths, pathCount: paths.length, diff: id });
  }

  async verify(id: string, onto: string): Promise<EventOf<"verdict">> {
    await verifyCandidate(this.run, { type: "verify", task: id, onto }, new AbortController().signal);
    const verdict = this.events.findLast((event) => event.type === "verdict" && event.task === id);
    if (verdict?.type !== "verdict") throw new Error(`no verdict of ${id}`);
    return verdict;
  }

  land(id: string) {
    const { attempts, attempt } = taskOf(this.state, id);
    this.add({ type: "task-integrated", task: id, attempt: attempts, commit: attempt?.verified?.commit ?? "" });
  }

  private changesOf: (id: string) => readonly string[] | undefined = () => undefined;

  private makeRun(jobs: Readonly<Record<string, Job>>, rule: string | undefined): Run {
    this.changesOf = (id) => jobs[id]?.changes ?? jobs[id]?.files;
    const tasks = Object.entries(jobs).map(([id, job]) => taskOfJob(id, job));
    const rules = {
      protect: [],
      forbid: [],
      checks: rule === undefined ? [] : [command(rule, false)],
      maxChangedLines: 100,
    };
    const plan = { name: "p", dir: "plans/p", tasks, checks: [] };
    const ports = {
      clock: { now: () => "2026-01-01T00:00:00Z" },
      documents: { runDir: "/logs", attemptDir: () => "/logs", write: () => undefined },
      rooms: {
        check: async ({ commit, checks }: Parameters<Run["ports"]["rooms"]["check"]>[0]) =>
          this.look(commit, [...checks] as MechanicalCheck[]),
        unread: async ({ checks, from, to }: Parameters<Run["ports"]["rooms"]["unread"]>[0]) => {
          const isUnread = (label: string) => this.unread.has(label) && !this.matters.has(`${label}: ${from} to ${to}`);
          return new Set(checks.filter((check) => isUnread(labelOf(check))).map(checkKey));
        },
        landed: (commit: string) => void this.landed.push(commit),
      },
      repo: {
        changes: async (_: string, to: string) => {
          const id = to.split(" ")[1] ?? "";
          return (this.changesOf(id) ?? []).map((path) => ({ status: "M" as const, path, lines: 1 }));
        },
        texts: async () => [],
        part: async ({ from, to }: Parameters<RepoPort["part"]>[0]) => `part of ${to} on ${from}`,
        place: async (request: Parameters<RepoPort["place"]>[0]): Promise<Placed> => {
          const paths = this.clashes.get(request.task);
          if (paths !== undefined && request.tip !== request.base) return { kind: "conflict", paths };
          const commit = `placed ${request.task} on ${request.tip}`;
          return { kind: "placed", placement: { commit, tree: `tree of ${commit}`, changes: [] } };
        },
      },
    };
    const append = (event: Parameters<Run["append"]>[0]) => this.add(event);
    return { plan, rules: rules as unknown as Rules, setup: "", ports, state: this.state, append } as unknown as Run;
  }

  private look(commit: string, checks: readonly MechanicalCheck[]): CheckEvidence[] {
    this.rooms.push(`${commit}: ${checks.map(labelOf).join(", ")}`);
    return checks.map((check) => {
      const label = labelOf(check);
      const words = this.words[commit]?.[label] ?? ["green"];
      const seen = this.looks.get(`${commit} ${label}`) ?? 0;
      this.looks.set(`${commit} ${label}`, seen + 1);
      const state = words[Math.min(seen, words.length - 1)] ?? "green";
      const said = { key: checkKey(check), label, tail: "", durationMs: 1 };
      if (state === "no room") return { ...said, state: "broken", why: "set-up failed", cause: "set-up" };
      const groups = this.ran[commit]?.[label];
      const shown = { ...said, state, why: state === "green" ? "exit 0" : "exit 1" };
      if (groups === undefined) return shown;
      const run = Object.values(groups).reduce((sum, ran) => sum + ran, 0);
      return { ...shown, tests: [{ runner: "vitest", run, skipped: 0, groups }] };
    });
  }
}

function taskOfJob(id: string, { check, files, depends = [] }: Job): Task {
  const touch = [...files];
  const parts = { files: { create: [], modify: [], delete: [], touch }, checks: [command(check, true)] };
  return { id, title: id, text: "", depends, ...parts } as unknown as Task;
}

function command(run: string, red: boolean): RunCheck {
  return { kind: "run", run, red, timeoutMs: 1000, env: {}, cwd: ".", network: false, at: { line: 1, column: 1 } };
}
