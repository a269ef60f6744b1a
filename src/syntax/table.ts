import { posix } from "node:path";
import { nameOf, type Call } from "../base/command-line.ts";

/** What one program call looks up in definition files. */
export type Lookup =
  | {
      readonly kind: "script";
      readonly file: "package.json" | "composer.json" | "deno.json";
      readonly names: readonly string[];
      readonly dir: string;
      /** Whether it runs in every package of a workspace. */
      readonly everywhere: boolean;
    }
  /** What a package manager runs by itself when it installs. */
  | { readonly kind: "install"; readonly dir: string; readonly everywhere: boolean }
  | {
      readonly kind: "rules";
      readonly files: readonly string[];
      readonly targets: readonly string[];
      readonly dir: string;
    };

/** Looks up in a fixed table which definitions a call uses. The program itself may have settings besides; those are known by its name. */
export function lookupsOf({ words, dir }: Call): Lookup[] {
  const program = nameOf(words[0]);
  const rest = words.slice(1);
  if (packageManagers.has(program)) return packageLookups(program, rest, dir);
  if (program === "node") return nodeRun(rest, dir);
  if (/^(?:run-[sp]|npm-run-all2?|concurrently|wireit|turbo|nx|lerna)$/.test(program))
    return manyScripts(program, rest, dir);
  if (/^(?:g|gnu)?make$/.test(program)) return [rulesLookup(makefiles, rest, dir)];
  if (program === "just") return [rulesLookup(justfiles, rest, dir)];
  if (program === "composer") return script("composer.json", plainWords(rest).slice(0, 2), dir);
  if (program === "deno" && rest[0] === "task") return script("deno.json", plainWords(rest.slice(1)).slice(0, 1), dir);
  return [];
}

/** The names of makefiles, in the order in which make looks for them. */
export const makefiles = ["GNUmakefile", "makefile", "Makefile"] as const;
export const justfiles = ["justfile", ".justfile", "Justfile"] as const;

const packageManagers = new Set(["npm", "pnpm", "yarn", "bun", "npm-cli.js", "cnpm"]);

const taking =
  /^(?:--prefix|-C|--dir|--cwd|-w|--workspace|--filter|-F|--loglevel|-f|--file|--makefile|--justfile|--directory|-d|--working-directory)$/;

function packageLookups(program: string, rest: readonly string[], cwd: string): Lookup[] {
  const dir = folderOption(rest, cwd);
  const everywhere = rest.some((word) =>
    /^(?:-w|-ws|-r|-F|--workspaces?|--recursive|--filter|workspaces?|foreach|recursive)(?:=|$)/.test(word),
  );
  const [first = "", second = ""] = plainWords(rest).filter(
    (word) => !/^(?:workspaces?|foreach|recursive)$/.test(word),
  );
  const run = (...names: string[]): Lookup => ({ kind: "script", file: "package.json", names, dir, everywhere });
  const install: Lookup = { kind: "install", dir, everywhere };
  if (/^(?:run|run-script|rum|urn)$/.test(first)) return [run(second)];
  if (/^(?:it|install-test|cit|clean-install-test)$/.test(first)) return [install, run("test")];
  if (/^(?:ci|i|install|add|clean-install|ic|update|up|dedupe|rebuild|link)$/.test(first)) return [install];
  if (first === "") return program === "yarn" ? [install] : [];
  if (program === "npm" && !/^(?:test|t|tst|start|stop|restart)$/.test(first)) return [];
  if (program === "bun" && (first === "test" || /\.[cm]?[jt]sx?$/.test(first))) return [];
  if (first === "restart") return [run("stop", "restart", "start")];
  if (/^(?:t|tst)$/.test(first)) return [run("test")];
  // Yarn and pnpm take any other word for a script; a word after `workspace` names the package.
  return [run(first, ...(everywhere && second !== "" ? [second] : []))];
}

function nodeRun(rest: readonly string[], dir: string): Lookup[] {
  const at = rest.findIndex((word) => word === "--run" || word.startsWith("--run="));
  if (at === -1) return [];
  return script("package.json", [rest[at]?.split("=")[1] ?? rest[at + 1] ?? ""], dir);
}

/** Programs that run several scripts, some of them in every package; patterns such as `test:*` are kept as they are. */
function manyScripts(program: string, rest: readonly string[], dir: string): Lookup[] {
  const everywhere = /^(?:turbo|nx|lerna|wireit)$/.test(program);
  const names = plainWords(rest)
    .flatMap((word) => word.split(" "))
    .map((word) => word.replace(/^npm:/, ""))
    .filter((word) => !/^(?:npm|run)$/.test(word));
  return [{ kind: "script", file: "package.json", names, dir, everywhere }];
}

function script(file: "package.json" | "composer.json" | "deno.json", words: readonly string[], dir: string): Lookup[] {
  const names = words.filter((word) => !/^(?:run|run-script)$/.test(word)).slice(0, 1);
  return names.length === 0 ? [] : [{ kind: "script", file, names, dir, everywhere: false }];
}

function rulesLookup(usual: readonly string[], rest: readonly string[], cwd: string): Lookup {
  const dir = folderOption(rest, cwd);
  const at = rest.findIndex((word) => /^(?:-f|--file|--makefile|--justfile)(?:=|$)/.test(word));
  const named = at === -1 ? undefined : (rest[at]?.split("=")[1] ?? rest[at + 1]);
  const targets = plainWords(rest).filter((word) => !/^\w+[:+?]?=/.test(word));
  return { kind: "rules", files: named === undefined ? usual : [named], targets, dir };
}

/** Leaves out options and their values. */
function plainWords(words: readonly string[]): string[] {
  return words.filter((word, at) => !word.startsWith("-") && !taking.test(words[at - 1] ?? ""));
}

function folderOption(words: readonly string[], cwd: string): string {
  const at = words.findIndex((word) =>
    /^(?:--prefix|-C|--dir|--cwd|--directory|-d|--working-directory)(?:=|$)/.test(word),
  );
  if (at === -1) return cwd;
  return posix.join(cwd, words[at]?.split("=")[1] ?? words[at + 1] ?? "");
}
