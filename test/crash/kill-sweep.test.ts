import { afterAll, expect, test } from "vitest";
import type { Rig } from "../rig/rig.ts";
import { countedCalls, counting, killedAt, killedAtLine, killedOn, whyNoStrace, type Call } from "../rig/strace.ts";
import { canConfine } from "../rig/sandbox-world.ts";
import { finish } from "../rounds/finish.ts";
import type { Driven } from "../rounds/inspect-run.ts";
import { deathOf } from "../rounds/oracle-deaths.ts";
import { ownFile } from "../rounds/parts.ts";
import { play } from "../rounds/play.ts";
import type { Round } from "../rounds/round.ts";

/** STINT_SWEEP=all kills at every call; else about so many are tried as a landing has time for, others every day. */
const { STINT_SWEEP: sweep = "12", STINT_SWEEP_SEED: seed = String(Math.floor(Date.now() / 86_400_000)) } = process.env;
const whyNot = whyNoStrace();
/** With a sandbox, rooms and workspaces are layers above trees that they share. */
const sandboxes: readonly Round["sandbox"][] = canConfine ? ["none", "bwrap"] : ["none"];
const calls = whyNot === undefined ? (await Promise.all(sandboxes.map(count))).flat() : [];
const chosen = choose(calls);
const fell = new Map<string, number>();

test.concurrent.for(chosen)(
  "Killed at $name $nth of $who, on $path, sandbox $sandbox: the run completes, nothing is lost and nothing done twice.",
  async (call) => {
    const drive = isLine(call) ? driveIntoLine : driveInto;
    const { violations } = await play(oneTask(call.sandbox), async (rig) => drive(rig, call));
    expect(violations, `STINT_SWEEP_SEED=${seed}`).toEqual([]);
  },
);

test.runIf(whyNot === undefined)(
  "The sweep knows every kind of call, and most kills fall where they are meant to.",
  () => {
    const kinds = new Set(calls.map(({ who, name }) => `${who.split(" ")[0]} ${name}`));
    const driver = [
      "main write",
      "main fsync",
      "main rename",
      "pool write",
      "pool fsync",
      "pool rename",
      "pool unlink",
    ];
    const git = ["git write", "git fsync", "git rename", "git link", "git unlink"];
    for (const kind of [...driver, ...git]) expect(kinds).toContain(kind);
    const [never, exact] = [fell.get("never") ?? 0, fell.get("on its very file") ?? 0];
    expect(never, JSON.stringify([...fell])).toBeLessThanOrEqual(chosen.length / 2);
    // Of a few calls, the day decides how many are such that a run makes always at the same place.
    expect(exact, JSON.stringify([...fell])).toBeGreaterThanOrEqual(sweep === "all" ? chosen.length / 2 : 1);
  },
);

if (whyNot !== undefined) test.skip(`The sweep cannot be made: ${whyNot}`, () => undefined);

afterAll(() => {
  const rest = calls.length - chosen.length;
  const skipped = rest === 0 ? "none is skipped" : `the rest by STINT_SWEEP=all`;
  const told = [...fell].map(([where, times]) => `${times} ${where}`).join(", ");
  process.stdout.write(`A kill at ${chosen.length} of ${calls.length} calls, seed ${seed}: ${told}; ${skipped}\n`);
});

interface SweptCall extends Call {
  readonly sandbox: Round["sandbox"];
}

/** A run of a single task whose checks take no time. */
function oneTask(sandbox: Round["sandbox"]): Round {
  const { files, checks, honest } = ownFile("t1");
  const own = { create: [], modify: [], delete: [], ...files };
  const task = { id: "t1", depends: [], files: own, granted: [], checks, honest, misdeeds: [], troubles: [] };
  return { seed: 0, lanes: 2, sandbox, reverify: "affected", files: {}, tasks: [task], kills: [] };
}

async function count(sandbox: Round["sandbox"]): Promise<readonly SweptCall[]> {
  let counted: readonly Call[] = [];
  const { violations } = await play(oneTask(sandbox), async (rig) => {
    const end = await rig.stint(["run", "--yes"], counting(rig));
    counted = countedCalls(rig);
    return { end, kills: 0 };
  });
  if (violations.length > 0) throw new Error(violations.join("\n"));
  return counted.map((call) => ({ ...call, sandbox }));
}

/** Every so many-th of them, beginning where the seed says. */
function choose(all: readonly SweptCall[]): readonly SweptCall[] {
  const stride = sweep === "all" ? 1 : Math.max(1, Math.ceil(all.length / Number(sweep)));
  return all.filter((_, at) => at % stride === Number(seed) % stride);
}

async function driveInto(rig: Rig, call: SweptCall): Promise<Driven> {
  const end = await rig.stint(["run", "--yes"], killedAt(rig, call));
  note(rig, call);
  const deaths = [deathOf(rig)];
  // A git that died may have been asked again, by the same driver.
  const isDone = end.code === 0 && rig.git("branch", "--list", "stint/work") !== "";
  return { end: isDone ? end : await finish(rig), kills: 1, deaths };
}

/** A write of the journal: it is found for certain where its file is known, so a first driver dies having begun the run. */
async function driveIntoLine(rig: Rig, call: SweptCall): Promise<Driven> {
  const own = calls.filter(({ sandbox }) => sandbox === call.sandbox);
  const begun = own.find(({ name, path }) => name === "fsync" && path === call.path);
  if (begun !== undefined) await rig.stint(["run", "--yes"], killedAt(rig, { ...begun, nth: begun.nth + 2 }));
  const deaths = [deathOf(rig)];
  await rig.stint(["resume"], killedAtLine(rig, own.filter(isLine).indexOf(call) + 1));
  note(rig, call);
  deaths.push(deathOf(rig));
  return { end: await finish(rig), kills: 2, deaths };
}

function isLine({ name, path }: Call): boolean {
  return name === "write" && path.endsWith("/journal.jsonl");
}

function note(rig: Rig, call: Call): void {
  const on = killedOn(rig, call);
  const where = on === undefined ? "never" : on === call.path ? "on its very file" : "on another write near by";
  fell.set(where, (fell.get(where) ?? 0) + 1);
}
