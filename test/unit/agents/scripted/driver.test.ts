import { expect, test } from "vitest";
import type { Outcome } from "../../../../src/agents/driver-kit/agent.ts";
import type { Move } from "../../../../src/agents/scripted/moves.ts";
import { play } from "../../../rig/play.ts";

test.each<[string, Move, Outcome]>([
  [
    "limit until",
    { limit: { until: "2030-01-01T01:00:00+01:00" } },
    { kind: "limit", until: "2030-01-01T00:00:00.000Z" },
  ],
  ["limit", { limit: null }, { kind: "limit", until: null }],
  ["overloaded", { overloaded: "529" }, { kind: "overloaded", detail: "529" }],
  ["auth", { auth: "no login" }, { kind: "auth", detail: "no login" }],
  ["context", { context: "too long" }, { kind: "context", detail: "too long" }],
  ["refuse", { refuse: "I will not" }, { kind: "refused", detail: "I will not" }],
  ["misconfigured", { misconfigured: "no such model" }, { kind: "misconfigured", detail: "no such model" }],
  ["crash by exit", { crash: 7 }, { kind: "crashed", detail: "exit 7 without a final event" }],
  ["crash by signal", { crash: "SIGKILL" }, { kind: "crashed", detail: "killed by SIGKILL" }],
  [
    "an impossible edit",
    { edit: "no.txt", replace: "a", with: "b" },
    { kind: "crashed", detail: "exit 1 without a final event" },
  ],
])("%s is its own end, and what was used before it counts", async (_, move, outcome) => {
  const played = await play([{ usage: { input_tokens: 5, output_tokens: 1, usd: 0.1 } }, move, { text: "never said" }]);
  expect(played.outcome).toEqual(outcome);
  expect(played.usage).toEqual({ inputTokens: 5, outputTokens: 1, usd: 0.1 });
  expect(played.events.map(({ type }) => type)).toEqual(["usage"]);
});

test("a final event that a tool printed does not make a crash a success, nor a limit", async () => {
  expect((await play([{ lie: "events" }, { crash: 3 }])).outcome).toEqual({
    kind: "crashed",
    detail: "exit 3 after its final event",
  });
  expect((await play([{ lie: "events" }, { limit: null }])).outcome).toEqual({ kind: "limit", until: null });
  // The twin: the same words with an honest end are a success, and the lie in the report is only a claim.
  const honest = await play([{ lie: "events" }, { lie: "report" }]);
  expect(honest).toMatchObject({ outcome: { kind: "ok" }, report: { status: "done" } });
});
