import nodes from "./nodes.json" with { type: "json" };
import { routes } from "./routes.ts";
import { describeUnderNode } from "./suite.ts";

const { claude, codex, gemini, "opencode over ACP": opencode } = routes;
for (const { version } of nodes) describeUnderNode(version, [claude, codex, gemini, opencode]);
