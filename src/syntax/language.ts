import { posix } from "node:path";

/** A programming language that the guards read. */
export type Language = "javascript" | "typescript" | "tsx" | "python" | "go" | "rust" | "java" | "ruby";

/** A language whose grammar is at hand; of those that only the codebase map reads, no guard says anything. */
export type MappedLanguage = Language | "cpp" | "php" | "c-sharp";

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

/** As `languageOf`, and the languages that only the codebase map reads; C is read as C++, which it nearly is. */
export function mappedLanguageOf(path: string): MappedLanguage | undefined {
  return languageOf(path) ?? onlyMapped[posix.extname(path).toLowerCase()];
}

const onlyMapped: Readonly<Record<string, MappedLanguage>> = {
  ".pyi": "python",
  ".rake": "ruby",
  ".c": "cpp",
  ".cc": "cpp",
  ".cpp": "cpp",
  ".cxx": "cpp",
  ".h": "cpp",
  ".hh": "cpp",
  ".hpp": "cpp",
  ".hxx": "cpp",
  ".php": "php",
  ".cs": "c-sharp",
};
