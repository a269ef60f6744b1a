import { posix } from "node:path";
import type { Node } from "../../../../syntax/parse.ts";
import type { TestFile } from "../../model.ts";

/** Finds the constraint that keeps a file out of a plain `go test`; those that only name platforms, or a tag to be absent, do not. */
export function buildTagOf(file: Node): string | null {
  for (const child of file.namedChildren) {
    if (child === null || child.type !== "comment") return null;
    const tags = /^\/\/(?:go:build|\s*\+build)\s+(.*)$/.exec(child.text.trim())?.[1];
    if (tags !== undefined && !onlyPlatforms.test(tags)) return `//go:build ${tags}`;
  }
  return null;
}

const platform = String.raw`!?\(*(?:linux|darwin|windows|unix|freebsd|netbsd|openbsd|amd64|arm64|386|arm|cgo|race|go1\.\d+|!?js|wasm)\)*|!\w+`;
const onlyPlatforms = new RegExp(String.raw`^(?:${platform})(?:\s*(?:&&|\|\||,|\s)\s*(?:${platform}))*$`);

/** Go builds a file or not by its name: `_x_test.go` never, `x_windows_test.go` on one system. What is not built here is skipped. */
export function skippedByName(path: string, file: TestFile): TestFile {
  const name = posix.basename(path);
  const isBuilt = !/^[._]/.test(name) && !otherSystem.test(name);
  if (!path.endsWith("_test.go") || isBuilt) return file;
  const how = `built only if its name ${name} allows it`;
  return { ...file, tests: file.tests.map((test) => ({ ...test, skipped: test.skipped ?? how })) };
}

/** Systems and processors on which Stint does not run. */
const otherSystem =
  /_(?:aix|android|dragonfly|freebsd|hurd|illumos|ios|js|nacl|netbsd|openbsd|plan9|solaris|wasip1|windows|zos|386|arm|armbe|arm64be|loong64|mips\w*|ppc\w*|riscv\w*|s390x?|sparc\w*|wasm)_test\.go$/;
