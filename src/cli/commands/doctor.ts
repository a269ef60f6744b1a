import { exitCodes } from "../../engine/exit-code.ts";
import { type AgentHealth, examine, type Finding } from "../../upkeep/doctor/doctor.ts";
import type { Problem } from "../../plan/types.ts";
import { visible } from "../../base/visible.ts";
import { createTicker, showCommands } from "../dialog/ticker.ts";
import { printLine, refuse, type Io } from "../io.ts";
import { renderProblem } from "./lint.ts";

/** `stint doctor`: shows whether runs can work here, and how to fix what is missing. */
export async function doctor(io: Io, options: { readonly json?: true }): Promise<number> {
  const ticker = createTicker(options.json === true ? { paint: io.paint } : io);
  const examination = await examine({ ...io, watch: showCommands(ticker) });
  if (io.signal.aborted) return exitCodes.interrupted;
  if (examination.kind === "bad-settings") return badSettings(io, examination.problems);
  for (const problem of examination.problems) io.err(renderProblem(problem));
  const { findings, agents } = examination;
  const ill = findings.filter(({ state }) => state === "bad");
  if (options.json === true) {
    io.out(JSON.stringify({ ok: ill.length === 0, findings: findings.map(findingJson), agents: agents.map(toJson) }));
  } else printFindings(io, findings);
  if (ill.length === 0) return exitCodes.done;
  const names = [...new Set(ill.map(({ about, says }) => (about === "roles" ? says : about)))].join(", ");
  return refuse(io, exitCodes.internal, `not ready to run: ${names}`);
}

/** Prints what is wrong with the settings; nothing is examined or started with them. */
export function badSettings(io: Io, problems: readonly Problem[]): number {
  for (const problem of problems) io.err(renderProblem(problem));
  return refuse(io, exitCodes.usage, "the settings have errors; fix them, then try again");
}

/** Prints a line for each finding, in columns, with how to fix it below. */
function printFindings(io: Io, findings: readonly Finding[]): void {
  const width = Math.max(...findings.map(({ about }) => about.length));
  const indent = width + 8;
  for (const { about, state, says, cure, optional } of findings) {
    const line = `${(optional === true ? "–" : state).padEnd(4)}  ${about.padEnd(width)}  ${says}`;
    printLine(io, visible(line), indent);
    if (cure !== null) printLine(io, `${" ".repeat(indent)}${visible(cure)}`, indent);
  }
}

function findingJson({ about, state, says, cure }: Finding) {
  return { about, state, says, cure };
}

function toJson({ name, driver, roles, program, version, login }: AgentHealth) {
  return {
    name,
    driver,
    roles,
    program: program.ok ? program.value : null,
    version: version.kind === "answered" && version.code === 0 ? version.output.trim() : null,
    logged_in: login.kind === "in" ? true : login.kind === "out" ? false : null,
    login: login.kind === "in" || login.kind === "out" ? login.how : login.why,
  };
}
