import { expect, test } from "vitest";
import { movesOf } from "../../../../src/agents/scripted/moves.ts";

test.each([
  ["{", /^is not JSON: /],
  ["[]", /^must be an object with one entry per task$/],
  ['{"02-b": []}', /^has no moves for 01-a$/],
  ['{"01-a": {"2": []}}', /^has no moves for attempt 1 of 01-a, and no "\*"$/],
  ['{"01-a": 1}', /^01-a: must be a list of moves, or an object with one list per attempt$/],
  ['{"01-a": {"one": []}}', /^01-a: "one" is neither an attempt nor "\*"$/],
  ['{"01-a": {"1": {}}}', /^01-a, attempt 1: must be a list of moves$/],
  ['{"01-a": ["run"]}', /^01-a, move 1: must be an object such as \{"run": "npm test"\}$/],
  ['{"02-b": {"1": [{"edti": "x"}]}}', /^02-b, attempt 1, move 1: there is no move "edti"\. Known moves: edit, run, /],
  ['{"01-a": [{"text": "x"}, {"sleep": "1s"}]}', /^01-a, move 2: sleep is written \{"sleep": <milliseconds>\}$/],
  ['{"01-a": [{"edit": "x"}]}', /move 1: edit is written \{"edit": <file>\} with "write": <text>, or /],
  ['{"01-a": [{"usage": {"dollars": 1}}]}', /move 1: usage is written \{"usage": \{"input_tokens": /],
  ['{"01-a": [{"crash": 0}]}', /move 1: crash is written /],
  ['{"01-a": [{"limit": {"until": "soon"}}]}', /move 1: limit is written /],
])("of the moves %s it is said what is wrong", (text, message) => {
  expect(movesOf(text, { task: "01-a", attempt: "1" })).toEqual({ problem: expect.stringMatching(message) });
});
