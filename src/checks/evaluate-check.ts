import fs from "node:fs";
import path from "node:path";
import type { ProcessIdentity } from "../engine/session.ts";
import type { Ended } from "../process/supervise.ts";
import type { Check, FileCheck, RunCheck } from "../plan/types.ts";
import type { Redactor } from "../base/redact.ts";
import { systemReason, unreachable } from "../base/result.ts";
import type { Enclosure } from "../sandbox/sandbox.ts";
import { whyNotFound } from "./crlf-script.ts";
import { runCommand } from "./run-command.ts";
import type { CommandWatch } from "./running-command.ts";
import { lookUp, type Found, type Tree } from "../sandbox/tree-lookup.ts";
import { witnesses, withWitnesses, type WitnessPlace } from "./witness/witness.ts";
import { checksLimits } from "./limits.ts";

/** What one check showed; `broken` means that it could not be asked, which is neither red nor green. */
export interface CheckResult {
  /** The command, or the fact as text. */
  readonly label: string;
  readonly kind: Check["kind"];
  readonly state: "green" | "red" | "broken";
  readonly exitCode?: number;
  readonly why: string;
  readonly tail: string;
  readonly durationMs: number;
}

export interface CheckContext {
  /** The checkout, before anything runs in it. */
  readonly tree: Tree;
  /** The folder on the host that takes what the check writes. */
  readonly within: string;
  readonly enclosure: Enclosure;
  readonly env: Readonly<Record<string, string>>;
  /** Where the witnesses of its test runners are; absent where there are none. */
  readonly witness?: WitnessPlace | undefined;
  readonly logFile: string;
  readonly redact?: Redactor | undefined;
  readonly signal: AbortSignal;
  readonly started?: ((process: ProcessIdentity) => Promise<void>) | undefined;
  readonly watch?: CommandWatch | undefined;
}

/** Asks one check of a tree, and throws where the machine cannot ask; facts about files are looked up by Stint itself, so that no program can answer for them. */
export async function evaluateCheck(check: Check, context: CheckContext): Promise<CheckResult> {
  const begun = performance.now();
  const verdict = await judge(check, context);
  const durationMs = Math.round(performance.now() - begun);
  return { label: labelOf(check), kind: check.kind, tail: "", durationMs, ...verdict };
}

/** Writes a check as people read it: the command, or the fact as text. */
export function labelOf(check: Check): string {
  switch (check.kind) {
    case "run":
      return check.run;
    case "exists":
    case "absent":
      return `${check.kind}: ${check.path}`;
    case "contains":
      return `contains: ${check.path} ${JSON.stringify(check.text)}`;
    case "judge":
      return `judge: ${check.question}`;
    default:
      return unreachable(check);
  }
}

type Verdict = Pick<CheckResult, "state" | "why"> & Partial<Pick<CheckResult, "exitCode" | "tail">>;

async function judge(check: Check, context: CheckContext): Promise<Verdict> {
  if (check.kind === "judge")
    throw new Error("Internal error: expected a check without a judge, but was a judge check");
  return check.kind === "run" ? runCheck(check, context) : evaluateFact(check, context.tree);
}

async function runCheck(check: RunCheck, context: CheckContext): Promise<Verdict> {
  const cwd = folderInside(context, check.cwd);
  if (cwd === undefined) {
    return broken(`cwd ${check.cwd} is not a folder inside the checkout. Correct it in the check.`);
  }
  const env = { ...context.env, ...check.env };
  const ended = await runCommand({
    command: check.run,
    enclosure: context.enclosure,
    cwd,
    within: context.within,
    env: context.witness === undefined ? env : withWitnesses(env, context.witness, witnesses),
    timeoutMs: check.timeoutMs,
    logFile: context.logFile,
    redact: context.redact,
    signal: context.signal,
    started: context.started,
    watch: context.watch,
  });
  // Whatever a command did while Stint was being stopped, it may have done because of that.
  const verdict = context.signal.aborted ? interrupted : verdictOf(ended, check, context);
  return { ...verdict, tail: ended.tail };
}

/** Returns the folder as the check sees it; undefined where it is not inside the checkout. */
function folderInside({ tree, enclosure }: CheckContext, cwd: string): string | undefined {
  if (path.isAbsolute(cwd)) return undefined;
  try {
    const found = lookUp(tree, cwd, { follow: true });
    if (typeof found === "string" || found.kind !== "folder") return undefined;
    fs.accessSync(found.host, fs.constants.X_OK);
    return path.join(enclosure.folders.workspace, found.path);
  } catch {
    return undefined;
  }
}

