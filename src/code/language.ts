import { posix } from "node:path";

/** A programming language whose grammar is at hand. */
export type Language = "javascript" | "typescript" | "tsx" | "python" | "go" | "rust" | "java" | "ruby";

/** By its name alone: what a file says of itself is an agent's to write. */
export function languageOf(path: string): Language | undefined {
  return byExtension[posix.extname(path).toLowerCase()];
}

const byExtension: Readonly<Record<string, Language>> = {
  ".js": "javascript",
  ".cjs": "javascript",
  ".mjs": "javascript",
  ".jsx": "javascript",
  ".ts": "typescript",
  ".cts": "typescript",
  ".mts": "typescript",
  ".tsx": "tsx",
  ".py": "python",
  ".go": "go",
  ".rs": "rust",
  ".java": "java",
  ".rb": "ruby",
};
