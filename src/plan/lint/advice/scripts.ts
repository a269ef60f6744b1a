import { joined, nameOf, type Call } from "../../../base/command-line.ts";
import { ancestry } from "../../graph.ts";
import { nearest } from "../../nearest.ts";
import { allows } from "../../protected.ts";
import { warningAt } from "../../problem.ts";
import type { Problem, Task } from "../../types.ts";
import type { Command } from "./commands.ts";

/** Names of scripts in package.json at HEAD, by folder; the root is `.`. */
export type PackageScripts = ReadonlyMap<string, ReadonlySet<string>>;

/** A check that runs a missing script of package.json always fails, unless a task adds the script. */
export function adviseScripts(
  commands: readonly Command[],
  { packageScripts, tasks }: { readonly packageScripts: PackageScripts; readonly tasks: readonly Task[] },
): Problem[] {
  const mayChange = changers(tasks);
  const reported = new Set<string>();
  return commands.flatMap(({ first, file, at, when }) => {
    const script = first && scriptOf(first);
    const known = first && packageScripts.get(first.dir);
    if (script === undefined || known === undefined || known.has(script)) return [];
    const path = joined(first?.dir ?? ".", "package.json");
    if (reported.has(`${path} ${script}`) || mayChange(path, when)) return [];
    reported.add(`${path} ${script}`);
    const near = nearest(script, [...known]);
    const cure = near === undefined ? `Add it, or have an earlier task change ${path}.` : `Did you mean ${near}?`;
    return [
      warningAt(file, at, { code: "missing-script", message: `${path} at HEAD has no script "${script}". ${cure}` }),
    ];
  });
}

/** Finds the script that a call runs; undefined where it may run something else, or not fail without it. */
function scriptOf({ words, by }: Call): string | undefined {
  const [program, verb = "", name = ""] = [nameOf(words[0]), words[1], words[2]];
  if (by.some((word) => !/^(?:time|env|timeout|nice|!)$/.test(word)) || words.some((word) => elsewhere.test(word)))
    return undefined;
  const isPlain = /^[\w:.-]+$/.test(name) && !name.startsWith("-");
  if (program === "npm" || program === "pnpm") {
    if (/^(?:test|t|tst)$/.test(verb)) return "test";
    return /^run(?:-script)?$/.test(verb) && isPlain ? name : undefined;
  }
  if (program === "yarn" && verb === "test") return "test";
  // These also run installed programs, which have no such names.
  const isScript = /^(?:test|build|lint|start|dev|check|typecheck)$|:/.test(name);
  return (program === "yarn" || program === "bun") && verb === "run" && isPlain && isScript ? name : undefined;
}

/** Options that choose another package, or let a script be absent. */
const elsewhere = /^(?:--if-present|--prefix|-C|--dir|--cwd|-w|--workspaces?|-ws|--filter|-F|-r|--recursive)(?:=|$)/;

/** Decides whether a task that comes before, or the task itself, may change a file. */
function changers(tasks: readonly Task[]): (path: string, when: Command["when"]) => boolean {
  const known = new Map<string, readonly Task[]>();
  let order: ReturnType<typeof ancestry> | undefined;
  return (path, when) => {
    if (when === "before") return false;
    const writers =
      known.get(path) ?? tasks.filter(({ files }) => allows(files, "A", path) || allows(files, "M", path));
    known.set(path, writers);
    if (when === "after" || writers.length === 0) return writers.length > 0;
    order ??= ancestry(tasks);
    return writers.some(({ id }) => id === when.id || order?.isAncestor(id, when.id));
  };
}
