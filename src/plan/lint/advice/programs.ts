import { plural } from "../../../base/plural.ts";
import { joined, nameOf } from "../../../base/command-line.ts";
import type { World } from "../world.ts";
import { warningAt } from "../../problem.ts";
import type { Problem } from "../../types.ts";
import { firstCall, type Command, type SetupLine } from "./commands.ts";

/** Commands, and where their programs may come from. */
export interface ProgramsInput {
  readonly commands: readonly Command[];
  readonly world: World;
  /** Whether PATH of this machine finds a program. */
  readonly hasProgram: (name: string) => boolean;
  readonly setup: SetupLine | undefined;
}

/** A missing program breaks a check, possibly in the middle of the night. */
export function advisePrograms(input: ProgramsInput): Problem[] {
  const byProgram = new Map<string, Command[]>();
  for (const command of input.commands) {
    const program = startsOf(command)
      .map((start) => missingProgram(start, input))
      .find((missing) => missing !== undefined);
    if (program === undefined) continue;
    const others = byProgram.get(program);
    if (others === undefined) byProgram.set(program, [command]);
    else others.push(command);
  }
  return [...byProgram].map(([program, [first, ...others]]) =>
    warning(program, first!, { others, world: input.world }),
  );
}

function warning(
  program: string,
  { file, at, isSetup }: Command,
  { others, world }: { readonly others: readonly Command[]; readonly world: World },
): Problem {
  const more = others.length === 0 ? "" : ` (also in ${plural(others.length, "more command")} of the plan)`;
  const isPath = program.includes("/");
  if (isSetup === true) {
    const [where, way] = isPath ? ["at HEAD", "Commit it"] : ["on this machine's PATH", "Install it"];
    const message = `workspace.setup runs ${program}, which is not ${where}${more}. ${way}, or correct workspace.setup.`;
    return warningAt(file, at, { code: "missing-program", message });
  }
  const where = isPath
    ? "is neither at HEAD nor in the files of the task or a dependency"
    : "is not found on this machine's PATH";
  const cure = isPath
    ? "Correct the path, or have workspace.setup create it."
    : world.existsAtHead(program)
      ? `Write ./${program} if you mean the file in the repo.`
      : "Install it, call it through its package manager (npx, or a path such as node_modules/.bin), or correct the command.";
  return warningAt(file, at, { code: "missing-program", message: `The program ${program} ${where}${more}. ${cure}` });
}

/** Lists a command, and set-up also without the installers it begins with: they put nothing on PATH, so what follows them must be there already. */
function startsOf(command: Command): Command[] {
  const line = command.isSetup === true ? command.line.replace(installerFirst, "$1") : command.line;
  return line === command.line
    ? [command]
    : [command, ...startsOf({ ...command, line, first: firstCall({ ...command, line }) })];
}

/** Finds the first program of a command that is certainly missing; undefined where none is, or where that is unknown. */
function missingProgram(command: Command, input: ProgramsInput): string | undefined {
  const { first } = command;
  // Bash's `exec -a name` gives a program another name.
  if (first === undefined || /\bexec -/.test(command.line)) return undefined;
  for (const word of [...first.by, first.words[0] ?? ""]) {
    if (asks.has(word)) return undefined;
    if (!isName(word) || builtIn.has(word)) continue;
    if (word.startsWith("/")) return undefined;
    const setup = command.isSetup === true ? undefined : input.setup;
    if (word.includes("/")) return missingPath(command.when, joined(first.dir, word), { ...input, setup });
    if (!input.hasProgram(word)) return mayBeInstalled(setup) ? undefined : word;
    // Whatever it starts may come from elsewhere, as with npx.
    if (!plain.has(nameOf(word))) return undefined;
  }
  return undefined;
}

function missingPath(when: Command["when"], path: string, { world, setup }: ProgramsInput): string | undefined {
  if (setup !== undefined || path.startsWith("..")) return undefined;
  const written = path.includes("/") ? path : `./${path}`;
  if (when === "before") return world.existsAtHead(path) ? undefined : written;
  const task = when === "after" ? undefined : when;
  const isKnown = task === undefined || world.isOrdered(task);
  return isKnown && !world.mayExistAfter(task, path) ? written : undefined;
}

/** A word that a shell would expand first is not a plain name. */
function isName(word: string): boolean {
  return /^[\w./+@-]+$/.test(word) && !word.startsWith("-");
}

/** The usual installers put nothing on PATH: they install into the project. */
function mayBeInstalled(setup: SetupLine | undefined): boolean {
  return setup !== undefined && !inPlace.test(setup.command);
}

const installer =
  /(?:npm (?:ci|i|install)|(?:pnpm|bun) (?:i|install)|yarn(?: install)?)(?: --(?!global\b)[\w-]+(?:=\w+)?)*/.source;
const inPlace = new RegExp(`^\\s*${installer}\\s*$`);
const installerFirst = new RegExp(`^\\s*((?:cd [\\w./-]+ *&& *)*)${installer}\\s*(?:&&|;|\\n)\\s*`);

/** Programs that only run what follows. */
const plain = new Set("time nice env nohup stdbuf timeout".split(" "));
/** A command uses these to look for a program, or to read its commands from elsewhere. */
const asks = new Set("command type . source eval hash trap set export alias case for".split(" "));
const builtIn = new Set(
  (
    "! : . [ [[ { } alias bg break case cd command continue declare do done echo elif else esac eval exec exit export false fc fg fi for function " +
    "getopts hash if in jobs kill let local printf pwd read readonly return select set shift source test then time times trap true type " +
    "typeset ulimit umask unalias unset until wait while"
  ).split(" "),
);
