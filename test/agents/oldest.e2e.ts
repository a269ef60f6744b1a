import { routes } from "./routes.ts";
import { describeOldest } from "./suite.ts";

describeOldest(routes.claude);
describeOldest(routes.codex);
// Its own route stands for ACP, too. This release asks for another model than the one that the user names.
describeOldest({ ...routes.gemini, model: "gemini-3.5-flash" });
describeOldest(routes["opencode over ACP"]);
