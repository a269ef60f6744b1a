import type { Request } from "../../src/engine/commands.ts";
import type { RunState } from "../../src/engine/state.ts";
import { runRef } from "../../src/project/paths.ts";
import type { Driver, People, Sender } from "./people.ts";
import { propose } from "./planner.ts";
import type { World } from "./world.ts";

const second = 1_000;
const minute = 60 * second;
const day = 24 * 60 * minute;

interface Scene {
  readonly world: World;
  readonly people: People;
}

/** What may befall a run, how often compared with the others, and how it is done. */
const incidents: readonly (readonly [weight: number, name: string, happen: (scene: Scene) => void])[] = [
  [
    6,
    "kill -9 at some call",
    (scene) => withDriver(scene, ({ process }) => scene.world.doom(process, { calls: scene.world.dice.below(80) })),
  ],
  [3, "kill -9 in the middle of an append, and somebody looks", dieInAppend],
  [2, "an fsync fails, and kill -9 before that can be mended", dieInFailedSync],
  [3, "kill -9 when a command is taken", dieWithCommand],
  [1, "somebody looks", ({ people }) => people.look()],
  [2, "kill -9 now", (scene) => withDriver(scene, ({ process }) => process.kill())],
  [5, "power loss", ({ world }) => world.powerLoss()],
  [2, "SIGSTOP", stopAWhile],
  [2, "a second driver", ({ people }) => void people.start()],
  [2, "the lock is removed and a second driver started", overrule],
  [2, "Ctrl-C", (scene) => withDriver(scene, ({ interrupt }) => interrupt())],
  [6, "a command", sendSomething],
  [2, "a command whose sender is killed", dieSending],
  [5, "a pause while sessions work, and something else before they have finished", (scene) => pauseUnderWay(scene)],
  [3, "another plan for a task under way, perhaps with kill -9 as it is accepted", reviseUnderWay],
  [2, "the clock is set", ({ world }) => world.timeline.jump(world.dice.pick([-day, day, -minute, minute, 365 * day]))],
  [2, "the disk is full", (scene) => fault(scene, "full", true, false)],
  [1, "writes fail", (scene) => fault(scene, "failWrite", 0.2, 0)],
  [2, "fsync fails", failSync],
  [1, "reads fail", (scene) => fault(scene, "failRead", 0.1, 0)],
  [1, "names fail", (scene) => fault(scene, "failName", 0.1, 0)],
  [1, "writes are torn", (scene) => fault(scene, "tornKill", 0.1, 0)],
  [1, "git fails", gitFails],
  [1, "the user commits on the branch", commitOnBranch],
  [1, "the user deletes the branch", ({ world }) => void world.repository.branches.delete(world.branch)],
  [1, "somebody moves the run's ref", moveRunRef],
];

/** Lets something happen by chance. */
export function befall(scene: Scene): void {
  const { dice } = scene.world;
  const total = incidents.reduce((sum, [weight]) => sum + weight, 0);
  let rest = dice.below(total);
  for (const [weight, name, happen] of incidents) {
    rest -= weight;
    if (rest >= 0) continue;
    scene.world.say(`-- ${name}`);
    happen(scene);
    return;
  }
}

function withDriver({ world, people }: Scene, act: (driver: Driver) => void): void {
  const drivers = [...people.drivers];
  if (drivers.length > 0) act(world.dice.pick(drivers));
}

/** What is written and not yet synced may be seen, and must not be lost then. */
function dieInAppend(scene: Scene): void {
  const { world, people } = scene;
  const aftermath = () => {
    world.timeline.after(0, () => people.look());
    if (world.dice.chance(0.8)) world.timeline.after(1, () => world.isCalm || world.powerLoss());
  };
  withDriver(scene, ({ process }) =>
    world.doom(process, { calls: world.dice.below(2), from: /^write .*journal/, aftermath }),
  );
}

