import { longSuite } from "../long-suite.ts";

/** What an agent, a repository or a check might try, each with a control that shows the attempt would have worked. */
export default longSuite("test/attacks/*.test.ts");
