import type { TestReaders } from "../model.ts";
import { readGo } from "./go/reader.ts";
import { readJava } from "./java/reader.ts";
import { readJavaScript } from "./javascript/reader.ts";
import { readPython } from "./python/reader.ts";
import { readRuby } from "./ruby/reader.ts";
import { readRust } from "./rust/reader.ts";

/** Who reads the tests of which language. */
export const readers: TestReaders = {
  javascript: readJavaScript,
  typescript: readJavaScript,
  tsx: readJavaScript,
  python: readPython,
  go: readGo,
  rust: readRust,
  java: readJava,
  ruby: readRuby,
};
