import type { Command } from "commander";
import type { Io } from "../io.ts";

/** What only looks at a run. */
export function declareLooking(program: Command, io: Io, go: (command: Promise<number>) => Promise<void>): void {
  program
    .command("status [run]")
    .summary("show where a run stands, or watch it")
    .description(
      "Reads the newest run, or the named one, without taking part in it.\n[ ] waits (and for whom), [>] is worked on, [~] is verified, [?] asks, [h] is in a person's hands, [x] has landed, [=] was green before any work, [!] is blocked.",
    )
    .option("--watch", "show how it goes on, until it ends or q; without a terminal, a line for each event")
    .option(
      "--json",
      "print {run, plan, state, reason, branch, tip, published, pushed, tasks, questions, flaky, cost, cost_by_role, budget}",
    )
    .action(async (run, options) => go((await import("../commands/status.ts")).status(io, run, options)));

  program
    .command("log [task]")
    .summary("show what happened, with the evidence of each verdict")
    .description(
      "Shows the events of the newest run, or those of one task, with violations and the output of red checks.",
    )
    .option("--run <run>", "another run than the newest")
    .option("--json", "print the journal's lines")
    .action(async (task, options) => go((await import("../commands/log.ts")).log(io, task, options)));
}
