import type { TestReaders } from "../model.ts";
import { readGo } from "./go.ts";
import { readJava } from "./java.ts";
import { readJavaScript } from "./javascript.ts";
import { readPython } from "./python.ts";
import { readRuby } from "./ruby.ts";
import { readRust } from "./rust.ts";

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
