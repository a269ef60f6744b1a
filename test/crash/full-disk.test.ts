import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Ended } from "../rig/cli.ts";
import { commitsOf, expectCode, sessionsOf } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig, heldBy, type Rig, type RigOptions } from "../rig/rig.ts";
import { canMount, diskAt, type SmallDisk } from "../rig/small-disk.ts";
import { heldGit, type HeldCall } from "../rig/stand-in.ts";

/** A spoilt attempt would be the only one, and block its task. */
const config = { run: { attempts: 1 } };
const tasks = { "01-a": makes("a.txt") };
const moves = { "01-a": writes("a.txt") };
/** More than a page is left, in one line, because the rules bound how many may change. */
const [now, large] = ["now", "yes ready | head -c 100000 | tr -d '\\n'"];

/** A moment of a run that is held while a disk fails. */
interface Stage {
  readonly options?: RigOptions;
  readonly held?: HeldCall;
  /** The task whose session is spoilt where workspaces cannot be written. */
  readonly spoils?: "01-a";
}

const stages: Readonly<Record<string, Stage>> = {
  "the workspace is made": { held: { words: "*read-tree*", since: "run-started" } },
  "the baseline is taken": checked((hold) => `test -e a.txt || ${hold}; grep -q ready a.txt`),
  "the agent works": {
    options: {
      moves: {
        "01-a": { 1: [...writes("a.txt"), { hold: now }, { shell: `${large} > a.txt` }], "*": writes("a.txt") },
      },
    },
    spoils: "01-a",
  },
  "the work is read": { held: { words: "*'add --all'*", since: "agent-finished" } },
  "the work is written": { held: { words: "*write-tree*", since: "agent-finished" } },
  "the work is saved": { held: { words: "*update-ref*/rescue/*", since: "agent-finished" } },
  "the candidate is placed": { held: { words: "*numstat*", since: "candidate-made" } },
  "a check runs": checked((hold) => `grep -q ready a.txt && ${hold} && ${large} > x`),
  "the tip is moved": { held: { words: "*update-ref*/runs/*", since: "integrating" } },
  "the tip is published": { held: { words: "*index-pack*", since: "task-integrated" } },
  "the branch is moved": { held: { words: "*update-ref*--stdin*", since: "task-integrated" } },
  "the final checks run": {
    options: { plan: (outside) => ({ tasks, checks: [`test -e a.txt && ${heldBy(now, outside)} && ${large} > x`] }) },
  },
};

function checked(command: (hold: string) => string): Stage {
  const plan: RigOptions["plan"] = (outside) => {
    const checks = [command(heldBy(now, outside))];
    return { tasks: { "01-a": makes("a.txt", { checks }) } };
  };
  return { options: { plan } };
}

interface Fault {
  readonly begin: (disk: SmallDisk) => void;
  readonly says: RegExp;
  /** What is there already can be written. */
  readonly isMild?: true;
}

const faults: Readonly<Record<string, Fault>> = {
  full: { begin: (disk) => disk.fill(), says: /The disk of \S+ is full\. Free some space there, then / },
  "out of inodes": {
    begin: (disk) => disk.fillInodes(),
    says: /The disk of \S+ cannot hold more files \(inodes\)\. Delete some files there, then /,
    isMild: true,
  },
  "read-only": {
    begin: (disk) => disk.makeReadOnly(),
    says: /The disk of \S+ is read-only\. Make it writable, then /,
  },
};

type Place = "repository" | "workspaces" | "both";

interface World extends AsyncDisposable {
  readonly rig: Rig;
  readonly disks: Readonly<Record<Place, readonly SmallDisk[]>>;
}

/** A rig whose repository, with Stint's state, and whose workspaces lie on disks of their own. */
async function onSmallDisks(options: RigOptions = {}): Promise<World> {
  const rig = await createRig({ plan: { tasks }, moves, config, ...options });
  const [repository, workspaces] = [diskAt(rig.repo), diskAt(join(rig.root, "state"))];
  return {
    rig,
    disks: { repository: [repository], workspaces: [workspaces], both: [repository, workspaces] },
    [Symbol.asyncDispose]: async () => {
      for (const disk of [repository, workspaces]) disk[Symbol.dispose]();
      await rig[Symbol.asyncDispose]();
    },
  };
}

/** One message with the cause and the cure, the code of a broken environment, and no stack of calls. */
function expectClearEnd(ended: Ended, { says }: Fault): void {
  expectCode(ended, 1);
  expect(ended.stderr).toMatch(says);
  expect(ended.stderr).not.toMatch(/\n\s+at /);
}

/** Everything a driver printed was durable when it did. */
function expectNothingLost(rig: Rig, { stdout }: Ended): void {
  const printed = stdout.split("\n").filter((line) => line !== "");
  expect(rig.journal().slice(0, printed.length)).toEqual(printed.map((line) => JSON.parse(line) as unknown));
}

