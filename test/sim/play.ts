import { taskOf, type RunState } from "../../src/engine/state.ts";
import { runPaths, runRef } from "../../src/project/paths.ts";
import { befall, openQuestions, reviseProposal } from "./incidents.ts";
import { People } from "./people.ts";
import { planNow } from "./planner.ts";
import { World } from "./world.ts";

/** What came of one seed. */
export interface Played {
  readonly seed: number;
  /** Empty where all promises were kept. */
  readonly violations: readonly string[];
  readonly steps: number;
}

/** More than any run needs: one that takes more goes round in circles. */
const stepsMax = 60_000;
const peaceRoundsMax = 60;

/** One life of a run: a storm of incidents, then peace, in which it has to come to its end. */
export async function play(seed: number, say?: (text: string) => void): Promise<Played> {
  const world = new World(seed, say);
  const people = new People(world);
  const player = { world, people, steps: 0 };
  await storm(player);
  if (world.violations.length === 0) await peace(player);
  if (world.violations.length === 0) world.watchers.all();
  for (const process of world.processes) process.kill();
  return { seed, violations: world.violations, steps: player.steps };
}

interface Player {
  readonly world: World;
  readonly people: People;
  steps: number;
}

/** Drivers are started again and again while things happen to them. */
async function storm(player: Player): Promise<void> {
  const { world, people } = player;
  const { dice, timeline } = world;
  people.start();
  for (let left = 1 + dice.below(4); left > 0 && world.violations.length === 0; left -= 1) {
    await pass(player, dice.below(dice.pick([100, 2_000, 20_000, 200_000])));
    befall({ world, people });
    if (dice.chance(0.8)) timeline.after(dice.below(60_000), () => people.drivers.size === 0 && people.start());
  }
}

/** Lets so much time pass. */
async function pass(player: Player, ms: number): Promise<void> {
  let isOver = false;
  player.world.timeline.after(ms, () => (isOver = true));
  await until(player, () => isOver);
}

async function until(player: Player, isEnough: () => boolean): Promise<void> {
  const { world } = player;
  while (!isEnough() && world.violations.length === 0) {
    player.steps += 1;
    if (player.steps > stepsMax) return world.blame("P14: it goes round in circles");
    if (!(await world.timeline.step())) return;
  }
}

/** Faults are over, agents are honest, and a person does what the run asks for: then it must be done after a while. */
async function peace(player: Player): Promise<void> {
  const { world, people } = player;
  world.say("-- peace");
  world.calm();
  for (const { process } of people.drivers) process.go();
  for (let round = 1; round <= peaceRoundsMax && world.violations.length === 0; round += 1) {
    if (people.drivers.size === 0) people.start();
    people.ended = null;
    await until(player, () => people.drivers.size === 0 || isPaused(world));
    const { run } = world.watchers;
    const state = run === undefined ? undefined : world.watchers.whole(run);
    if (run === undefined || state === undefined) continue;
    if (isDone(state)) return await expectEnd(player, run);
    await help(player, run, state);
  }
  if (world.violations.length === 0) world.blame("P14: the run does not come to its end");
}

function isPaused({ watchers }: World): boolean {
  return watchers.run !== undefined && watchers.isPaused(watchers.run);
}

function isDone({ finished, publication, tip }: RunState): boolean {
  return finished !== null && (publication === null || publication.commit === tip);
}

/** Does what a person would. */
async function help(player: Player, run: string, state: RunState): Promise<void> {
  const { world, people } = player;
  const send = async (request: Parameters<People["send"]>[1]) => {
    const sender = people.send(run, request);
    await until(player, () => sender.sent !== null);
    if (sender.sent === null || sender.sent === "failed" || sender.sent.kind === "not-accepted") {
      world.blame(`P12: ${request.kind} was not accepted in peace`);
    }
  };
  if (state.paused && people.drivers.size > 0) await send({ kind: "resume" });
  const revise = reviseProposal(world, state);
  if (revise !== undefined && world.dice.chance(0.5)) await send(revise);
  else for (const question of openQuestions(state)) await send({ kind: "answer", ...question });
  for (const { spec, phase, byHand } of state.tasks.values()) {
    if (phase === "blocked" || phase === "exhausted") await send({ kind: "requeue", task: spec.id });
    if (byHand && phase === "taken") {
      doByHand(world, run, state, spec.id);
      await send({ kind: "submit", task: spec.id });
    }
  }
  if (state.parked?.reason === "budget") world.settings = { ...world.settings, budgetUsd: null, taskUsd: null };
  if (state.parked?.reason === "moved") world.repository.refs.set(runRef(run), state.tip);
}

function doByHand(world: World, run: string, state: RunState, task: string): void {
  const { repository, paths } = world;
  const { attempts: attempt } = taskOf(state, task);
  const workspace = repository.workspaces.get(runPaths(paths, run).workspace({ task, attempt }));
  const checks = planNow(world, state).tasks.find(({ id }) => id === task)?.checks ?? [];
  for (const check of checks) {
    if (check.kind !== "run") continue;
    const [, path = "", text = ""] = check.run.split(" ");
    // A person looks at what has landed meanwhile, and builds on it.
    const landed = repository.treeOf(state.tip).get(path) ?? workspace?.files.get(path) ?? "";
    workspace?.files.set(path, landed.includes(text) ? landed : `${landed}${text}\n`);
  }
}

/** What must be true of a run that is over, once everybody has been heard. */
async function expectEnd(player: Player, run: string): Promise<void> {
  const { world, people } = player;
  // Whoever sends something now brings along what senders left who were killed.
  people.send(run, { kind: "pause" });
  await until(player, () => people.senders.every(({ process, sent }) => sent !== null || !process.isAlive));
  const state = world.watchers.whole(run);
  if (state !== undefined) world.watchers.settled(run, state);
  world.watchers.heard(run, people.senders);
}
