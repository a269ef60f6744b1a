import { randomUUID } from "node:crypto";
import type { RunEvent } from "../../engine/events.ts";
import { exitCodes } from "../../engine/exit-code.ts";
import { lockPlan } from "../../host/driver-lock.ts";
import { realClock } from "../../host/clock.ts";
import { runLayout } from "../../host/layout.ts";
import { realFiles } from "../../journal/file-port.ts";
import { openJournal } from "../../journal/journal.ts";
import { refuse, type Io } from "../io.ts";
import { openRunToRead } from "./select.ts";

/** `stint requeue`: gives a blocked task new attempts; a driver must not be at work on the plan. */
export async function requeue(io: Io, task: string, options: { readonly run?: string }): Promise<number> {
  const opened = await openRunToRead(io, options.run);
  if (!opened.ok) return refuse(io, opened.failure.code, opened.failure.message);
  const { layout, state } = opened.value;
  const found = state.tasks.get(task);
  if (found === undefined) {
    return refuse(
      io,
      exitCodes.usage,
      `no task ${task} in run ${state.run}. Its tasks: ${[...state.tasks.keys()].join(", ")}`,
    );
  }
  if (found.phase !== "blocked")
    return refuse(io, exitCodes.usage, `task ${task} is not blocked; only a blocked task is requeued`);
  const lock = lockPlan(layout, state.plan, `stint requeue ${task}`);
  if (!lock.ok) return refuse(io, exitCodes.internal, lock.failure.message);
  try {
    const journal = openJournal(realFiles, runLayout(layout, state.run).journal);
    if (!journal.ok) return refuse(io, exitCodes.internal, journal.failure.message);
    const { repaired } = journal.value;
    const events: RunEvent[] = repaired === undefined ? [] : [{ type: "journal-repaired", ...repaired }];
    events.push({ type: "task-requeued", task, command: randomUUID() });
    const appended = journal.value.journal.appendAll(events, realClock.now());
    journal.value.journal.close();
    if (!appended.ok) return refuse(io, exitCodes.internal, appended.failure.message);
    io.out(`Task ${task} gets new attempts. Go on with \`stint resume ${state.run}\`.`);
    return exitCodes.done;
  } finally {
    lock.value.release();
  }
}
