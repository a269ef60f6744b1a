import { parse, TomlError } from "smol-toml";
import { syntaxLimits } from "./limits.ts";

/**
 * Settings by their path: `[tool.pytest.ini_options]` with `addopts = "-q"` is `tool.pytest.ini_options.addopts`. A list
 * is a list of texts, any other value a text; the tables of a list are numbered, as in `test[0].name`.
 */
export type Settings = ReadonlyMap<string, string | readonly string[]>;

/** Says why a text cannot be read, such as "line 3: invalid value". */
export interface Fault {
  readonly fault: string;
}

/** Reads TOML as the tools do that obey it. */
export function readToml(text: string): Settings | Fault {
  try {
    return flattened(parse(text.replace(/^\uFEFF/, ""), { integersAsBigInt: "asNeeded" }));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [what = ""] = error.message.replace("Invalid TOML document: ", "").split("\n");
    return { fault: `line ${error.line}: ${what}` };
  }
}

/** Like `readToml`, for callers that only look for hints: empty where the text cannot be read. */
export function tomlSettings(text: string): Settings {
  const read = readToml(text);
  return "fault" in read ? new Map() : read;
}

function flattened(table: unknown): Settings | Fault {
  const found = new Map<string, string | readonly string[]>();
  const queue: { readonly at: string; readonly depth: number; readonly value: unknown }[] = [
    { at: "", depth: 0, value: table },
  ];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const { at, value } = next;
    const depth = next.depth + 1;
    if (depth > syntaxLimits.settingsDepthMax)
      return { fault: `tables are nested deeper than ${syntaxLimits.settingsDepthMax} levels` };
    if (Array.isArray(value)) {
      if (value.length > 0 && value.every(isTable))
        value.forEach((item, index) => queue.push({ at: `${at}[${index}]`, depth, value: item }));
      else found.set(at, value.map(textOf));
    } else if (isTable(value))
      for (const [key, inner] of Object.entries(value))
        queue.push({ at: at === "" ? named(key) : `${at}.${named(key)}`, depth, value: inner });
    else found.set(at, String(value));
  }
  return found;
}

/** A key with a dot in it keeps its quotes: without them it could pass for a setting of another table, and hide it. */
function named(key: string): string {
  return /[.[\]"]/.test(key) ? JSON.stringify(key) : key;
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function textOf(item: unknown): string {
  if (typeof item !== "object" || item === null || item instanceof Date) return String(item);
  return JSON.stringify(item, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value));
}

/**
 * Reads an INI text as Python's tools do: an indented line continues the value above it, even where it looks like a
 * setting of its own, and only a whole line can be a comment. Names count in any case, because configparser ignores it.
 */
export function readIni(text: string): Settings | Fault {
  const found = new Map<string, string>();
  const sections = new Set<string>();
  let section: string | undefined;
  let open: { readonly key: string; readonly indent: number } | undefined;
  for (const [at, line] of text
    .replace(/^\uFEFF/, "")
    .split(/\r\n|\r|\n/)
    .entries()) {
    if (/^\s*(?:[#;]|$)/.test(line)) continue;
    const indent = line.search(/\S/);
    const head = /^\s*\[([^\]]+)\]/.exec(line)?.[1];
    if (open !== undefined && indent > open.indent)
      found.set(open.key, `${found.get(open.key) ?? ""}\n${line.trim()}`.trimStart());
    else if (head !== undefined) {
      if (sections.has(head)) return { fault: `line ${at + 1}: a second section [${head}]` };
      sections.add(head);
      section = head;
      open = undefined;
    } else {
      const pair = /^\s*([^=:]*?)\s*[=:](.*)$/.exec(line);
      if (section === undefined) return { fault: `line ${at + 1}: a setting before the first [section]` };
      if (pair === null || pair[1] === "") return { fault: `line ${at + 1}: neither a section nor \`name = value\`` };
      open = { key: `${section}.${(pair[1] ?? "").toLowerCase()}`, indent };
      if (found.has(open.key)) return { fault: `line ${at + 1}: ${open.key} is set twice` };
      found.set(open.key, (pair[2] ?? "").trim());
    }
  }
  return found;
}
