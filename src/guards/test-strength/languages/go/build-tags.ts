import type { Node } from "../../../../syntax/parse.ts";

/** The constraint that keeps a file out of a plain `go test`; those that only name platforms, or a tag to be absent, do not. */
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
