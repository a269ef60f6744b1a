import { longSuite } from "../long-suite.ts";

/** One-line patches of shipped code: the simulator must notice each of them. */
export default longSuite("test/sim/*.test.ts");
