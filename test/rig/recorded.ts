import fs from "node:fs";
import path from "node:path";
import * as fc from "fast-check";
import type { AgentEvent } from "../../src/agents/driver-kit/agent.ts";
import { type Dialect, type DialectWish, type Ear, parseRecord } from "../../src/agents/driver-kit/dialect.ts";

const folder = path.join(import.meta.dirname, "../recorded");

/** A file of what a real program wrote on standard output when a scripted model server answered so. */
export function recordedFile(agent: string, name: string): string {
  return path.join(folder, agent, `${name}.jsonl`);
}

export function recordedLines(agent: string, name: string): string[] {
  return fs.readFileSync(recordedFile(agent, name), "utf8").trimEnd().split("\n");
}

/** All that was recorded of an agent. */
export function allRecorded(agent: string): string[] {
  const names = fs.readdirSync(path.join(folder, agent)).map((name) => path.basename(name, ".jsonl"));
  return names.flatMap((name) => recordedLines(agent, name));
}

/** An ear that has heard the lines, and the events it made of them. */
export function hearing(
  dialect: Dialect,
  lines: readonly string[],
): { readonly ear: Ear; readonly events: AgentEvent[] } {
  const ear = dialect.listen();
  const events = lines.flatMap((line) => {
    const parsed = parseRecord(line);
    return parsed === undefined ? [] : [...ear.hear(parsed)];
  });
  return { ear, events };
}

/** What a session wants of an agent, to be changed where a test means something else. */
export function dialectWish(more: Partial<DialectWish> = {}): DialectWish {
  return {
    prompt: "Do the task.",
    inputs: [],
    mcp: {},
    repoSettings: false,
    env: {},
    folders: { workspace: "/workspace", home: "/home", tmp: "/tmp", outbox: "/outbox", inbox: "/inbox" },
    confined: true,
    ...more,
  };
}

/** Lines as they were recorded, but with any value anywhere. */
export function damagedLines(agent: string): fc.Arbitrary<Record<string, unknown>> {
  const lines = allRecorded(agent).map((line) => parseRecord(line) ?? {});
  return fc
    .tuple(fc.constantFrom(...lines), fc.jsonValue(), fc.nat())
    .map(([line, value, at]) => replaceOne(line, value, at % (countValues(line) + 1)));
}

function countValues(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce<number>((sum, inner) => sum + 1 + countValues(inner), 0);
}

function replaceOne(line: Readonly<Record<string, unknown>>, value: unknown, at: number): Record<string, unknown> {
  let seen = 0;
  const text = JSON.stringify(line, (_key, inner: unknown) => (seen++ === at && at > 0 ? value : inner));
  return parseRecord(text) ?? {};
}
