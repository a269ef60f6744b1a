import type { TestReaders } from "../model.ts";
import { go } from "./go/reader.ts";
import { java } from "./java/reader.ts";
import { javascript } from "./javascript/reader.ts";
import { python } from "./python/reader.ts";
import { ruby } from "./ruby/reader.ts";
import { rust } from "./rust/reader.ts";

/** The reader of each language. */
export const readers: TestReaders = {
  javascript,
  typescript: javascript,
  tsx: javascript,
  python,
  go,
  rust,
  java,
  ruby,
};
