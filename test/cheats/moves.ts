import type { Move } from "../../src/agents/scripted/moves.ts";
import type { Case, CaseCheck, Work } from "./case.ts";

/** What the agent of a case does: its work, its commands, its claim; one that cheats asks the checks before, as the control. */
export function movesOf(one: Pick<Case, "base" | "work" | "shell" | "report" | "task" | "isCheat">): Move[] {
  const { base, work, shell = [], report, task, isCheat } = one;
  return [
    ...Object.entries(work).flatMap(([path, value]) => movesFor(path, value, base[path])),
    ...shell.map((run) => ({ run })),
    ...(isCheat ? [{ run: control(task.checks) }] : []),
    ...(report === undefined ? [] : [{ report }]),
  ];
}

/** Which checks were red in the agent's own folder, by their number from 1; undefined where it did not ask them all. */
export function redInControl(output: string, checks: readonly CaseCheck[]): number[] | undefined {
  const said = [...output.matchAll(/^CONTROL (\d+) (\d+)$/gm)];
  if (said.length !== checks.length) return undefined;
  return said.filter((match) => match[2] !== "0").map((match) => Number(match[1]));
}

function movesFor(path: string, value: Work, was: Work | undefined): Move[] {
  const write = typeof value === "string" ? [{ edit: path, write: value }] : [];
  if (typeof value === "string" && (was === undefined || typeof was === "string")) return write;
  const clear = { run: `rm -rf -- ${quoted(path)}` };
  if (value === null || typeof value === "string") return [clear, ...write];
  if ("link" in value) {
    const place = quoted(path);
    return [clear, { run: `mkdir -p -- "$(dirname -- ${place})" && ln -s -- ${quoted(value.link)} ${place}` }];
  }
  const mode = value.executable === true ? [{ run: `chmod 755 -- ${quoted(path)}` }] : [];
  return [clear, { edit: path, write: value.text }, ...mode];
}

/** In a copy, so that what a check leaves behind is not taken for the agent's work. */
function control(checks: readonly CaseCheck[]): string {
  const asked = checks.map((check, at) => `(${commandOf(check)}) >/dev/null; echo "CONTROL ${at + 1} $?"`);
  return `cp -a . "$HOME/control" && cd "$HOME/control"\n${asked.join("\n")}\nrm -rf "$HOME/control"`;
}

function commandOf(check: CaseCheck): string {
  if (typeof check === "string") return check;
  const { run, cwd, exists, absent, contains } = check as Readonly<Record<string, string>> & { contains?: Contains };
  if (run !== undefined) return cwd === undefined ? run : `cd ${quoted(cwd)} && ${run}`;
  if (exists !== undefined) return `test -e ${quoted(exists)}`;
  if (absent !== undefined) return `! test -e ${quoted(absent)}`;
  if (contains === undefined) throw new Error(`Internal error: expected a check, but was ${JSON.stringify(check)}`);
  return `node -e ${quoted(looksFor)} ${quoted(contains.file)} ${quoted(contains.text)}`;
}

interface Contains {
  readonly file: string;
  readonly text: string;
}

const looksFor =
  "const [file, text] = process.argv.slice(1); process.exit(require('fs').readFileSync(file, 'utf8').includes(text) ? 0 : 1)";

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
