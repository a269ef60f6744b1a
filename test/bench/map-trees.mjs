import { mkdirSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { sh } from "./measure.mjs";

const linesInAll = 1_000_000;
const filesPerFolder = 40;
const functionsPerFile = 14;

/** A repository of a million lines in the languages of the map: files that import one another and call what they import. */
export function millionLines(repo) {
  mkdirSync(repo, { recursive: true });
  sh("git", ["init", "-q"], { cwd: repo });
  const stream = ["commit refs/heads/main\ncommitter b <b@b> 0 +0000\ndata 4\nBase\n"];
  let lines = 0;
  for (let at = 0; lines < linesInAll; at += 1) {
    const { path, text } = fileAt(at);
    lines += text.split("\n").length;
    stream.push(`M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`);
  }
  const done = spawnSync("git", ["fast-import", "--quiet"], { cwd: repo, input: stream.join("") });
  if (done.status !== 0) throw new Error(String(done.stderr));
  sh("git", ["symbolic-ref", "HEAD", "refs/heads/main"], { cwd: repo });
  return repo;
}

/** Commits all that lies in a folder, as it is. */
export function historyOf(repo) {
  sh("git", ["init", "-q"], { cwd: repo });
  sh("git", ["add", "-f", "."], { cwd: repo });
  sh("git", ["-c", "user.name=b", "-c", "user.email=b@b", "commit", "-q", "--no-verify", "-m", "Base"], { cwd: repo });
  return repo;
}

const languages = {
  ts: {
    use: (other, name) => `import { ${name} } from "./${other}.ts";`,
    make: (name, calls) => [
      `export function ${name}(count: number, label: string): number {`,
      `  const total = count * 2;`,
      ...calls.map((call) => `  if (total > 3) return ${call}(total, label);`),
      `  // Nothing more to do for this one.`,
      `  return total;`,
      `}`,
    ],
  },
  js: {
    use: (other, name) => `const { ${name} } = require("./${other}");`,
    make: (name, calls) => [
      `function ${name}(count, label) {`,
      `  let total = count * 2;`,
      ...calls.map((call) => `  total += ${call}(total, label);`),
      `  return { total, label };`,
      `}`,
      `exports.${name} = ${name};`,
    ],
  },
  py: {
    use: (other, name) => `from .${other} import ${name}`,
    make: (name, calls) => [
      `def ${name}(count: int, label: str) -> int:`,
      `    """Counts what is there."""`,
      `    total = count * 2`,
      ...calls.map((call) => `    total += ${call}(total, label)`),
      `    return total`,
    ],
  },
  go: {
    use: (other) => `// uses ${other}`,
    make: (name, calls) => [
      `func ${name}(count int, label string) int {`,
      `\ttotal := count * 2`,
      ...calls.map((call) => `\ttotal += ${call}(total, label)`),
      `\treturn total`,
      `}`,
    ],
    top: "package work",
  },
  rs: {
    use: (other, name) => `use crate::${other}::${name};`,
    make: (name, calls) => [
      `pub fn ${name}(count: u32, label: &str) -> u32 {`,
      `    let mut total = count * 2;`,
      ...calls.map((call) => `    total += ${call}(total, label);`),
      `    total`,
      `}`,
    ],
  },
  java: {
    use: (other) => `import work.${other};`,
    make: (name, calls) => [
      `  static int ${name}(int count, String label) {`,
      `    int total = count * 2;`,
      ...calls.map((call) => `    total += ${call}(total, label);`),
      `    return total;`,
      `  }`,
    ],
    around: (stem) => [`class ${stem} {`, `}`],
  },
  c: {
    use: (other) => `#include "${other}.h"`,
    make: (name, calls) => [
      `static int ${name}(int count, const char *label)`,
      `{`,
      `  int total = count * 2;`,
      ...calls.map((call) => `  total += ${call}(total, label);`),
      `  return total;`,
      `}`,
    ],
  },
  rb: {
    use: (other) => `require_relative "${other}"`,
    make: (name, calls) => [
      `  def ${name}(count, label)`,
      `    total = count * 2`,
      ...calls.map((call) => `    total += ${call}(total, label)`),
      `    total`,
      `  end`,
    ],
    around: (stem) => [`module M${stem}`, `end`],
  },
  cs: {
    use: (other) => `using Work.${other};`,
    make: (name, calls) => [
      `    static int ${name}(int count, string label) {`,
      `        int total = count * 2;`,
      ...calls.map((call) => `        total += ${call}(total, label);`),
      `        return total;`,
      `    }`,
    ],
    around: (stem) => [`class ${stem} {`, `}`],
  },
};

const kinds = Object.entries(languages);

/** File `at` of its language calls what five earlier ones define, the first ones most of all. */
function fileAt(at) {
  const [extension, { use, make, top, around }] = kinds[at % kinds.length];
  const number = Math.floor(at / kinds.length);
  const stem = `part${number}`;
  const earlier = [1, 2, 3, 5, 8].map((step) => Math.floor(number / (step + 1))).filter((other) => other < number);
  const called = [...new Set(earlier)].map((other, place) => ({ other: `part${other}`, name: nameOf(other, place) }));
  const body = Array.from({ length: functionsPerFile }, (_, place) => [
    ...make(
      nameOf(number, place),
      called.slice(place % 3, (place % 3) + 2).map(({ name }) => name),
    ),
    "",
  ]);
  const [open, close] = around?.(stem) ?? ["", ""];
  const lines = [top ?? "", ...called.map(({ other, name }) => use(other, name)), open, ...body.flat(), close, ""];
  return {
    path: `${extension}/area${Math.floor(number / filesPerFolder)}/${stem}.${extension}`,
    text: lines.join("\n"),
  };
}

function nameOf(number, place) {
  return `count${["Orders", "Users", "Parts", "Lines", "Marks"][place % 5]}${number}x${place}`;
}
