import { expect, test } from "vitest";
import { sessionRequest } from "../../../rig/session.ts";
import { play } from "../../../rig/play.ts";

test("moves may differ by attempt, and `*` serves the rest", async () => {
  const text = JSON.stringify({ "01-a": { 2: [{ text: "second" }], "*": [{ text: "any" }] } });
  const env = (attempt: string) => ({ ...sessionRequest("/session").env, STINT_ATTEMPT: attempt });
  expect((await play(text, { env: env("1") })).events).toEqual([{ type: "text", text: "any" }]);
  expect((await play(text, { env: env("2") })).events).toEqual([{ type: "text", text: "second" }]);
});

test("wrong moves are a mistake in the settings, and the message says which", async () => {
  const { outcome, folder } = await play('{"01-a": [{"sleep": "1s"}]}');
  const detail = `${folder}/moves.json 01-a, move 1: sleep is written {"sleep": <milliseconds>}`;
  expect(outcome).toEqual({ kind: "misconfigured", detail });
});

test("a file of moves that is not there is such a mistake, too", async () => {
  const { outcome } = await play([], { command: ["/none.json"] });
  expect(outcome).toEqual({ kind: "misconfigured", detail: "/none.json cannot be read: ENOENT" });
});
