import { posix } from "node:path";
import { planningLimits } from "../limits.ts";
import { oneLine, type MapLine } from "./facts.ts";

/** Outlines a file that is not code: headings, sections and top-level keys, or its first line. */
export function outlineOf(path: string, text: string): MapLine[] {
  const reader = readers[posix.extname(path).toLowerCase()] ?? firstLine;
  return reader(text.split(/\r?\n/))
    .slice(0, planningLimits.mapOutlineLinesMax)
    .map(({ line, said }) => ({ name: "", isOpen: false, line, depth: 0, signature: oneLine(said) }))
    .filter(({ signature }) => signature !== "");
}

interface Said {
  readonly line: number;
  readonly said: string;
}

type Reader = (lines: readonly string[]) => Said[];

const readers: Readonly<Record<string, Reader>> = {
  ".md": headings,
  ".markdown": headings,
  ".rst": headings,
  ".json": topKeys,
  ".yaml": (lines) => matching(lines, /^([\w.$-]{1,80}):(?:\s|$)/),
  ".yml": (lines) => matching(lines, /^([\w.$-]{1,80}):(?:\s|$)/),
  ".toml": (lines) => matching(lines, /^(\[.{1,80}\])/),
  ".ini": (lines) => matching(lines, /^(\[.{1,80}\])/),
  ".sh": (lines) => matching(lines, /^(?:function\s+)?([\w-]{1,80})\s*\(\)/),
  ".sql": (lines) => matching(lines, /^\s*(create\s+[^(]{1,100})/i),
  ".proto": (lines) => matching(lines, /^\s*((?:message|service|enum|rpc)\s+\w{1,80})/),
};

/** Finds headings outside fences; the three upper levels are enough. */
function headings(lines: readonly string[]): Said[] {
  let isCode = false;
  return lines.flatMap((text, at) => {
    if (/^\s*(?:```|~~~)/.test(text)) isCode = !isCode;
    return !isCode && /^#{1,3}\s+\S/.test(text) ? { line: at + 1, said: text } : [];
  });
}

/** Finds the keys with the indentation of the first one. */
function topKeys(lines: readonly string[]): Said[] {
  const keys = lines.flatMap((text, at) => {
    const [, indent, said] = /^(\s{1,8})"([^"]{1,80})":/.exec(text.slice(0, lineCharsMax)) ?? [];
    return indent === undefined || said === undefined ? [] : { line: at + 1, said, indent };
  });
  return keys.filter(({ indent }) => indent === keys[0]?.indent);
}

function matching(lines: readonly string[], pattern: RegExp): Said[] {
  return lines.flatMap((text, at) => {
    const said = pattern.exec(text.slice(0, lineCharsMax))?.[1];
    return said === undefined ? [] : { line: at + 1, said };
  });
}

/** Longer lines are not written by the programs that make such files. */
const lineCharsMax = 200;

function firstLine(lines: readonly string[]): Said[] {
  const at = lines.findIndex((text) => /[\p{L}\p{N}]/u.test(text) && !text.startsWith("#!"));
  return at === -1 ? [] : [{ line: at + 1, said: (lines[at] ?? "").slice(0, lineCharsMax) }];
}
