import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { TranscriptEntry } from "../../../src/agents/driver-kit/transcript.ts";
import { transcriptReader } from "../../../src/agents/transcripts.ts";
import type { Driver } from "../../../src/config/types.ts";
import { damagedLines, recordedLines } from "../../rig/recorded.ts";

/** Real programs that read a file, change one, write one, run a command, run one that fails, and say so. */
const recorded: readonly (readonly [driver: Driver, name: string])[] = [
  ["claude", "whole-session"],
  ["codex", "whole-session"],
  ["gemini", "whole-session"],
  ["acp", "gemini-whole-session"],
  ["acp", "opencode-whole-session"],
];

function read(driver: Driver | null, lines: readonly string[]): TranscriptEntry[] {
  const reader = transcriptReader(driver);
  return lines.flatMap((line) => [...reader(line)]);
}

const ofType = <Type extends TranscriptEntry["type"]>(entries: readonly TranscriptEntry[], type: Type) =>
  entries.filter((entry): entry is Extract<TranscriptEntry, { type: Type }> => entry.type === type);

test.each(recorded)("%s, %s: what was said is there whole, and every deed in its order", (driver, name) => {
  const entries = read(driver, recordedLines(driver, name));
  const said = ofType(entries, "says").map(({ text }) => text);
  expect(said.join("")).toBe(
    `${[1, 2, 3, 4, 5].map((step) => `Step ${step}.`).join("")}**Done**: the list is as it should be.\n\n- one\n- two`,
  );
  const [first = "", ...ran] = ofType(entries, "calls").flatMap(({ verb, detail }) =>
    verb === "$" || verb === "read" ? [`${verb} ${detail.replace("/stint/workspace/", "")}`] : [],
  );
  expect([driver === "codex" ? "$ cat list.txt" : "read list.txt"]).toEqual([first]);
  expect(ran).toEqual(["$ seq 1 200", "$ echo broken >&2; exit 3"]);
  expect(ofType(entries, "diff").map(({ path }) => path.replace("/stint/workspace/", ""))).toEqual([
    "list.txt",
    "a.txt",
  ]);
  expect(ofType(entries, "usage")).not.toEqual([]);
});

test.each(recorded)(
  "%s, %s: a changed file has its changed lines, unless the program keeps them to itself",
  (driver, name) => {
    const [changed, made] = ofType(read(driver, recordedLines(driver, name)), "diff").map(({ lines }) =>
      lines().filter((line) => /^[-+]/.test(line)),
    );
    expect(changed).toEqual(driver === "codex" ? [] : ["-entry 12", "+entry twelve"]);
    expect(made).toEqual(driver === "codex" ? [] : ["+ready", "+set"]);
  },
);

test("a result has the output of its call and its exit code, where the program reports them", () => {
  const last = recorded.map(([driver, name]) => {
    const { text, exitCode } = ofType(read(driver, recordedLines(driver, name)), "result").at(-1)!;
    return [driver, text.trim(), exitCode];
  });
  expect(last).toEqual([
    ["claude", "broken", 3],
    ["codex", "broken", 3],
    ["gemini", "broken", undefined],
    ["acp", "", undefined],
    ["acp", "broken", 3],
  ]);
});

