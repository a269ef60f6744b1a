import type { TestReaders } from "../model.ts";
import { readJavaScript } from "./javascript.ts";

/** Who reads the tests of which language. */
export const readers: TestReaders = {
  javascript: readJavaScript,
  typescript: readJavaScript,
  tsx: readJavaScript,
};
