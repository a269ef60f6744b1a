import { routes } from "./routes.ts";
import { describeAgent } from "./suite.ts";

describeAgent(routes.codex);
