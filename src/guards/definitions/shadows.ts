import { posix } from "node:path";
import { justfiles, makefiles } from "../../syntax/table.ts";
import { runnerOf, type Finding, type Subject } from "./subject.ts";

/** Names that a program looks for in this order; the first that is there wins. */
interface Family {
  readonly programs: RegExp;
  readonly names: readonly string[];
  /** What a later file must contain to have any effect. */
  readonly obeyedWith: RegExp;
}

const scripts = ["js", "mjs", "cjs", "ts", "mts", "cts"];

const families: readonly Family[] = [
  { programs: /^(?:g|gnu)?make$/, names: makefiles, obeyedWith: /^/ },
  { programs: /^just$/, names: justfiles, obeyedWith: /^/ },
  {
    programs: /^(?:pytest|py\.test|tox|nox)$/,
    names: ["pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg"],
    obeyedWith: /^\s*\[(?:tool\.pytest|tool:pytest|pytest)\b/m,
  },
  {
    programs: /^vitest$/,
    names: ["vitest", "vite"].flatMap((name) => scripts.map((end) => `${name}.config.${end}`)),
    obeyedWith: /\btest\b/,
  },
  { programs: /^deno$/, names: ["deno.json", "deno.jsonc"], obeyedWith: /^/ },
];

/** Finds a new file that takes the place of one that was obeyed. */
export async function shadowFindings(subject: Subject): Promise<Finding[]> {
  const { path, before, read } = subject;
  const family = before === null ? families.find(({ names }) => names.includes(posix.basename(path))) : undefined;
  const by = family === undefined ? undefined : runnerOf(subject, family.programs);
  if (family === undefined || by === undefined) return [];
  const later = family.names.slice(family.names.indexOf(posix.basename(path)) + 1);
  for (const name of later) {
    const shadowed = posix.join(posix.dirname(path), name);
    const text = await read(shadowed);
    if (text === null || !family.obeyedWith.test(text)) continue;
    return [
      {
        why: `was created, but \`${by}\` would use it instead of ${shadowed}, with which the check was approved. Delete it.`,
        lines: [],
      },
    ];
  }
  return [];
}
