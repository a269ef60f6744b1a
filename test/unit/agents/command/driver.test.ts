import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { SessionRequest, SessionResult } from "../../../../src/agents/driver-kit/agent.ts";
import { agentsLimits } from "../../../../src/agents/limits.ts";
import { redactor } from "../../../../src/base/redact.ts";
import { commandDriver } from "../../../../src/agents/command/driver.ts";
import { sessionRequest } from "../../../rig/session.ts";

let folder: string;

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "command-")));
  for (const name of ["outbox", "inbox", "workspace", "home"]) fs.mkdirSync(path.join(folder, name));
});

afterEach(() => fs.rmSync(folder, { recursive: true }));

test("exit 0 is a session that ended, with its report and usage", async () => {
  const result = await session(`
    cat > prompt.txt
    echo '{"status":"done","summary":"Added it","need_files":["src/x.ts"],"notes":null}' > $STINT_OUTBOX/report.json
    echo '{"input_tokens":1200,"output_tokens":30,"usd":0.25}' > $STINT_OUTBOX/usage.json`);

  expect(result).toEqual({
    outcome: { kind: "ok" },
    report: { status: "done", summary: "Added it", reason: "", needFiles: ["src/x.ts"], notes: "" },
    usage: { inputTokens: 1200, outputTokens: 30, usd: 0.25 },
    sessionId: null,
  });
  expect(fs.readFileSync(path.join(folder, "workspace", "prompt.txt"), "utf8")).toBe("Do the task.");
});

test("without a report the checks decide alone", async () => {
  expect(await session("echo working")).toEqual({
    outcome: { kind: "ok" },
    report: null,
    usage: { inputTokens: 0, outputTokens: 0, usd: 0 },
    sessionId: null,
  });
  expect(fs.readFileSync(path.join(folder, "output.log"), "utf8")).toBe("working\n");
});

test("exit 75 is a usage limit, until the reported time or none", async () => {
  expect(await outcomeOf("exit 75")).toEqual({ kind: "limit", until: null });
  expect(await outcomeOf(limitUntil('"2026-11-15T23:00:00Z"'))).toEqual(limit("2026-11-15T23:00:00.000Z"));
  expect(await outcomeOf(limitUntil('"2026-11-15T23:00:00+02:00"'))).toEqual(limit("2026-11-15T21:00:00.000Z"));
  for (const invalid of ['"tomorrow"', '"2026-13-45T99:00:00Z"', "5", "null", "{}", '"2026-11-15T23:00:00Z'])
    expect(await outcomeOf(limitUntil(invalid))).toEqual(limit(null));
});

test("any other end is a crash, with what the program printed last", async () => {
  const crashed = (detail: string) => ({ kind: "crashed", detail });
  expect(await outcomeOf("exit 3")).toEqual(crashed("exit 3"));
  expect(await outcomeOf("echo success; exit 3")).toEqual(crashed("exit 3: success"));
  expect(await outcomeOf("echo working; printf '\\033[31mboom\\033[0m\\n' >&2; exit 7")).toEqual(
    crashed("exit 7: boom"),
  );
  expect(await outcomeOf("kill -SEGV $$")).toEqual(crashed("killed by SIGSEGV"));
  expect(await outcomeOf("echo oh; kill -SEGV $$")).toEqual(crashed("killed by SIGSEGV: oh"));
});

test("the last words of a crash are bounded and without secrets, and make no false start of it", async () => {
  const redact = redactor([{ name: "MY_TOKEN", value: "s3cret-s3cret-s3cret" }]);
  const { outcome, program } = await session("echo refused: s3cret-s3cret-s3cret; exit 1", { redact });
  expect(outcome).toEqual({ kind: "crashed", detail: expect.stringMatching(/^exit 1: refused: (?!.*s3cret)/) });
  expect(program).toBeUndefined();
  const long = await outcomeOf("printf 'x%.0s' $(seq 5000); exit 1");
  expect(long).toEqual({ kind: "crashed", detail: `exit 1: ${"x".repeat(agentsLimits.lastWordsCharsMax)}` });
});

async function session(script: string, request: Partial<SessionRequest> = {}): Promise<SessionResult> {
  return commandDriver.run(sessionRequest(folder, { command: ["sh", "-c", script], ...request }));
}

async function outcomeOf(script: string, request: Partial<SessionRequest> = {}): Promise<SessionResult["outcome"]> {
  return (await session(script, request)).outcome;
}

function limitUntil(json: string): string {
  return `echo '{"until":${json}}' > $STINT_OUTBOX/limit.json; exit 75`;
}

function limit(until: string | null): SessionResult["outcome"] {
  return { kind: "limit", until };
}
