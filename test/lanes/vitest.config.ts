import { longSuite } from "../long-suite.ts";

/** Tasks side by side: lanes, the train, conflicts. */
export default longSuite("test/lanes/*.test.ts");
