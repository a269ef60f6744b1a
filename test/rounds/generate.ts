import { diceOf, type Dice } from "./dice.ts";
import * as parts from "./parts.ts";
import type { Kill, Misdeed, Round, RoundTask } from "./round.ts";

const slotFiles = ["shared/one.txt", "shared/two.txt"] as const;
const slotCount = 10;

/** The round of a seed: the same always. It says what agents will do, never when; that is the machine's part. */
export function roundOf(seed: number): Round {
  const dice = diceOf(seed);
  const lanes = seed % 3 === 0 ? 8 : 4;
  const reverify = dice.chance(0.25) ? "all" : "affected";
  const ids = Array.from({ length: lanes === 4 ? 4 + dice.below(2) : 8 }, (_, at) => `t${at + 1}`);
  const special = specialParts(dice, ids, reverify === "all");
  const tasks = ids.map((id, at) =>
    taskOf(dice, { id, at, earlier: ids.slice(0, at), special: special.get(id), lanes }),
  );
  return {
    seed,
    lanes,
    sandbox: dice.chance(0.5) ? "bwrap" : "none",
    reverify,
    files: baseFiles(),
    tasks,
    kills: killsOf(dice, ids.length),
  };
}

/** What only some tasks may have, so that no task can meet more conflicts than are free. */
function specialParts(dice: Dice, ids: readonly string[], canQuarrel: boolean): ReadonlyMap<string, parts.Part> {
  const free = [...ids];
  const taken = new Map<string, parts.Part>();
  const give = (make: (id: string) => parts.Part): void => {
    const [id] = free.splice(dice.below(free.length), 1);
    if (id !== undefined) taken.set(id, make(id));
  };
  if (canQuarrel) [parts.sleeper, parts.radio].forEach(give);
  if (dice.chance(0.5)) [parts.port, parts.port].forEach(give);
  if (ids.length === 8 && dice.chance(0.5)) give(parts.port);
  if (dice.chance(0.4)) [parts.spotAsFile, parts.spotAsFolder].forEach(give);
  return taken;
}

interface Place {
  readonly id: string;
  readonly at: number;
  readonly earlier: readonly string[];
  readonly special: parts.Part | undefined;
  readonly lanes: number;
}

function taskOf(dice: Dice, { id, at, earlier, special, lanes }: Place): RoundTask {
  // Tasks that are to meet others must not wait for them.
  const depends = special === undefined && earlier.length > 0 && dice.chance(0.25) ? [dice.pick(earlier)] : [];
  const common = special ?? commonPart(dice, id, at);
  const chosen: readonly parts.Part[] = [
    ...(dice.chance(0.7) ? [parts.pause(lanes * (20 + dice.below(120)))] : []),
    parts.ownFile(id),
    ...depends.map((dependency) => parts.buildsOn(id, dependency)),
    ...(common === undefined ? [] : [common]),
    ...(dice.chance(0.06) ? [parts.daemon] : []),
  ];
  const files = {
    create: chosen.flatMap((part) => part.files.create ?? []),
    modify: chosen.flatMap((part) => part.files.modify ?? []),
    delete: chosen.flatMap((part) => part.files.delete ?? []),
  };
  return {
    id,
    depends,
    files,
    granted: chosen.flatMap((part) => part.granted ?? []),
    checks: chosen.flatMap((part) => part.checks),
    honest: chosen.map((part) => part.honest).join("\n"),
    misdeeds: misdeedsOf(dice, id, depends.length > 0),
    troubles: chosen.flatMap((part) => (part.trouble === undefined ? [] : [part.trouble])),
  };
}

function commonPart(dice: Dice, id: string, at: number): parts.Part | undefined {
  const kind = dice.below(10);
  if (kind < 4) return parts.slot(id, dice.pick(slotFiles), at + 1);
  if (kind < 6) return parts.askedSlot(id, dice.pick(slotFiles), at + 1);
  return kind === 6 ? parts.removal(`old/${at + 1}.txt`) : undefined;
}

/** At most two, so that a third attempt is left for honest work. */
function misdeedsOf(dice: Dice, id: string, canSpoil: boolean): readonly Misdeed[] {
  if (canSpoil && dice.chance(0.3)) return [spoiling];
  if (!dice.chance(0.25)) return [];
  return Array.from({ length: dice.chance(0.2) ? 2 : 1 }, () => dice.pick(misdeeds)(id, dice));
}

const misdeeds: readonly ((id: string, dice: Dice) => Misdeed)[] = [
  (id, dice) => ({ trouble: "crash of an agent", sh: half(id), end: dice.pick(["exit 1", "kill -9 $$"] as const) }),
  (id) => ({ trouble: "work that fails its checks", sh: half(id), end: "exit 0" }),
  (id) => ({ trouble: "work out of scope", sh: `honest\necho more | put stray/${id}.txt`, end: "exit 0" }),
  (id) => ({
    trouble: "edit of the plan",
    sh: `honest\nsed 's/^- \\[ \\] \\[${id}\\]/- [x] [${id}]/' plans/work/plan.md | put plans/work/plan.md`,
    end: "exit 0",
  }),
  () => ({ trouble: "session without a change", sh: "true", end: "exit 0" }),
];

const spoiling: Misdeed = { trouble: "work that spoils an earlier task", sh: "spoil=yes\nhonest", end: "exit 0" };

function half(id: string): string {
  return `echo half | put ${parts.ownPath(id)}`;
}

/** A task makes about nine lines of the journal, so that the last kills often fall into the end of a run. */
function killsOf(dice: Dice, taskCount: number): readonly Kill[] {
  const count = dice.pick([0, 0, 1, 1, 1, 2]);
  return Array.from({ length: count }, () => ({
    afterLines: 1 + dice.below(Math.ceil((9 * taskCount) / count)),
    delayMs: dice.below(30),
    signal: dice.chance(0.8) ? "SIGKILL" : "SIGINT",
    again: dice.pick(["resume", "run"] as const),
  }));
}

function baseFiles(): Record<string, string> {
  const slots = Array.from({ length: slotCount }, (_, at) => `slot ${at + 1}: free\n`).join("");
  const old = Array.from({ length: slotCount }, (_, at) => [`old/${at + 1}.txt`, "old\n"]);
  return { ...Object.fromEntries(slotFiles.map((file) => [file, slots])), ...Object.fromEntries(old), radio: "off\n" };
}
