import { longSuite } from "../long-suite.ts";

/** The longer scenarios: tasks side by side, people in the loop, what is shared and what is kept. */
export default longSuite("test/scenarios/*.test.ts");
