import { longSuite } from "../long-suite.ts";

/** Death at the worst moment: of the driver, of the machine, of a write. */
export default longSuite("test/crash/*.test.ts");
