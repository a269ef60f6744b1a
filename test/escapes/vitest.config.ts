import { longSuite } from "../long-suite.ts";

/** Hundreds of ways out of a session; `npm test` has a sample in test/supervise-leftovers.test.ts. */
export default longSuite("test/escapes/*.escape.ts");
