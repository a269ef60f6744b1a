import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { movesOf } from "../../../../src/agents/scripted/moves.ts";
import { processLimits } from "../../../../src/process/limits.ts";
import { sessionFolders } from "../../../rig/session.ts";
import { play } from "../../../rig/play.ts";

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
