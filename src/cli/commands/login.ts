import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { whyNoTemporaryFiles } from "../../base/folder-access.ts";
import { shellWord } from "../../base/command-line.ts";
import { visible } from "../../base/visible.ts";
import { exitCodes } from "../../engine/exit-code.ts";
import { refused } from "../../project/refusals.ts";
import {
  agentsInUse,
  examineAgent,
  examineAgents,
  type AgentExamination,
  type AgentHealth,
} from "../../upkeep/doctor/agents.ts";
import { openSurroundings } from "../../upkeep/doctor/doctor.ts";
import { copyLogin, findLoginWay, type LoginWay } from "../../upkeep/doctor/login.ts";
import { createTicker, showCommands } from "../dialog/ticker.ts";
import { confirm, printLine, refuse, refuseWith, type Io } from "../io.ts";
import { badSettings } from "./doctor.ts";

interface LoginOptions {
  readonly useExisting?: true;
  /** Further arguments for the agent's own login. */
  readonly more: readonly string[];
}

/** `stint login`: logs agents in, with their own programs, in the homes where their sessions look for a login. */
export async function login(io: Io, name: string | undefined, options: LoginOptions): Promise<number> {
  const opened = await openSurroundings({ ...io, watch: showCommands(createTicker(io)) });
  if (opened.kind === "bad-settings") return badSettings(io, opened.problems);
  const { agentExamination } = opened;
  if (name !== undefined) return await logIn(io, agentExamination, { name, ...options });
  const names = agentsInUse(agentExamination.config);
  if (io.interactive && names.length > 0) io.err(visible(`Asking ${names.join(", ")} for a login …`));
  const used = await examineAgents(agentExamination, names);
  const out = used.filter((health) => health.login.kind === "out");
  if (used.length === 0) return refuse(io, exitCodes.internal, "no coding agent found: `stint doctor` says more.");
  if (out.length === 0) return used.map((health) => outcomeOf(io, health)).find((code) => code !== 0) ?? 0;
  if (out.length > 1 && !io.interactive) {
    const commands = out.map((health) => `\`stint login ${health.name}\``).join(", ");
    return refuse(io, exitCodes.usage, `several agents are not logged in. Name one: ${commands}`);
  }
  for (const health of out) {
    const code = await logIn(io, agentExamination, { name: health.name, ...options });
    if (code !== exitCodes.done) return code;
  }
  return exitCodes.done;
}

async function logIn(
  io: Io,
  examination: AgentExamination,
  { name, useExisting, more }: LoginOptions & { readonly name: string },
): Promise<number> {
  const found = await findLoginWay(examination, name);
  if (!found.ok) return refuseWith(io, refused(found.failure).failure);
  const way = { ...found.value, argv: [...found.value.argv, ...more] };
  if (way.credential !== undefined) {
    io.out(`${name} needs no login: ${way.credential} is set, and it uses that. Unset it to log in.`);
    return exitCodes.done;
  }
  if (useExisting !== true && !io.interactive) return refuse(io, exitCodes.usage, whyNoTerminal(way));
  const noTemporaryFiles = whyNoTemporaryFiles();
  if (noTemporaryFiles !== undefined) return refuse(io, exitCodes.internal, noTemporaryFiles);
  const isCopied = useExisting === true || (await wantsCopy(io, way));
  if (io.signal.aborted) return exitCodes.interrupted;
  const flaw = isCopied ? await copied(io, way) : await ownLogin(io, way);
  if (flaw !== undefined) return flaw;
  const agent = examination.config.agents[name];
  if (agent === undefined) throw new Error(`Internal error: expected an agent ${name}, but there is none`);
  // Its program was run just now, with the person's consent.
  const unapproved = isCopied ? examination.unapproved : new Set<string>();
  return outcomeOf(io, await examineAgent(name, agent, { ...examination, unapproved }), "Try again.");
}

function whyNoTerminal({ agent, credentials, existing }: LoginWay): string {
  const variable =
    credentials.length === 0
      ? `let its key through (agents: { ${agent}: { env: [NAME] } })`
      : `set ${credentials.join(" or ")}`;
  const copy = existing === undefined ? "" : `, or copy your own login ${existing} with --use-existing`;
  return `a login needs a terminal. Run \`stint login ${agent}\` in one, or ${variable}${copy}.`;
}

async function wantsCopy(io: Io, way: LoginWay): Promise<boolean> {
  if (way.existing === undefined) return false;
  io.err(visible(`You are logged in to ${way.agent} yourself (${way.existing}). ${copyRisk(way)}`));
  return await confirm("Copy that login instead of logging in again?", io.signal);
}

function copyRisk({ renewsOnce }: LoginWay): string {
  return renewsOnce
    ? "Of two copies, the one that is renewed later may be logged out: its service accepts a refresh token once."
    : "Both copies stay logged in.";
}

async function copied(io: Io, way: LoginWay): Promise<number | undefined> {
  const copy = await copyLogin(way);
  if (!copy.ok) return refuse(io, exitCodes.usage, `${copy.failure.message} Run \`stint login ${way.agent}\` instead.`);
  io.out(visible(`Copied ${way.existing} to ${copy.value} (mode 0600), and nothing else. ${copyRisk(way)}`));
  return undefined;
}

/** Runs the agent's own login, which has the terminal meanwhile; returns an exit code where there is nothing to look at afterwards. */
async function ownLogin(io: Io, way: LoginWay): Promise<number | undefined> {
  const line = way.argv.map(shellWord).join(" ");
  if (way.isUnapproved) {
    io.err(visible(`The repository's settings name the program of ${way.agent}: ${line}`));
    if (!(await confirm("Run it?", io.signal))) return refuse(io, exitCodes.person, "not run");
  }
  const hint = way.hint === undefined ? "" : ` ${way.hint}`;
  io.err(visible(`Running \`${line}\` in ${way.home}; your own login stays as it is.${hint}`));
  const [program = "", ...args] = way.argv;
  // Empty: what is in a repository must not matter to a login.
  const cwd = mkdtempSync(join(tmpdir(), "stint-login-"));
  try {
    const child = spawn(program, args, { cwd, env: way.env, stdio: "inherit" });
    await once(child, "exit");
    // It may have ended in the middle of a line.
    io.err("");
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
  return io.signal.aborted ? exitCodes.interrupted : undefined;
}

/** Says what the agent itself reports about its login now. */
function outcomeOf(io: Io, { name, login, program }: AgentHealth, cure?: string): number {
  if (io.signal.aborted) return exitCodes.interrupted;
  if (!program.ok) return refuse(io, exitCodes.internal, program.failure.message);
  if (login.kind === "silent") {
    const look = `Run \`${shellWord(program.value)}\` yourself to see why.`;
    return refuse(io, exitCodes.internal, `login of ${name}: unknown, ${login.why}. ${look}`);
  }
  if (login.kind === "out")
    return refuse(io, exitCodes.internal, `login of ${name}: ${login.how}. ${cure ?? login.cure}`);
  const says = login.kind === "in" ? `${name} is logged in: ${login.how}` : `${name}: login unknown, ${login.why}`;
  printLine(io, visible(says));
  return exitCodes.done;
}