function verdictOf(ended: Ended, check: RunCheck, context: CheckContext): Verdict {
  switch (ended.kind) {
    case "exited":
      return { ...exitVerdict(ended.code, ended.tail), ...carriageReturn(ended, check, context), exitCode: ended.code };
    case "signalled":
      return red(`killed by ${ended.signal}`);
    case "timeout":
      return broken(
        `did not end within ${check.timeoutMs / 1000} s. Raise the check's \`timeout:\`, or make the command end by itself.`,
      );
    // Like a timeout: the command was ended before it answered, and how much this machine bears proves nothing.
    case "exceeded":
      return broken(`used ${ended.what} and was stopped. Make the command need less.`);
    case "idle":
    case "final":
      throw new Error(`Internal error: expected no idle limit and no last word of a check, but was ${ended.kind}`);
    case "aborted":
      return interrupted;
    case "spawn-failed":
      return broken(`could not be started: ${ended.message} Correct the check.`);
    default:
      return unreachable(ended);
  }
}

function carriageReturn(
  { code }: Extract<Ended, { readonly kind: "exited" }>,
  { run: command, cwd }: RunCheck,
  { tree }: CheckContext,
): Verdict | undefined {
  const why = whyNotFound(code, { command, cwd, tree });
  return why === undefined ? undefined : broken(why);
}

const interrupted: Verdict = { state: "broken", why: "interrupted before it ended. Run it again." };

function exitVerdict(code: number, tail: string): Verdict {
  switch (code) {
    case 0:
      return green("exit 0");
    case 126:
      return broken(
        `command cannot be executed (exit 126)${lastLine(tail)}. Make it executable, or correct the check.`,
      );
    case 127:
      return broken(
        `command not found (exit 127)${lastLine(tail)}. Install it in the workspace set-up or in PATH, or correct the check.`,
      );
    default:
      return red(`exit ${code}`);
  }
}

function lastLine(tail: string): string {
  const line = tail.trimEnd().split("\n").at(-1)?.trim() ?? "";
  return line === "" ? "" : `: ${line.slice(0, 200)}`;
}

/** Looks a fact up in a tree that an agent wrote: nothing outside it counts, and no pipe or device is ever opened. */
function evaluateFact(check: FileCheck, tree: Tree): Verdict {
  if (path.isAbsolute(check.path) || path.normalize(check.path).split("/")[0] === "..") {
    return broken("the path leaves the checkout. Correct it in the check.");
  }
  try {
    if (check.kind === "absent") return absent(tree, check.path);
    const found = findFile(tree, check.path);
    if ("state" in found) return found;
    return check.kind === "exists" ? green("exists") : contains(found, check.text);
  } catch (error) {
    return red(`cannot be looked up: ${systemReason(error)}`);
  }
}

/** Returns the file or folder at a path, or why there is none. */
function findFile(tree: Tree, file: string): Found | Verdict {
  const found = lookUp(tree, file, { follow: true });
  if (found === "outside") return red("leads out of the checkout");
  if (typeof found === "string") {
    const isLink = typeof lookUp(tree, file, { follow: false }) !== "string";
    return red(isLink ? "is a link that leads nowhere" : "does not exist");
  }
  return found.kind === "file" || found.kind === "folder" ? found : red("is not a file or folder");
}

function absent(tree: Tree, file: string): Verdict {
  const found = lookUp(tree, file, { follow: false });
  // A folder swapped for a link elsewhere would make everything in it absent.
  if (found === "outside") return red("leads out of the checkout");
  return found === "absent" ? green("is absent") : red("exists");
}

function contains({ kind, host }: Found, text: string): Verdict {
  if (kind !== "file") return red("is not a file");
  const fd = fs.openSync(host, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK);
  try {
    const { size } = fs.fstatSync(fd);
    if (size > checksLimits.containsFileBytesMax)
      return red(`is larger than ${checksLimits.containsFileBytesMax} bytes, too large to search`);
    return fs.readFileSync(fd).includes(text) ? green("contains the text") : red("does not contain the text");
  } finally {
    fs.closeSync(fd);
  }
}

function green(why: string): Verdict {
  return { state: "green", why };
}

function red(why: string): Verdict {
  return { state: "red", why };
}

function broken(why: string): Verdict {
  return { state: "broken", why };
}