test("thoughts, retries, refusals and failures are entries of their own", () => {
  const line = (value: unknown) => JSON.stringify(value);
  const thought = { type: "assistant", message: { content: [{ type: "thinking", thinking: "Hm." }] } };
  const retry = { type: "system", subtype: "api_retry", retry_delay_ms: 2000, error: "overloaded" };
  const failure = { type: "result", is_error: true, result: "Invalid API key\nmore" };
  expect(read("claude", [thought, retry, failure].map(line))).toEqual([
    { type: "thinks", text: "Hm." },
    { type: "notice", tone: "retry", delayMs: 2000, text: "overloaded" },
    { type: "notice", tone: "error", text: "Invalid API key" },
  ]);
  const reasoning = { type: "item.completed", item: { type: "reasoning", text: "Hm." } };
  const failed = { type: "turn.failed", error: { message: "no more" } };
  expect(read("codex", [reasoning, failed].map(line))).toEqual([
    { type: "thinks", text: "Hm." },
    { type: "notice", tone: "error", text: "no more" },
  ]);
  const chunk = { sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "Hm" } };
  const update = { jsonrpc: "2.0", method: "session/update", params: { update: chunk } };
  const refused = { jsonrpc: "2.0", id: 4, error: { code: -32000, message: "Authentication required" } };
  const stopped = { jsonrpc: "2.0", id: 4, result: { stopReason: "max_tokens" } };
  expect(read("acp", [update, refused, stopped].map(line))).toEqual([
    { type: "thinks", text: "Hm", isPiece: true },
    { type: "notice", tone: "error", text: "Authentication required" },
    { type: "notice", tone: "error", text: "stopped: max_tokens" },
  ]);
  const error = { type: "result", status: "error", error: { message: "[API Error: 401]" } };
  expect(read("gemini", [line(error)])).toEqual([{ type: "notice", tone: "error", text: "[API Error: 401]" }]);
  expect(read("scripted", [line({ type: "end", kind: "auth", detail: "no login" })])).toEqual([
    { type: "notice", tone: "error", text: "auth: no login" },
  ]);
});

test("a call shows its arguments in the words of every tool: a range of lines, a pattern, or whatever there is", () => {
  const call = (name: string, input: unknown) => {
    const content = [{ type: "tool_use", id: "1", name, input }];
    const [entry] = ofType(read("claude", [JSON.stringify({ type: "assistant", message: { content } })]), "calls");
    return `${entry?.verb ?? entry?.name} ${entry?.detail}`;
  };
  expect(call("Read", { file_path: "src/b.ts", offset: 1, limit: 40 })).toBe("read src/b.ts:1-40");
  expect(call("Read", { file_path: "src/b.ts", offset: 30 })).toBe("read src/b.ts:30-");
  expect(call("Grep", { pattern: "TODO", path: "src" })).toBe("search TODO");
  expect(call("mcp__db__query", { rows: 5 })).toBe('mcp__db__query {"rows":5}');
});

test("a command of codex is shown without the shell around it, whichever quotes it has", () => {
  const detail = (command: string) => {
    const item = { id: "1", type: "command_execution", command };
    return ofType(read("codex", [JSON.stringify({ type: "item.started", item })]), "calls")[0]?.detail;
  };
  expect(detail("/bin/bash -lc 'npm test'")).toBe("npm test");
  expect(detail(`bash -lc "echo 'a' \\"b\\" \\$c"`)).toBe(`echo 'a' "b" $c`);
  expect(detail("bash -lc 'a' 'b'")).toBe("bash -lc 'a' 'b'");
  expect(detail("npm test")).toBe("npm test");
});

test("output without events, and lines that are no events, are shown as they are", () => {
  expect(read("command", ['{"of": "programs"}'])).toEqual([
    { type: "says", text: '{"of": "programs"}\n', isPiece: true },
  ]);
  expect(read(null, ["hello"])).toEqual([{ type: "says", text: "hello\n", isPiece: true }]);
  expect(read("claude", ["warning: old", "{broken"])).toEqual([
    { type: "notice", tone: "aside", text: "warning: old" },
    { type: "notice", tone: "aside", text: "{broken" },
  ]);
});

test.each(["claude", "codex", "gemini", "acp"] as const)("%s: whatever comes, nothing is thrown", (driver) => {
  fc.assert(
    fc.property(fc.array(damagedLines(driver), { maxLength: 20 }), (lines) => {
      const entries = read(
        driver,
        lines.map((line) => JSON.stringify(line)),
      );
      for (const entry of entries) if (entry.type === "diff") entry.lines();
    }),
    { numRuns: 200 },
  );
});
