import { fileURLToPath } from "node:url";
import { exitCodes } from "../../engine/exit-code.ts";
import { refusalCode } from "../../project/refusals.ts";
import { initialise, type Found, type Initialised } from "../../upkeep/init/init.ts";
import { visible, visibleJson } from "../../base/visible.ts";
import { refuse, warn, type Io } from "../io.ts";

/** `stint init`: writes settings and rules that fit the repository, for a person to read. */
export async function init(io: Io, options: { readonly json?: true }): Promise<number> {
  const done = await initialise(io.cwd, io.env);
  if (!done.ok) return refuse(io, refusalCode(done.failure), done.failure.message);
  const { value } = done;
  if (options.json === true) io.out(visibleJson(toJson(value)));
  else {
    for (const line of told(io, value)) io.out(line);
    for (const note of value.notes) warn(io, note);
    for (const line of nextSteps(value)) io.out(line);
  }
  return exitCodes.done;
}

function told({ paint }: Io, value: Initialised): string[] {
  const { projects, written, kept, agents } = value;
  const found = projects.map(({ kind, dir, evidence }) => {
    const where = dir === "" ? "" : ` in ${dir}/`;
    return `${paint.bold(kind)}${where} (${evidence.join(", ")})`;
  });
  const isUnknown = found.length === 0;
  return [
    isUnknown ? "Found no project of a known kind (node, python, go, rust)." : `Found ${found.join(", ")}.`,
    ...written.map((path) => `${paint.green("wrote")} ${path}`),
    ...kept.map((path) => `${paint.dim("kept")}  ${path} (already there)`),
    ...(written.length === 0 ? ["Everything is already there; nothing was written."] : summary(value)),
    agents.length === 0
      ? "No built-in agent is on PATH. Install one, or name your own program under `agents` and `roles` in your settings."
      : `Agents on PATH: ${agents.join(", ")}.`,
  ];
}

/** Says in a line for each file what a person should find in it. */
function summary({ written, setup, checks, hooks, privateHooks }: Initialised): string[] {
  const sure = checks.filter(({ doubt }) => doubt === undefined);
  const offered = checks.length - sure.length + hooks.length + privateHooks.length;
  const more = offered === 0 ? "" : `; ${offered} more as comments, for you to review`;
  const lines = [
    [".stint/config.yaml", `  set-up: ${setup ?? "none"}`],
    [".stint/rules.md", `  checks after every task: ${sure.map(inItsFolder).join(", ") || "none"}${more}`],
  ] as const;
  return lines.filter(([path]) => written.includes(path)).map(([, line]) => visible(line));
}

function inItsFolder({ command, dir }: Initialised["checks"][number]): string {
  return dir === "" ? command : `${command} (in ${dir}/)`;
}

/** Whether the written files have nothing that `stint check` could try. */
function isNothingToTry({ written, setup, checks }: Initialised): boolean {
  const areNew = [".stint/config.yaml", ".stint/rules.md"].every((path) => written.includes(path));
  return areNew && (setup ?? null) === null && checks.every(({ doubt }) => doubt !== undefined);
}

function nextSteps(value: Initialised): string[] {
  const { projects, hasCommits } = value;
  return [
    "",
    "Next:",
    "  read .stint/config.yaml and .stint/rules.md, and change what does not fit",
    ...(hasCommits ? [] : ["  git add -A && git commit   runs start from a commit, and there is none yet"]),
    ...(isNothingToTry(value)
      ? ["  add a check to .stint/rules.md, a command that must pass after every task; then"]
      : []),
    "  stint check                try the set-up and checks on HEAD, as a run would",
    "  stint doctor               check that agents and the sandbox work here",
    ...(hasCommits
      ? ["  git add .stint && git commit", "                             only committed settings apply"]
      : []),
    '  stint plan "…"             draft a plan for a goal',
    "  stint new <name>           or write one yourself; an example:",
    `                             ${visible(exampleFor(projects))}`,
    "  stint lint                 find errors in the plan",
    "  stint check                run every check of the plan on HEAD",
    "  stint approve              see what would be run, and commit the files if you agree",
    "  stint run",
  ];
}

/** Finds the example of the same kind in the package, or the folder of all examples if there is none. */
function exampleFor(projects: readonly Found[]): string {
  const kind = projects.map((project) => project.kind).find((name) => name === "node" || name === "python") ?? "";
  return fileURLToPath(new URL(`../../docs/examples/${kind}`, import.meta.url));
}

function toJson(value: Initialised) {
  const { root, projects, written, kept, setup, checks, hooks, privateHooks, protect, agents, notes } = value;
  const isSure = ({ doubt }: { readonly doubt?: string | undefined }) => doubt === undefined;
  const kinds = projects.map(({ kind }) => kind);
  return {
    root,
    kinds: kinds.length === 0 ? ["unknown"] : [...new Set(kinds)],
    written,
    kept,
    setup,
    checks: checks.filter(isSure).map(inItsFolder),
    offered: [...checks.filter((check) => !isSure(check)), ...hooks].map(inItsFolder),
    hooks: privateHooks,
    protect: protect.map(({ glob }) => glob),
    agents,
    notes,
    example: exampleFor(projects),
  };
}
