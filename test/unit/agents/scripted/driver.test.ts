import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AgentEvent, Outcome, SessionRequest, SessionResult } from "../../../../src/agents/driver-kit/agent.ts";
import { scriptedDriver } from "../../../../src/agents/scripted/driver.ts";
import { movesOf, type Move } from "../../../../src/agents/scripted/moves.ts";
import { processLimits } from "../../../../src/process/limits.ts";
import { sessionFolders, sessionRequest } from "../../../rig/session.ts";

let root: string;
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "stint-scripted-")));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface Played extends SessionResult {
  readonly events: readonly AgentEvent[];
  readonly folder: string;
}

/** One session of task 01-a with these moves, or with a moves file of this text. */
async function play(moves: readonly Move[] | string, more: Partial<SessionRequest> = {}): Promise<Played> {
  const folder = mkdtempSync(join(root, "s-"));
  const file = join(folder, "moves.json");
  writeFileSync(file, typeof moves === "string" ? moves : JSON.stringify({ "01-a": moves }));
  const events: AgentEvent[] = [];
  const observe = (event: AgentEvent) => void events.push(event);
  const result = await scriptedDriver.run(sessionRequest(folder, { command: [file], observe, ...more }));
  return { ...result, events, folder };
}

function tree(folder: string, file: string): string {
  return join(sessionFolders(folder).workspace, file);
}

test("edits, tools, texts and usage are performed and reported in order, with the id of the session", async () => {
  const played = await play([
    { text: "I begin." },
    { edit: "src/a.txt", write: "one two\n" },
    { edit: "src/a.txt", replace: "two", with: "$&!" },
    { edit: "gone.txt", write: "x" },
    { edit: "gone.txt", delete: true },
    { run: "echo from-a-tool; echo made > made.txt" },
    { usage: { input_tokens: 10, output_tokens: 2 } },
    { retry: { delay_ms: 500, why: "busy" } },
    { usage: { input_tokens: 20, output_tokens: 3, usd: 0.5 } },
    { report: { status: "done", summary: "Made it." } },
  ]);

  expect(played.events).toEqual([
    { type: "text", text: "I begin." },
    { type: "file", path: "src/a.txt", change: "add" },
    { type: "file", path: "src/a.txt", change: "modify" },
    { type: "file", path: "gone.txt", change: "add" },
    { type: "file", path: "gone.txt", change: "delete" },
    { type: "tool", name: "shell", detail: "echo from-a-tool; echo made > made.txt" },
    { type: "usage", usage: { inputTokens: 10, outputTokens: 2, usd: 0 } },
    { type: "retry", delayMs: 500, why: "busy" },
    { type: "usage", usage: { inputTokens: 20, outputTokens: 3, usd: 0.5 } },
  ]);
  expect(played).toMatchObject({
    outcome: { kind: "ok" },
    report: { status: "done", summary: "Made it." },
    usage: { inputTokens: 20, outputTokens: 3, usd: 0.5 },
    sessionId: "01-a.1",
  });
  expect(readFileSync(tree(played.folder, "src/a.txt"), "utf8")).toBe("one $&!\n");
  expect(existsSync(tree(played.folder, "gone.txt"))).toBe(false);
  expect(readFileSync(join(played.folder, "output.log"), "utf8")).toContain("from-a-tool");
});

test("What a planner leaves is in the outbox: text as it is, anything else as JSON, and nothing outside", async () => {
  const played = await play([{ leave: { "tasks/01-a.md": "Do it.\n", "questions.json": [{ id: "days" }] } }]);

  expect(played.outcome).toEqual({ kind: "ok" });
  const left = (name: string) => readFileSync(join(sessionFolders(played.folder).outbox, name), "utf8");
  expect(left("tasks/01-a.md")).toBe("Do it.\n");
  expect(JSON.parse(left("questions.json"))).toEqual([{ id: "days" }]);
  for (const name of ["../x.md", "/x.md", "tasks//x.md"]) {
    expect(movesOf(JSON.stringify({ a: [{ leave: { [name]: "" } }] }), { task: "a", attempt: "1" })).toMatchObject({
      problem: expect.stringContaining("with paths inside the outbox") as string,
    });
  }
});

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

test("a limit may be so many milliseconds away", async () => {
  const before = Date.now();
  const { outcome } = await play([{ limit: { after_ms: 3_600_000 } }]);
  const until = outcome.kind === "limit" ? Date.parse(outcome.until ?? "") : 0;
  expect(until).toBeGreaterThanOrEqual(before + 3_600_000);
  expect(until).toBeLessThanOrEqual(Date.now() + 3_600_000);
});

test("a silent hang ends as idle, a talking one at the wall clock, with different outcomes", async () => {
  const silent = play([{ hang: "silent" }], { idleMsMax: 600 });
  const talking = play([{ hang: "talking" }], { idleMsMax: 1_500, wallMsMax: 3_000 });
  expect((await silent).outcome.kind).toBe("idle");
  expect((await talking).outcome.kind).toBe("timeout");
});

test("a flood is cut in the log, and the final event after it is heard", async () => {
  const bytes = processLimits.agentLineBytesMax + 1_000_000;
  const played = await play([{ flood: { bytes } }, { flood: { lines: 1000 } }, { text: "done" }]);
  expect(played.outcome).toEqual({ kind: "ok" });
  expect(played.events).toEqual([{ type: "text", text: "done" }]);
});

test("a question is a report that waits for a person", async () => {
  const { outcome, report } = await play([{ ask: "Which port?" }]);
  expect(outcome).toEqual({ kind: "ok" });
  expect(report).toMatchObject({ status: "blocked", reason: "Which port?" });
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

test("moves may differ by attempt, and `*` serves the rest", async () => {
  const text = JSON.stringify({ "01-a": { 2: [{ text: "second" }], "*": [{ text: "any" }] } });
  const env = (attempt: string) => ({ ...sessionRequest(root).env, STINT_ATTEMPT: attempt });
  expect((await play(text, { env: env("1") })).events).toEqual([{ type: "text", text: "any" }]);
  expect((await play(text, { env: env("2") })).events).toEqual([{ type: "text", text: "second" }]);
});

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

test("wrong moves are a mistake in the settings, and the message says which", async () => {
  const { outcome, folder } = await play('{"01-a": [{"sleep": "1s"}]}');
  const detail = `${folder}/moves.json 01-a, move 1: sleep is written {"sleep": <milliseconds>}`;
  expect(outcome).toEqual({ kind: "misconfigured", detail });
});

test("a file of moves that is not there is such a mistake, too", async () => {
  const { outcome } = await play([], { command: [join(root, "none.json")] });
  expect(outcome).toEqual({ kind: "misconfigured", detail: `${root}/none.json cannot be read: ENOENT` });
});
