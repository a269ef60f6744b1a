import { stringify } from "yaml";
import { document, makes, plan, type TaskSpec } from "./plan.ts";

const tasks = plan({
  tasks: {
    "01-deps": makes("src/deps.ts", { title: "Add dependencies" }),
    "02-model": makes("src/user.ts", {
      title: "Create the user model",
      depends: ["01-deps"],
      complexity: "high",
      checks: [
        { run: "test -f src/user.ts\ngrep -q export src/user.ts", cwd: "src", env: { PORT: "0" }, network: true },
        { exists: "src/user.ts" },
        { absent: "src/old.ts" },
        { contains: { file: "src/user.ts", text: "class User" } },
        { judge: "Is it easy to read?" },
      ],
    }),
    "03-docs": makes("docs/auth.md", { title: "Write it down", files: ["docs/**"] }),
  },
  checks: ["npm run build"],
});

const docs = "plans/work/tasks/03-docs.md";

/** Documents of a plan that uses all that an approval shows, a warning of lint included. */
export const everything: Readonly<Record<string, string>> = {
  ...tasks,
  [docs]: tasks[docs]!.replace("estimate: 15m", "estimate: 5m"),
  "plans/work/plan.md": planDocument({
    title: "Express JWT authentication",
    goal: "Add authentication to my Express app, so that strangers stay out of the private routes",
    checks: ["npm run build"],
    prerequisites: ["The app starts", { text: "Node 20 or newer", check: "node --version | grep -q v2" }],
    decisions: [
      {
        id: "lifetime",
        question: "How long does a token live?",
        options: ["15m", "24h"],
        recommend: "15m",
        answer: "15m",
        assumed: true,
      },
      { id: "store", question: "Where do users live?", options: ["sqlite", "memory"], answer: "sqlite" },
    ],
    tasks: ["01-deps", "02-model", "03-docs"],
  }),
  ".stint/rules.md": document(
    { protect: ["legacy/**"], forbid: ["secrets/**"], checks: ["npm run lint"], push: "run", remote: "backup" },
    "Work carefully.",
  ),
  ".stint/config.yaml": stringify({
    agents: { mine: { driver: "command", command: ["./my-agent.sh", "--fast"], env: ["MY_KEY"] } },
    roles: { executor: { agent: "mine", model: "small", effort: "low" }, judge: { agent: "claude" } },
    run: { parallel: 2, sandbox: "none", scope_requests: "grant" },
    budget: { usd: 20, task_usd: 2 },
    workspace: { setup: "npm ci", env: ["DATABASE_URL"], mounts: ["~/.m2", "/data:rw"] },
    mcp: {
      issues: { command: ["npx", "-y", "issue-server"], env: { TOKEN: "$ISSUE_TOKEN" } },
      search: { url: "https://search.example/mcp", headers: { Authorization: "Bearer $KEY" } },
    },
    hooks: [
      { on: ["run-finished"], command: ["notify-send", "Stint"] },
      { on: ["parked"], webhook: "https://hooks.example/T0/B0" },
    ],
  }),
  ".stint/prompts/executor.md": "Be brief.\nKeep to {{files}}\n",
};

/** A plan of so many tasks: `depends` says which each one waits for. */
export function manyTasks(count: number, depends: (at: number) => readonly string[]): Record<string, string> {
  const tasks = Array.from({ length: count }, (_, at): [string, TaskSpec] => [
    idOf(at),
    makes(`src/${idOf(at)}.txt`, { depends: depends(at) }),
  ]);
  return plan({ tasks: Object.fromEntries(tasks) });
}

export function idOf(at: number): string {
  return `t${String(at).padStart(3, "0")}`;
}

/** plan.md with any front matter. */
export function planDocument({
  tasks,
  ...front
}: { readonly tasks: readonly string[] } & Record<string, unknown>): string {
  const lines = tasks.map((id) => `- [ ] [${id}](tasks/${id}.md) ${id}`);
  return document({ stint: 1, ...front }, `## Overview\n\nA plan.\n\n## Tasks\n\n${lines.join("\n")}`);
}