/** After a failed fsync the kernel believes that all is stored: the next driver must not believe it, too. */
function dieInFailedSync(scene: Scene): void {
  const { world, people } = scene;
  const aftermath = () => {
    world.disk.faults.failFsync = 0;
    world.timeline.after(0, () => people.start());
    world.timeline.after(world.dice.below(20_000), () => world.isCalm || world.powerLoss());
  };
  withDriver(scene, ({ process }) => {
    fault(scene, "failFsync", 1, 0);
    world.doom(process, { calls: 0, from: /^ftruncate .*journal/, aftermath });
  });
}

/** What was not stored is missed only when the power goes. */
function failSync(scene: Scene): void {
  const { world } = scene;
  fault(scene, "failFsync", world.dice.pick([0.1, 0.5]), 0);
  if (world.dice.chance(0.5)) world.timeline.after(world.dice.below(minute), () => world.isCalm || world.powerLoss());
}

function dieWithCommand(scene: Scene): void {
  const { world } = scene;
  withDriver(scene, ({ process }) => world.doom(process, { calls: world.dice.below(6), from: /\.taken/ }));
  sendSomething(scene);
}

function stopAWhile(scene: Scene): void {
  const { world } = scene;
  withDriver(scene, ({ process }) => {
    process.stop();
    world.timeline.after(world.dice.below(2 * minute), () => process.go());
  });
}

/** The impatient way: a driver is stopped, its lock is deleted, another takes over, and the old one wakes up. */
function overrule(scene: Scene): void {
  const { world, people } = scene;
  // Before there is a journal, nothing could tell two drivers apart.
  if (world.watchers.run === undefined) return;
  withDriver(scene, ({ process }) => {
    process.stop();
    world.disk.remove(`${world.paths.locks}/${world.scenario.plan.name}.lock`);
    people.start();
    world.timeline.after(world.dice.below(2 * minute), () => process.go());
  });
}

function sendSomething({ world, people }: Scene): Sender | undefined {
  const { run } = world.watchers;
  return run === undefined ? undefined : people.send(run, anyRequest(world, run));
}

/** Whoever pauses may think better of it, or lose the driver, before the sessions have finished. */
function pauseUnderWay(scene: Scene, looks = 20): void {
  const { world, people } = scene;
  const { run } = world.watchers;
  if (world.isCalm || looks === 0) return;
  if (run === undefined || !world.agents.living().some(({ endsTurn, isHeld }) => endsTurn && !isHeld))
    return void world.timeline.after(world.dice.below(10 * second), () => pauseUnderWay(scene, looks - 1));
  people.send(run, { kind: "pause" });
  const next: Request[] = [{ kind: "pause" }, { kind: "pause", now: true }, { kind: "resume" }, { kind: "stop" }];
  world.timeline.after(world.dice.below(5 * second), () => {
    if (world.isCalm) return;
    if (world.dice.chance(0.3)) withDriver(scene, ({ process }) => process.kill());
    else people.send(run, world.dice.pick(next));
  });
}

/** A command that was sent is there, whatever becomes of its sender, also without current. */
function dieSending(scene: Scene): void {
  const { world } = scene;
  const sender = sendSomething(scene);
  if (sender === undefined) return;
  const aftermath = () => void (world.dice.chance(0.5) && world.powerLoss());
  const from = world.dice.chance(0.5) ? undefined : /^rename .*commands/;
  world.doom(sender.process, { calls: world.dice.below(from === undefined ? 40 : 4), from, aftermath });
}

function anyRequest(world: World, run: string): Request {
  const { dice, scenario } = world;
  const state = world.watchers.whole(run);
  const task = dice.pick([...(state?.tasks.keys() ?? scenario.plan.tasks.map(({ id }) => id))]);
  const [question] = openQuestions(state);
  if (state !== undefined && dice.chance(0.2)) return anyRevision(world, state);
  const answer: Request[] = question === undefined ? [] : [{ kind: "answer", ...question }];
  const plain: Request[] = [
    ...(["pause", "stop", "resume"] as const).map((kind) => ({ kind })),
    { kind: "pause", now: true },
  ];
  const ofTask: Request[] = (["requeue", "take", "submit"] as const).map((kind) => ({ kind, task }));
  return dice.pick([...plain, ...ofTask, ...answer]);
}

