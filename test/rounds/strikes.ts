import type { Dice } from "./dice.ts";

/** When a strike falls, counted from the start of a driver; after a while it falls anyhow, because a paused run waits. */
export type Moment =
  | { readonly kind: "time"; readonly ms: number }
  | { readonly kind: "event"; readonly type: string }
  /** So many lines more in the journal. */
  | { readonly kind: "lines"; readonly count: number }
  /** So many changes in the folders of Stint's state. */
  | { readonly kind: "changes"; readonly count: number };

/** Who gets a kill -9; of some agents in a row or of a command first, and of the driver a moment later. */
export type Victim =
  | { readonly kind: "driver" | "group" | "everything" }
  | { readonly kind: "agent"; readonly times: number; readonly after: Moment }
  | { readonly kind: "command"; readonly args: readonly string[]; readonly afterMs: number; readonly after: Moment };

/** One life of a driver: how it is started, and how it ends unless it comes to its own end before. */
export interface Strike {
  readonly again: "resume" | "run";
  readonly moment: Moment;
  readonly victim: Victim;
}

/** The moment at which there is an agent to kill. */
export const sessionBegins: Moment = { kind: "event", type: "agent-started" };

/** As many strikes as a run is to bear. */
export function strikesOf(dice: Dice, count: number): readonly Strike[] {
  return Array.from({ length: count }, () => {
    const victim = victimOf(dice);
    // An agent can only be killed while there is one.
    const moment = victim.kind === "agent" ? sessionBegins : momentOf(dice);
    return { again: dice.pick(["resume", "resume", "run"] as const), moment, victim };
  });
}

const eventTypes = [
  "attempt-started",
  "baseline",
  "agent-started",
  "agent-finished",
  "work-rescued",
  "candidate-made",
  "verdict",
  "integrating",
  "task-integrated",
  "published",
  "resumed",
] as const;

const commands = [["pause"], ["stop"], ["resume"], ["requeue", "t1"], ["requeue", "t2"]] as const;

function momentOf(dice: Dice): Moment {
  const kind = dice.pick(["time", "time", "event", "lines", "changes"] as const);
  if (kind === "time") return { kind, ms: dice.below(600) };
  if (kind === "event") return { kind, type: dice.pick(eventTypes) };
  return { kind, count: 1 + dice.below(kind === "lines" ? 6 : 40) };
}

function victimOf(dice: Dice): Victim {
  const kind = dice.pick(["driver", "driver", "group", "everything", "agent", "agent", "command"] as const);
  if (kind === "agent") return { kind, times: 1 + dice.below(3), after: momentOf(dice) };
  if (kind !== "command") return { kind };
  return { kind, args: dice.pick(commands), afterMs: dice.below(700), after: momentOf(dice) };
}
