import { callsOf, nameOf } from "../../base/command-line.ts";

/** Says why a command line is green whatever the project does; undefined where it can be red. */
export function whyVacuous(line: string): string | undefined {
  if (isTidying(line)) return undefined;
  const swallowed =
    /(?:\|\||;|\n|(?<![|&])[|&](?![|&]))\s*(true|:|exit(?:\s+0)?|echo\b[^;|&]*|printf\b[^;|&]*|cat|tee\b[^;|&]*)\s*$/.exec(
      line,
    );
  if (swallowed !== null) return `ends with \`${(swallowed[1] ?? "").trim()}\`, whatever came before`;
  if (/\|\|\s*(?:true|:|exit\s+0)(?=\s|[;)&]|$)/.test(line)) return "continues where a command fails";
  const lenient = lenientFlag(line);
  if (lenient !== undefined) return `has \`${lenient}\``;
  const calls = callsOf(line, ".");
  return calls.every(({ words }) => isIdle(words)) ? "runs nothing that can fail" : undefined;
}

/** Taking away what may not be there is no check, and its failure hides none. */
export function isTidying(line: string): boolean {
  const calls = callsOf(line.replace(/\s*\|\|\s*(?:true|:)\s*$/, ""), ".");
  return calls.length > 0 && calls.every(({ words }) => /^(?:rm|rmdir|mkdir)$/.test(nameOf(words[0])));
}

/** Finds a flag that lets a runner pass without running what is there. */
function lenientFlag(line: string): string | undefined {
  return /(?:^|\s)(--pass-?[Ww]ith-?[Nn]o-?[Tt]ests|--test-?[Pp]ath-?[Ii]gnore-?[Pp]atterns?|--pass-with-no-tests|--no-tests=pass|--if-present|--collect-only|--listTests|--exit-zero|-DskipTests|-Dmaven\.test\.skip|--dry-run)(?=[\s=]|$)/.exec(
    line,
  )?.[1];
}

const idle = new Set([
  "",
  "true",
  ":",
  "echo",
  "printf",
  "exit",
  "test",
  "[",
  "sleep",
  "pwd",
  "ls",
  "cat",
  "date",
  "set",
  "return",
]);

/** Whether a call cannot fail, or says nothing by it. */
export function isIdle(words: readonly string[]): boolean {
  const program = nameOf(words[0]);
  if (program === "exit") return words[1] === undefined || words[1] === "0";
  if (/^(?:node|bun|python[\d.]*|ruby|perl|php)$/.test(program)) return isIdleScript(words);
  return idle.has(program) && program !== "test" && program !== "[";
}

/** Whether an interpreter is called for nothing: `node -e ""`, `node --version`, `python -c "pass"`. */
function isIdleScript(words: readonly string[]): boolean {
  if (/^(?:-v|-V|--version|--help)$/.test(words[1] ?? "")) return true;
  if (!/^(?:-e|-c|-p|--eval)$/.test(words[1] ?? "")) return false;
  return /^\s*(?:|pass|null|0|(?:process\.|sys\.)?exit\(0?\)|import sys;\s*sys\.exit\(0?\)|console\.log\([^()]*\)|print\([^()]*\))\s*;?\s*$/.test(
    words[2] ?? "",
  );
}
