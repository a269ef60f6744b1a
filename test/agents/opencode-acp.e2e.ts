import { routes } from "./routes.ts";
import { describeAgent } from "./suite.ts";

describeAgent(routes["opencode over ACP"]);
