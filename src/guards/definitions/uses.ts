import { posix } from "node:path";
import { guardsLimits } from "../limits.ts";
import { planLimits } from "../../plan/limits.ts";
import type { Check } from "../../plan/types.ts";
import { callsOf, isShell, nameOf, type Call } from "../../base/command-line.ts";
import { jsonOf, recordOf } from "../../syntax/json.ts";
import { commandsOf, isJudge, isShellScript, programFileOf } from "./program-files.ts";
import { reachedFrom, readMakefile } from "./read-makefile.ts";
import { lookupsOf, type Lookup } from "../../syntax/table.ts";
import { isIdle } from "./vacuous.ts";

/** The text of a file, as it is on one side of the change; null where there is none. */
export type ReadText = (path: string) => Promise<string | null>;

/** Why an entry of a definition file matters. */
export interface Use {
  /** The check's command line, or that of set-up. */
  readonly by: string;
  /** Run by itself before, after or within another entry or command; null for an entry that is asked for by name. */
  readonly hookOf: string | null;
}

/** What command lines rest on. */
export interface Uses {
  /** Scripts, targets and variables by the file's path; a path of `*` stands for every file of that name. */
  readonly entries: ReadonlyMap<string, ReadonlyMap<string, Use>>;
  /** Every program that is called, with the command line that leads there. */
  readonly programs: ReadonlyMap<string, string>;
  /** Files of the project that checks run, by path, with the command line that leads there. */
  readonly files: ReadonlyMap<string, string>;
}

/** Follows every command line through scripts that call scripts and targets that need targets. */
export async function usesOf(
  lines: readonly { readonly line: string; readonly cwd: string }[],
  read: ReadText,
): Promise<Uses> {
  const walk = new Walk(read);
  for (const { line, cwd } of lines) walk.add(line, cwd, line);
  await walk.end();
  return walk;
}

/** Lists the command lines that decide whether a task passes: those of its checks, and set-up. */
export function judgingLines(
  checks: readonly Check[],
  setup: string,
): { readonly line: string; readonly cwd: string }[] {
  const lines = checks.flatMap((check) => (check.kind === "run" ? [{ line: check.run, cwd: check.cwd }] : []));
  return setup === "" ? lines : [...lines, { line: setup, cwd: "." }];
}

interface Step {
  readonly line: string;
  readonly dir: string;
  readonly by: string;
}

class Walk implements Uses {
  readonly entries = new Map<string, Map<string, Use>>();
  readonly programs = new Map<string, string>();
  readonly files = new Map<string, string>();
  private readonly read: ReadText;
  private readonly queue: Step[] = [];
  private readonly seen = new Set<string>();

  constructor(read: ReadText) {
    this.read = read;
  }

  add(line: string, dir: string, by: string): void {
    const key = JSON.stringify([line, dir]);
    if (this.seen.has(key) || this.seen.size >= guardsLimits.definitionStepsMax) return;
    this.seen.add(key);
    this.queue.push({ line: line.slice(0, planLimits.commandLineCharsMax), dir, by });
  }

  async end(): Promise<void> {
    for (let step = this.queue.shift(); step !== undefined; step = this.queue.shift()) {
      const calls = callsOf(step.line, step.dir);
      const last = calls.findLast(({ words }) => !isIdle(words));
      for (const call of calls) {
        const program = nameOf(call.words[0]);
        if (!this.programs.has(program)) this.programs.set(program, step.by);
        for (const lookup of lookupsOf(call)) await this.follow(lookup, step.by);
        await this.followFile(call, { by: step.by, isLast: call === last });
      }
    }
  }

  private async followFile(call: Call, { by, isLast }: { readonly by: string; readonly isLast: boolean }) {
    const path = programFileOf(call);
    const text = path === undefined ? null : await this.read(path);
    if (path === undefined || text === null) return;
    if (isJudge(path, isLast) && !this.files.has(path)) this.files.set(path, by);
    if (isShell(call.words[0]) || isShellScript(path, text)) this.add(commandsOf(text), call.dir, by);
  }

