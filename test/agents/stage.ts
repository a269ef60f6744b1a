import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "vitest";
import type { Ended, Running } from "../rig/cli.ts";
import { makes, type TaskSpec } from "../rig/plan.ts";
import { processesOf, type RigProcess } from "../rig/processes.ts";
import { createRig, type Rig } from "../rig/rig.ts";
import { nodeFolder, programFolder, type Release } from "./installed.ts";
import type { AgentEntry, Route } from "./routes.ts";
import { type ModelServer, startModelServer } from "./server/model-server.ts";
import type { Move } from "./server/script.ts";

export interface StageOptions {
  readonly test: TestContext;
  readonly sandbox: "bwrap" | "none";
  readonly moves: readonly Move[];
  /** As the role has it; the route's own where a test does not mean another. */
  readonly model?: string;
  /** Of the section `run`, besides one attempt without a sandbox's choice. */
  readonly run?: Readonly<Record<string, unknown>>;
  readonly subscriber?: boolean;
  /** Whether the user has a key at all. */
  readonly hasKey?: boolean;
  /** Where the agent looks for the service, which is not there. */
  readonly url?: string;
  readonly release?: Release;
  /** The release of Node that the agent's program finds; the machine's own where a test does not mean another. */
  readonly node?: string;
  readonly entry?: (entry: AgentEntry) => AgentEntry;
  readonly task?: Partial<TaskSpec>;
  /** Besides `01-a`. */
  readonly tasks?: Readonly<Record<string, TaskSpec>>;
  readonly files?: Readonly<Record<string, Uint8Array>>;
  /** Whether the repo has a plan already. */
  readonly hasPlan?: boolean;
}

/** A repo with one task or without a plan, the real CLI, the real agent, and a model that does what the test says. */
export interface Stage {
  readonly rig: Rig;
  readonly server: ModelServer;
  /** The address of the service, as the agent has it. */
  readonly host: string;
  /** What a user has in the environment who types commands here. */
  readonly env: Readonly<Record<string, string>>;
  /** Any command line of Stint. */
  readonly call: (args: readonly string[]) => Running;
  readonly start: () => Running;
  /** `stint run` to its end. */
  readonly run: () => Promise<Ended>;
  /** Processes of this stage that live, wherever they stand. */
  readonly processes: () => readonly RigProcess[];
}

/** One attempt is all there is, so a session that costs one ends the run. Gone when the test is over, even out of time. */
export async function setStage(route: Route, options: StageOptions): Promise<Stage> {
  const { moves, sandbox, model = route.model, entry = (same) => same, hasPlan = true } = options;
  const server = await startModelServer({ models: [route.model.split("/").at(-1) ?? ""], moves });
  const { url = server.url } = options;
  const rig = await createRig({
    ...(hasPlan && { plan: { tasks: { "01-a": makes("a.txt", options.task), ...options.tasks } } }),
    config: {
      agents: { tested: entry(route.entry(url)) },
      roles: { planner: { agent: "tested", model }, executor: { agent: "tested", model } },
      run: { sandbox, attempts: 1, ...options.run },
    },
  });
  options.test.onTestFinished(async () => {
    await rig[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });
  for (const [path, bytes] of Object.entries(options.files ?? {})) writeFileSync(join(rig.repo, path), bytes);
  if (options.files !== undefined) rig.commit("Add files");
  const node = options.node === undefined ? [] : [nodeFolder(options.node)];
  const PATH = [programFolder(route.agent, options.release), ...node, process.env["PATH"]].join(":");
  const envOf = (options.subscriber === true ? route.subscriberEnv : undefined) ?? route.env;
  const isGiven = ([name]: readonly [string, string]) => options.hasKey !== false || name !== route.key;
  const env = { ...Object.fromEntries(Object.entries(envOf(url)).filter(isGiven)), PATH };
  const call: Stage["call"] = (args) => rig.start(args, { env });
  const start = (): Running => call(["run", "--yes", "--no-wait"]);
  return {
    rig,
    server,
    host: new URL(url).host,
    env,
    call,
    start,
    run: async () => start().ended,
    processes: () => [...processesOf(rig.root), ...processesOf(server.url)],
  };
}
