import type { TestReaders } from "../model.ts";

/** Who reads the tests of which language. */
export const readers: TestReaders = {};