  private async follow(lookup: Lookup, by: string): Promise<void> {
    if (lookup.kind === "rules") return await this.followRules(lookup, by);
    const name = lookup.kind === "install" ? "package.json" : lookup.file;
    const own = await this.nearest(lookup.dir, name);
    for (const path of [own, ...(lookup.everywhere ? [anywhere(name)] : [])]) {
      if (lookup.kind === "install")
        await this.useScripts(
          path,
          lifecycle.map((hook) => [hook, by]),
          by,
        );
      else await this.useScripts(path, lookup.names.flatMap(withHooks), by);
    }
  }

  private async useScripts(
    path: string,
    names: readonly (readonly [string, string | null])[],
    by: string,
  ): Promise<void> {
    const scripts = await this.scriptsOf(path);
    for (const [pattern, hookOf] of names) {
      for (const name of pattern.includes("*") ? matching(Object.keys(scripts), pattern) : [pattern]) {
        this.use(path, name, { by, hookOf });
        for (const line of linesOf(scripts[name])) this.add(line, posix.dirname(path), by);
      }
    }
  }

  private async followRules({ files, targets, dir }: Extract<Lookup, { kind: "rules" }>, by: string): Promise<void> {
    const candidates = files.map((file) => posix.join(dir, file));
    const texts = await Promise.all(candidates.map((path) => this.read(path)));
    const at = Math.max(
      0,
      texts.findIndex((text) => text !== null),
    );
    const file = readMakefile(texts[at] ?? "");
    const reached = reachedFrom(file, targets);
    const path = candidates[at] ?? "";
    for (const target of reached.targets) {
      this.use(path, target, { by, hookOf: null });
      for (const line of file.rules.get(target)?.recipe ?? []) this.add(line.replace(/^[@+-]+/, ""), dir, by);
    }
    for (const variable of reached.variables) this.use(path, `$${variable}`, { by, hookOf: null });
  }

  private use(path: string, entry: string, use: Use): void {
    const known = this.entries.get(path) ?? new Map<string, Use>();
    this.entries.set(path, known);
    // Asked for by name outweighs being a hook of something else.
    if (!known.has(entry) || (use.hookOf === null && known.get(entry)?.hookOf !== null)) known.set(entry, use);
  }

  private async scriptsOf(path: string): Promise<Readonly<Record<string, unknown>>> {
    const text = path.startsWith("*") ? null : await this.read(path);
    const json = recordOf(text === null ? undefined : jsonOf(text));
    return recordOf(posix.basename(path).startsWith("deno") ? json["tasks"] : json["scripts"]);
  }

  /** Package managers look upwards. */
  private async nearest(dir: string, name: string): Promise<string> {
    for (let at = posix.normalize(dir); ; at = posix.dirname(at)) {
      for (const file of name === "deno.json" ? ["deno.json", "deno.jsonc"] : [name]) {
        if ((await this.read(posix.join(at, file))) !== null) return posix.join(at, file);
      }
      if (at === "." || at === "/" || at.startsWith("..")) return posix.join(dir, name);
    }
  }
}

/** Makes a path that stands for the files of that name in all folders. */
export function anywhere(name: string): string {
  return `*/${name}`;
}

const lifecycle = [
  "preinstall",
  "install",
  "postinstall",
  "prepublish",
  "preprepare",
  "prepare",
  "postprepare",
  "dependencies",
];

function withHooks(name: string): [string, string | null][] {
  return [
    [`pre${name}`, name],
    [name, null],
    [`post${name}`, name],
  ];
}

function matching(names: readonly string[], pattern: string): string[] {
  const [head = ""] = pattern.split("*");
  return names.filter((name) => name.startsWith(head));
}

/** Composer's scripts may be lists, deno's tasks objects. */
function linesOf(script: unknown): string[] {
  if (typeof script === "string") return [script];
  if (Array.isArray(script))
    return script.filter((line) => typeof line === "string").map((line) => line.replace(/^@/, "composer run "));
  const { command } = recordOf(script);
  return typeof command === "string" ? [command] : [];
}
