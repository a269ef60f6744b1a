import { posix } from "node:path";

/** A programming language that the guards read. */
export type Language = "javascript" | "typescript" | "tsx" | "python" | "go" | "rust" | "java" | "ruby";

/** A language that has a grammar; those that only the codebase map reads are unknown to the guards. */
export type MappedLanguage = Language | "cpp" | "php" | "c-sharp";

/** Decides by the name alone, because an agent writes the content. */
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

/** Like `languageOf`, with the languages that only the codebase map reads; C is read as C++, which it nearly is. */
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
