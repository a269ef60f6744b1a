import fs from "node:fs/promises";
import { constants } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { agentsLimits } from "../limits.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import type { Judgement } from "../../engine/session.ts";
import type { Report, Usage } from "./agent.ts";
import { isRecord } from "./json.ts";

/** The report, or null; the problem says why an existing one cannot be read. */
export interface ReadReport {
  readonly report: Report | null;
  readonly problem?: string;
}

/** Reads what the executor claims; without a file the checks alone decide. */
export async function readReport(outbox: string): Promise<ReadReport> {
  const json = await readOutboxJson(outbox, "report.json");
  if (!json.ok) return json.failure.reason === "absent" ? { report: null } : malformed(json.failure.message);
  const parsed = reportSchema.safeParse(json.value);
  if (!parsed.success) return malformed(`report.json: ${describe(parsed.error)}`);
  const { need_files: needFiles, ...rest } = parsed.data;
  return { report: { ...rest, needFiles } };
}

/** Reads what a judge decided, or says why it does not count: a rejection needs a reason to be of use. */
export async function readJudgement(outbox: string): Promise<Judgement | { readonly problem: string }> {
  const json = await readOutboxJson(outbox, "judgement.json");
  if (!json.ok) return { problem: json.failure.message };
  const parsed = judgementSchema.safeParse(json.value);
  if (!parsed.success) return { problem: `judgement.json: ${describe(parsed.error, "judgement")}` };
  const { pass, why } = parsed.data;
  if (!pass && why.trim() === "") return { problem: "judgement.json: it rejects without saying why" };
  const rest = why.trim().slice(agentsLimits.judgementCharsMax);
  return { pass, why: `${why.trim().slice(0, agentsLimits.judgementCharsMax)}${rest === "" ? "" : "…"}` };
}

/** Reads what the agent says it used; an implausible number counts as none. */
export async function readUsage(outbox: string): Promise<Usage> {
  const json = await readOutboxJson(outbox, "usage.json");
  const claimed = json.ok && isRecord(json.value) ? json.value : {};
  return {
    inputTokens: Math.trunc(plausible(claimed["input_tokens"])),
    outputTokens: Math.trunc(plausible(claimed["output_tokens"])),
    usd: plausible(claimed["usd"]),
  };
}

/** Reads when the usage limit ends, as an ISO time in UTC; null where the agent does not say so in a valid form. */
export async function readLimitReset(outbox: string): Promise<string | null> {
  const json = await readOutboxJson(outbox, "limit.json");
  const until = json.ok && isRecord(json.value) ? json.value["until"] : undefined;
  if (typeof until !== "string" || !isoTime.test(until)) return null;
  const time = Date.parse(until);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

/** Reads one JSON file that an untrusted agent wrote: never through a link, never from a pipe or device, never more than the bound. */
export async function readOutboxJson(
  outbox: string,
  name: string,
): Promise<Result<unknown, { reason: "absent" | "malformed"; message: string }>> {
  try {
    const bytes = await readPlainFile(outbox, name);
    return ok(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return fail("absent", `${name}: there is no such file`);
    // The parser's own message quotes a few characters, perhaps half of a secret, which redaction would miss.
    return fail("malformed", `${name}: ${error instanceof SyntaxError ? "not valid JSON" : message}`);
  }
}

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/** Models often write null for "none". */
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");

const reportSchema = z.object({
  status: z.enum(["done", "blocked", "infeasible"]),
  summary: text,
  reason: text,
  need_files: z
    .array(z.string())
    .max(
      agentsLimits.neededFilesMax,
      `more than ${agentsLimits.neededFilesMax} files; a task that needs more should be split`,
    )
    .nullish()
    .transform((value) => value ?? []),
  notes: text,
});

const judgementSchema = z.object({ pass: z.boolean(), why: text });

/** Reads one file of an outbox: never through a link, never from a pipe or device, never more than the bound. Throws where that is not possible. */
export async function readPlainFile(
  outbox: string,
  name: string,
  bytesMax: number = agentsLimits.outboxFileBytesMax,
): Promise<Buffer> {
  const file = path.join(outbox, name);
  for (const folder of [outbox, path.dirname(file)])
    if (!(await fs.lstat(folder)).isDirectory()) throw new Error("the outbox is no longer a folder");
  // Checked before opening, because opening a device can already have an effect.
  if (!(await fs.lstat(file)).isFile()) throw new Error("not a regular file");
  const handle = await fs.open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!(await handle.stat()).isFile()) throw new Error("not a regular file");
    return await readBounded(handle, bytesMax);
  } finally {
    await handle.close();
  }
}

/** Counts what is read instead of trusting the size, because the file may still grow. */
async function readBounded(handle: fs.FileHandle, bytesMax: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (let length = 0; length <= bytesMax;) {
    const piece = Buffer.alloc(Math.min(pieceBytes, bytesMax + 1 - length));
    const { bytesRead } = await handle.read(piece, 0, piece.length, length);
    if (bytesRead === 0) return Buffer.concat(pieces);
    pieces.push(piece.subarray(0, bytesRead));
    length += bytesRead;
  }
  throw new Error(`larger than ${bytesMax} bytes`);
}

/** Most files are far smaller than the bound, and a draft has hundreds. */
const pieceBytes = 65_536;

function malformed(problem: string): ReadReport {
  return { report: null, problem };
}

function describe(error: z.ZodError, what = "report"): string {
  const issue = error.issues[0];
  return issue === undefined ? `not a ${what}` : `${[what, ...issue.path].join(".")}: ${issue.message}`;
}

/** Beyond 2^53 sums are no longer exact, and no session uses that much. */
function plausible(value: unknown): number {
  return typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : 0;
}
