import { expect, test } from "vitest";
import type { RunEvent } from "../../../../src/engine/events.ts";
import { evolve, fold } from "../../../../src/engine/evolve.ts";
import type { RepoPort } from "../../../../src/run/ports.ts";
import type { Run } from "../../../../src/run/run.ts";
import { pushTip } from "../../../../src/run/steps/push.ts";
import { runLimits } from "../../../../src/run/limits.ts";
import { settings, spec } from "../../../rig/world.ts";

const away = { refused: "no network", lasting: false };
const taken = { refused: null, lasting: false };
const started = {
  type: "run-started",
  run: "r",
  plan: "p",
  title: "p",
  goal: "g",
  planHash: "h",
  base: "base",
} as const;

/** A run whose tip is published, a remote that answers as told, and a clock that only waits when asked to. */
function staged(answers: readonly Awaited<ReturnType<RepoPort["push"]>>[], onWait: () => void = () => undefined) {
  const journal: RunEvent[] = [
    { ...started, branch: "stint/p", settings: { ...settings, push: "task" }, tasks: [spec("a")] },
    { type: "task-integrated", task: "a", attempt: 1, commit: "one" },
    { type: "published", commit: "one", branch: "stint/p" },
  ];
  const state = fold(journal)!;
  const [offered, waits, events]: [string[], number[], RunEvent[]] = [[], [], []];
  let now = 0;
  const append = (event: RunEvent) => {
    events.push(event);
    evolve(state, event);
  };
  const clock = {
    now: () => new Date(now).toISOString(),
    waitUntil: async (time: string) => {
      waits.push(Date.parse(time) - now);
      now = Date.parse(time);
      onWait();
    },
  };
  const push: RepoPort["push"] = async (commit, { remote }) => {
    offered.push(`${commit} to ${remote}`);
    return answers[offered.length - 1] ?? away;
  };
  const run = { state, rules: { remote: "origin" }, ports: { clock, repo: { push } }, append } as unknown as Run;
  return { run, offered, waits, events, append };
}

const never = new AbortController().signal;

test("a network that comes back is waited for, and nothing is reported but the success", async () => {
  const { run, waits, events } = staged([away, away, taken]);
  await pushTip(run, never);
  expect(waits).toEqual(runLimits.pushBackoffMs.slice(0, 2));
  expect(events).toEqual([{ type: "pushed", commit: "one", remote: "origin", branch: "stint/p" }]);
});

test("a network that stays away is reported once, after all tries", async () => {
  const { run, waits, events } = staged([]);
  await pushTip(run, never);
  const tries = runLimits.pushBackoffMs.length + 1;
  expect(waits).toEqual(runLimits.pushBackoffMs);
  const of = { commit: "one", remote: "origin", branch: "stint/p" };
  expect(events).toEqual([{ type: "push-failed", ...of, why: "no network", tries }]);
});

test("what a person has to cure is not tried again", async () => {
  const { run, waits, events } = staged([{ refused: "diverged", lasting: true }]);
  await pushTip(run, never);
  expect([waits, events.map((event) => event.type)]).toEqual([[], ["push-failed"]]);
});

test("a tip that was published meanwhile is pushed in the place of the older one", async () => {
  const stage = staged([away, taken], () => stage.append({ type: "published", commit: "two", branch: "stint/p" }));
  await pushTip(stage.run, never);
  expect(stage.offered).toEqual(["one to origin", "two to origin"]);
  expect(stage.events.at(-1)).toMatchObject({ type: "pushed", commit: "two" });
});

test("a run that is stopped does not wait any longer, and reports nothing", async () => {
  const stop = new AbortController();
  const { run, offered, events } = staged([], () => {
    stop.abort();
  });
  await expect(pushTip(run, stop.signal)).rejects.toThrow("aborted");
  expect([offered, events]).toEqual([["one to origin"], []]);
});
