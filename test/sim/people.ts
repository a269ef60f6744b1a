import type { Request } from "../../src/engine/commands.ts";
import type { RunState } from "../../src/engine/state.ts";
import { sendCommand, type Sent } from "../../src/run/commands/send-command.ts";
import { runPaths } from "../../src/project/paths.ts";
import type { Machine } from "../../src/project/machine.ts";
import type { RunEntry } from "../../src/hooks/run-entry.ts";
import { readFrom } from "../../src/journal/follow.ts";
import { journalStart } from "../../src/journal/scan.ts";
import { driveRun, type Ended } from "./driver.ts";
import { machineOf } from "./machine.ts";
import type { Revisions } from "./planner.ts";
import { Killed, type SimProcess } from "./process.ts";
import { posted, type Post } from "./post.ts";
import { unredacted, type World } from "./world.ts";

type Wanted = Parameters<Revisions["approvalOf"]>[0];

export interface Driver {
  readonly process: SimProcess;
  /** Ctrl-C. */
  readonly interrupt: () => void;
}

export interface Sender {
  readonly process: SimProcess;
  readonly post: Post;
  readonly request: Request;
  sent: Sent | "failed" | null;
}

/** Whoever types: starts drivers and sends commands, any number of them at once. */
export class People {
  readonly drivers = new Set<Driver>();
  readonly senders: Sender[] = [];
  /** How the latest driver ended that was not killed. */
  ended: Ended | null = null;
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** `stint run`. */
  start(): Driver {
    const process = this.#world.spawn("driver");
    const abort = new AbortController();
    const interrupt = () => {
      process.isInterrupted = true;
      abort.abort();
    };
    const driver: Driver = { process, interrupt };
    this.drivers.add(driver);
    process.onDeath(() => this.drivers.delete(driver));
    this.#world.say(`-- driver ${process.identity.pid} starts`);
    void this.#drive(process, abort.signal);
    return driver;
  }

  async #drive(process: SimProcess, signal: AbortSignal): Promise<void> {
    const failed = (error: unknown): Ended => ({ kind: "failed", error });
    const ended = await driveRun(this.#world, process, signal).catch(failed);
    if (process.isAlive) this.#hasEnded(process, ended);
  }

  /** `stint status`. */
  look(): void {
    const { run } = this.#world.watchers;
    if (run === undefined) return;
    const process = this.#world.spawn("reader");
    const { files } = machineOf(this.#world, process);
    const read = readFrom(files, runPaths(this.#world.paths, run).journal, journalStart);
    if (read.ok) for (const entry of read.value.entries) this.#world.watchers.show(run, entry as RunEntry);
    process.kill();
  }

  /** `stint pause` and the like. */
  send(run: string, request: Request): Sender {
    const process = this.#world.spawn("sender");
    const { machine, post } = posted(machineOf(this.#world, process));
    const sender: Sender = { process, post, request, sent: null };
    this.senders.push(sender);
    this.#world.say(`-- ${request.kind} is sent by ${process.identity.pid}`);
    void this.#deliver(sender, { run, machine });
    return sender;
  }

  async #deliver(sender: Sender, { run, machine }: { readonly run: string; readonly machine: Machine }): Promise<void> {
    const { process, request } = sender;
    const { paths, scenario } = this.#world;
    const to = {
      run,
      plan: scenario.plan.name,
      paths,
      machine,
      redactor: () => Promise.resolve(unredacted),
      approvedRevision: (wanted: Wanted) => this.#world.revisions.approvalOf(wanted),
    };
    const sent = await sendCommand(to, { request, signal: new AbortController().signal }).catch((error: unknown) => {
      this.#expectFault(error);
      return "failed" as const;
    });
    if (!process.isAlive) return;
    sender.sent = sent;
    if (sent !== "failed" && sent.kind === "accepted") this.#world.watchers.show(run, sent.event);
    this.#world.say(
      `-- ${request.kind}: ${sent === "failed" ? sent : `${sent.kind} ${"why" in sent ? sent.why : ""}`}`,
    );
    process.kill();
  }

  #hasEnded(process: SimProcess, ended: Ended): void {
    const why =
      ended.kind === "over" ? whyOver(ended.state) : ended.kind === "refused" ? ended.why : String(ended.error);
    this.#world.say(`-- driver ${process.identity.pid} ends: ${ended.kind} (${why})`);
    if (ended.kind === "failed") this.#expectFault(ended.error);
    if (ended.kind === "over") {
      this.#world.watchers.whole(ended.state.run, { state: ended.state, by: process });
      const left = this.#world.agents.all.filter((agent) => agent.driver === process && agent.process.isAlive);
      if (left.length > 0) this.#world.blame(`processes: a driver ended and left ${left.length} agents`);
    }
    this.ended = ended;
    process.kill();
  }

  /** A fault of the disk or of git may end anything; a bug of ours may not. */
  #expectFault(error: unknown): void {
    if (error instanceof Killed) return;
    const isFault =
      error instanceof Error && error.constructor === Error && !error.message.startsWith("Internal error");
    if (!isFault) this.#world.blame(`bug: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }
}

function whyOver({ finished, parked, stopped, paused }: RunState): string {
  return finished ?? stopped ?? (paused ? "paused" : (parked?.reason ?? "nothing to do"));
}
