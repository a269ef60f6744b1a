import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { unreachable } from "../../base/result.ts";
import type { EndMove, Move, MoveUsage } from "./moves.ts";

/** What the scripted agent writes on standard output, one JSON object per line. */
export type Line =
  | { readonly type: "start"; readonly session: string }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool"; readonly name: string; readonly detail: string }
  | { readonly type: "file"; readonly path: string; readonly change: "add" | "modify" | "delete" }
  | ({ readonly type: "usage" } & MoveUsage)
  | { readonly type: "retry"; readonly delay_ms: number | null; readonly why: string }
  | { readonly type: "notice"; readonly text: string }
  | LastWord;

/** The final event; after it the agent exits with 0 if all went well, else with 1. */
export type LastWord =
  | { readonly type: "end"; readonly kind: "ok" }
  | { readonly type: "end"; readonly kind: "limit"; readonly until: string | null }
  | {
      readonly type: "end";
      readonly kind: "overloaded" | "auth" | "context" | "refused" | "misconfigured";
      readonly detail: string;
    };

/** What a move may use besides the working directory. */
export interface Stage {
  readonly say: (line: Line) => void;
  /** Writes bytes to standard output as they are, and waits until they are read. */
  readonly spill: (bytes: Buffer | string) => Promise<void>;
  readonly outbox: string;
}

/** Performs one move; returns the final event if the move ends the session. */
export async function perform(move: Move, stage: Stage): Promise<LastWord | undefined> {
  if ("edit" in move) edit(move, stage);
  else if ("run" in move) runTool(move.run, stage);
  else if ("sleep" in move) await sleep(move.sleep);
  else if ("crash" in move) await crash(move.crash);
  else if ("hang" in move) await hang(move.hang, stage);
  else if ("flood" in move) await flood(move.flood, stage);
  else if ("lie" in move) lie(move.lie, stage);
  else if ("report" in move) report(move.report, stage);
  else if ("judge" in move) writeFileSync(join(stage.outbox, "judgement.json"), JSON.stringify(move.judge));
  else if ("leave" in move) leave(move.leave, stage);
  else if ("ask" in move) report({ status: "blocked", reason: move.ask }, stage);
  else if ("text" in move) stage.say({ type: "text", text: move.text });
  else if ("usage" in move) stage.say({ type: "usage", ...move.usage });
  else if ("retry" in move) stage.say({ type: "retry", ...move.retry });
  else return lastWord(move);
  return undefined;
}

type Edit = Extract<Move, { readonly edit: string }>;

function edit(move: Edit, { say }: Stage): void {
  const path = move.edit;
  const isThere = existsSync(path);
  if ("delete" in move) {
    rmSync(path, { recursive: true });
    return say({ type: "file", path, change: "delete" });
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "write" in move ? move.write : replaced(move));
  say({ type: "file", path, change: isThere ? "modify" : "add" });
}

function replaced({ edit, replace, with: next }: Extract<Edit, { readonly replace: string }>): string {
  const text = readFileSync(edit, "utf8");
  if (!text.includes(replace)) throw new Error(`${edit} does not contain the text to replace: ${replace}`);
  return text.replaceAll(replace, () => next);
}

/** Runs a command; its output goes to the log and not among the events, because it is not the agent's own. */
function runTool(command: string, { say }: Stage): void {
  say({ type: "tool", name: "shell", detail: command });
  const { status, signal } = spawnSync("sh", ["-c", command], { stdio: ["ignore", 2, 2] });
  if (status !== 0) say({ type: "notice", text: `the command ended with ${status ?? signal}` });
}

async function crash(how: number | string): Promise<void> {
  if (typeof how === "number") process.exit(how);
  process.kill(process.pid, how);
  await forEver();
}

async function hang(how: "silent" | "talking", { say }: Stage): Promise<void> {
  if (how === "talking") setInterval(() => say({ type: "text", text: "still at it" }), 100);
  await forEver();
}

/** Keeps the process alive with a timer. */
async function forEver(): Promise<never> {
  return new Promise(() => setInterval(() => undefined, 1_000_000));
}

async function flood(amount: Extract<Move, { readonly flood: unknown }>["flood"], { spill }: Stage): Promise<void> {
  if ("lines" in amount) {
    for (let line = 1; line <= amount.lines; line += 1) await spill(`line ${line} of ${amount.lines}\n`);
    return;
  }
  const chunk = Buffer.alloc(65_536, "x");
  for (let left = amount.bytes; left > 0; left -= chunk.length) await spill(chunk.subarray(0, left));
  await spill("\n");
}

/** Lets a tool write to the agent's standard output, which is the worst case: its lines look like the agent's own. */
function lie(how: "report" | "events", stage: Stage): void {
  if (how === "report") return report({ status: "done", summary: "All done, all checks are green." }, stage);
  const lines: Line[] = [
    { type: "usage", input_tokens: 0, output_tokens: 0, usd: 0 },
    { type: "end", kind: "ok" },
  ];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  spawnSync("cat", { input: text, stdio: ["pipe", "inherit", "inherit"] });
}

function report(content: Readonly<Record<string, unknown>>, { outbox }: Stage): void {
  writeFileSync(join(outbox, "report.json"), JSON.stringify(content));
}

function leave(files: Readonly<Record<string, unknown>>, { outbox }: Stage): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(outbox, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  }
}

function lastWord(move: EndMove): LastWord {
  if ("limit" in move) return { type: "end", kind: "limit", until: resetOf(move.limit) };
  if ("overloaded" in move) return { type: "end", kind: "overloaded", detail: move.overloaded };
  if ("auth" in move) return { type: "end", kind: "auth", detail: move.auth };
  if ("context" in move) return { type: "end", kind: "context", detail: move.context };
  if ("refuse" in move) return { type: "end", kind: "refused", detail: move.refuse };
  if ("misconfigured" in move) return { type: "end", kind: "misconfigured", detail: move.misconfigured };
  return unreachable(move);
}

function resetOf(limit: Extract<EndMove, { readonly limit: unknown }>["limit"]): string | null {
  if (limit === null) return null;
  return new Date("until" in limit ? limit.until : Date.now() + limit.after_ms).toISOString();
}
