import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectCode } from "../rig/facts.ts";
import { newestJournal } from "../rig/follow.ts";
import { writes } from "../rig/moves.ts";
import { makes, plan } from "../rig/plan.ts";
import { createRig } from "../rig/rig.ts";

interface Told {
  readonly estimate: {
    readonly sessions: { readonly by_role: readonly { readonly role: string; readonly usd_per_session: unknown }[] };
    readonly time: { readonly pace: { readonly factor: number; readonly tasks: number } | null };
    readonly money: unknown;
  };
}

test("What earlier runs of the repository cost and took is in the estimate of the next plan; a damaged journal is passed over.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt", { depends: ["01-a"] }) } },
    config: { run: { attempts: 2, escalate_after: 2 } },
    moves: {
      "01-a": [...writes("a.txt"), { usage: { usd: 0.5 } }],
      "02-b": [...writes("b.txt"), { usage: { usd: 1.5 } }],
    },
  });
  const before = await rig.stint(["approve", "--yes"]);
  expect(before.stdout).toContain("\n  cost: unknown: no history in this repository yet\n");
  expectCode(await rig.stint(["run"]), 0);
  for (const [path, text] of Object.entries(plan({ name: "next", tasks: { "01-c": makes("c.txt") } })))
    rig.write(path, text);
  rig.commit("Plan more");

  const after = await rig.stint(["approve", "next", "--yes"]);

  expectCode(after, 0);
  expect(after.stdout).toContain(
    "\n  cost: 1.00 to 2.00 USD\n    executor: 1.00 USD per session (0.50 to 1.50), from 2 sessions\n",
  );
  expect(after.stdout).toMatch(/\n {2}pace: about \d+s: 2 earlier tasks here took under 0\.1x the estimate\n/);
  const { estimate } = JSON.parse((await rig.stint(["approve", "next", "--json", "--yes"])).stdout) as Told;
  expect(estimate.sessions.by_role).toEqual([
    {
      role: "executor",
      low: 1,
      high: 2,
      usd_per_session: { mean: 1, least: 0.5, most: 1.5, sessions: 2, from: "history" },
    },
  ]);
  expect(estimate.money).toEqual({ usd: { low: 1, high: 2 }, unknown: [], history_runs: 1 });

  appendFileSync(newestJournal(rig.gitDir) ?? join(rig.root, "none"), "no line of a journal\n{}\n");
  const damaged = await rig.stint(["approve", "next", "--yes"]);
  expectCode(damaged, 0);
  expect(damaged.stdout).toContain("\n  cost: unknown: no history in this repository yet\n");
});