async function failsWhile(stage: Stage, place: Place, fault: Fault): Promise<void> {
  const { options, held, spoils } = stage;
  await using world = await onSmallDisks(options);
  const { rig } = world;
  const run = rig.start(["run", "--yes", "--json"], { env: held === undefined ? {} : heldGit(rig, held, now) });
  await run.waitForHold(now);
  for (const disk of world.disks[place]) fault.begin(disk);
  rig.release(now);
  const ended = await run.ended;
  // A journal grows within its last page, so a run that has only lines left to write may end well on a full disk, or with its branch behind.
  if (ended.code === 3)
    expect(ended.stderr).toMatch(
      /^The branch stint\/work does not have this work yet\..* then run `stint resume work#1`\.$/m,
    );
  else if (ended.code !== 0) expectClearEnd(ended, fault);
  expectNothingLost(rig, ended);
  for (const disk of world.disks[place]) disk.cure();

  expectCode(await rig.stint(["resume"]), 0);
  expect(commitsOf(rig)).toEqual(["01-a"]);
  expect(rig.events("verdict")).toMatchObject([{ result: "passed" }]);
  const isSpoilt = spoils !== undefined && place !== "repository" && fault.isMild === undefined;
  expect(sessionsOf(rig)).toEqual(isSpoilt ? ["01-a 1", "01-a 2"] : ["01-a 1"]);
  expect(rig.events("work-lost")).toEqual([]);
  if (isSpoilt) expect(rig.events("work-rescued", "01-a")).toMatchObject([{ attempt: 1, commit: expect.any(String) }]);
}

const places: readonly Place[] = ["repository", "workspaces", "both"];
// A disk with files open for writing, like the journal, cannot be made read-only by us.
const placesOf = (fault: string): readonly Place[] => (fault === "read-only" ? ["workspaces"] : places);
/** A full disk is met at every stage, each time another one; of the other faults each is met once. */
const sample = [
  ...Object.keys(stages).map((moment, at) => nameOf("full", places[at % places.length], moment)),
  nameOf("out of inodes", "both", "the candidate is placed"),
  nameOf("read-only", "workspaces", "the agent works"),
];
const all = Object.entries(faults).flatMap(([name, fault]) =>
  Object.entries(stages).flatMap(([moment, stage]) =>
    placesOf(name).map((place) => [nameOf(name, place, moment), { stage, place, fault }] as const),
  ),
);
const cases = process.env["STINT_DISKS"] === "all" ? all : all.filter(([name]) => sample.includes(name));

function nameOf(fault: string, place: Place | undefined, moment: string): string {
  return `${fault} (${place}) while ${moment}`;
}

afterAll(() => {
  process.stdout.write(`Disks that fail: ${cases.length} of ${all.length} cases, the rest by STINT_DISKS=all\n`);
});

test.skipIf(!canMount).for(cases)(
  "%s: the run ends with 1 and the cure, and resume completes it with nothing lost.",
  ([, { stage, place, fault }]) => failsWhile(stage, place, fault),
);

test.skipIf(!canMount)(
  "A disk that fails before anything begins, in each of these ways: approve and run end with 1 and the cure; afterwards both work.",
  async () => {
    await using world = await onSmallDisks();
    const { rig, disks } = world;
    for (const fault of Object.values(faults)) {
      for (const disk of disks.both) fault.begin(disk);
      for (const command of ["approve", "run"]) expectClearEnd(await rig.stint([command, "--yes"]), fault);
      for (const disk of disks.both) disk.cure();
    }

    expectCode(await rig.stint(["approve", "--yes"]), 0);
    expectCode(await rig.stint(["run"]), 0);
    expect(commitsOf(rig)).toEqual(["01-a"]);
  },
);

test.skipIf(!canMount)(
  "A full disk at resume: it ends with 1 and the cure, and the next resume completes.",
  async () => {
    await using world = await onSmallDisks({
      moves: { "01-a": { 1: [{ hold: now }], "*": writes("a.txt") } },
    });
    const { rig, disks } = world;
    const run = rig.start(["run", "--yes"]);
    await run.waitForHold(now);
    await run.kill("SIGKILL");
    for (const disk of disks.both) disk.fill();
    expectClearEnd(await rig.stint(["resume"]), faults["full"]!);
    for (const disk of disks.both) disk.cure();

    expectCode(await rig.stint(["resume"]), 0);
    expect(commitsOf(rig)).toEqual(["01-a"]);
  },
);

test.skipIf(!canMount)("A pause that finds no room is not accepted and never obeyed; the run continues.", async () => {
  await using world = await onSmallDisks({ moves: { "01-a": [{ hold: now }, ...writes("a.txt")] } });
  const { rig, disks } = world;
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold(now);
  for (const disk of disks.both) disk.fillInodes();
  expectClearEnd(await rig.stint(["pause"]), faults["out of inodes"]!);
  for (const disk of disks.both) disk.cure();
  rig.release(now);

  expectCode(await run.ended, 0);
  expect(rig.events("paused")).toEqual([]);
});

test.skipIf(!canMount)("A set-up that finds no room is no broken check: the task is not blocked by it.", async () => {
  const setup = `${large} > made`;
  await using world = await onSmallDisks({
    config: { ...config, workspace: { setup } },
    files: { ".gitignore": "made\n" },
  });
  const { rig, disks } = world;
  for (const disk of disks.workspaces) disk.fill();
  const ended = await rig.stint(["run", "--yes"]);
  expectClearEnd(ended, faults["full"]!);
  for (const disk of disks.workspaces) disk.cure();
  expectCode(await rig.stint(["resume"]), 0);
});