/** What is proposed, or a plan of the person's own; now and then without a person's approval. */
function anyRevision(world: World, state: RunState): Request {
  const { dice, revisions } = world;
  const proposed = reviseProposal(world, state);
  if (proposed !== undefined && dice.chance(0.7)) return proposed;
  const habit = dice.pick(["change", "drop", "split", "nonsense"] as const);
  const made = propose(world, state, { habit, task: dice.pick([...state.tasks.keys()]) });
  if (made === undefined || typeof made === "string") return { kind: "raise", budgetUsd: 1 + dice.below(9) };
  if (dice.chance(0.9)) revisions.approved.add(made.commit);
  return { kind: "revise", commit: made.commit, planHash: made.planHash };
}

/** The driver that dies then leaves sessions that another one has to end before the plan holds. */
function reviseUnderWay(scene: Scene): void {
  const { world, people } = scene;
  const { run } = world.watchers;
  const state = run === undefined ? undefined : world.watchers.whole(run);
  const [task] = [...(state?.tasks.values() ?? [])].filter(({ phase }) => phase === "working");
  if (run === undefined || state === undefined || task === undefined) return;
  const made = propose(world, state, { habit: world.dice.pick(["change", "drop", "split"]), task: task.spec.id });
  if (made === undefined || typeof made === "string") return;
  world.revisions.approved.add(made.commit);
  if (world.dice.chance(0.6))
    withDriver(scene, ({ process }) => world.doom(process, { calls: world.dice.below(12), from: /\.taken/ }));
  people.send(run, { kind: "revise", commit: made.commit, planHash: made.planHash });
}

/** A person approves what is proposed, and says so. */
export function reviseProposal({ revisions }: World, { replanning }: RunState): Request | undefined {
  const { proposal } = replanning;
  if (proposal === null) return undefined;
  revisions.approved.add(proposal.commit);
  return { kind: "revise", commit: proposal.commit, planHash: proposal.planHash };
}

/** Each open question with an answer to it. */
export function openQuestions(state: RunState | undefined): { readonly question: string; readonly answer: string }[] {
  return [...(state?.questions.values() ?? [])].map(({ id, options }) => ({
    question: id,
    answer: options[0] ?? "Go on.",
  }));
}

type Faults = World["disk"]["faults"];

function fault<K extends keyof Faults>({ world }: Scene, name: K, on: Faults[K], off: Faults[K]): void {
  world.disk.faults[name] = on;
  world.timeline.after(world.dice.below(3 * minute), () => void (world.disk.faults[name] = off));
}

function gitFails({ world }: Scene): void {
  const { git } = world.faults;
  world.faults = { ...world.faults, git: 0.2 };
  world.timeline.after(world.dice.below(3 * minute), () => {
    // By then there may be peace, with no faults at all.
    world.faults = { ...world.faults, git: Math.min(git, world.faults.git) };
  });
}

function commitOnBranch({ world: { repository, branch, base } }: Scene): void {
  const parent = repository.branches.get(branch) ?? base;
  const tree = new Map([...(repository.commits.get(parent)?.tree ?? []), ["mine.txt", "mine\n"]]);
  repository.branches.set(branch, repository.commit(parent, tree, "the user's own"));
}

function moveRunRef({ world: { repository, watchers, base } }: Scene): void {
  const ref = runRef(watchers.run ?? "");
  const parent = repository.refs.get(ref);
  if (parent === undefined) return;
  const tree = new Map([...(repository.commits.get(parent)?.tree ?? []), ["foreign.txt", "foreign\n"]]);
  const next = repository.commit(parent, tree, "somebody else's");
  repository.refs.set(ref, base === parent ? next : base);
}
