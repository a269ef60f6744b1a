import { expect, test } from "vitest";
import { paintFor, plain } from "../../../../src/cli/paint.ts";
import { lookOf } from "../../../../src/cli/text-layout.ts";
import { renderPage } from "../../../../src/cli/approval-page/render.ts";
import { pageFor } from "../../../rig/page.ts";
import { everything, idOf, manyTasks, planDocument } from "../../../rig/page-plans.ts";
import { makes, plan } from "../../../rig/plan.ts";

const look = { width: 80, paint: plain, isUnicode: true };

const shipped = [
  { path: ".claude/settings.json", honouredBy: ["claude"], file: { bytes: Buffer.from('{ "hooks": {} }\n') } },
  { path: ".mcp.json", honouredBy: [] },
];
const page = pageFor({ files: everything, shipped });

test("the page shows all that an approval allows, what it may take, and the whole in a box at the end", () => {
  expect(`\n${renderPage(page, look).join("\n")}\n`).toBe(`
Plan work: Express JWT authentication
Goal: Add authentication to my Express app, so that strangers stay out of the 
  ↳ private routes

Waves: 3 tasks in 2 waves; ◆ is the critical path, 30m
  wave 1  ┌─ ◆ 01-deps      15m
          └─ ○ 03-docs       5m
          ▼
  wave 2  ── ◆ 02-model     15m  ← 01-deps

Decisions:
  lifetime: How long does a token live?
    answer: 15m (assumed by the planner, not asked)
    options: 15m, 24h
    recommended: 15m
  store: Where do users live?
    answer: sqlite (answered by a person)
    options: sqlite, memory

Prerequisites (by approving you confirm that they are met):
  The app starts
  Node 20 or newer
    runs: node --version | grep -q v2

Agents:
  executor: mine, model small, effort low (.stint/config.yaml:10)
  judge: claude, its own default model (.stint/config.yaml:14)
  escalation: mine, model small, effort low (as roles.executor)
  mine runs: ./my-agent.sh --fast  (gets MY_KEY)

MCP servers for agents:
  issues runs: npx -y issue-server  (gets TOKEN=$ISSUE_TOKEN)
  search at: https://search.example/mcp  (sends Authorization: Bearer $KEY)

Settings for agents in the repository:
  .claude/settings.json: honoured by claude
    | { "hooks": {} }
  .mcp.json: not honoured
  (mine may or may not read them)

Prompts that replace the built-in ones:
  executor: .stint/prompts/executor.md
    | Be brief.
    | Keep to {{files}}

Hooks, notified of events in a run:
  on run-finished (.stint/config.yaml:42) runs as you, outside the sandbox: 
    ↳ notify-send Stint
  on parked (.stint/config.yaml:42) sent to: https://hooks.example/T0/B0

Set-up, run in every fresh checkout (for agents and for checks):
  runs: npm ci

Commits land on branch: stint/work
Pushed to remote backup: when the run is finished
Also protected: legacy/**
Also forbidden: secrets/**
Variables passed to checks: DATABASE_URL
Sandbox: none. Set-up, agents and checks can use your files and network,
  because run.sandbox says so.
Scope requests: granted. Agents get files outside their task without asking,
  except those that guard the checks.
Agents and checks may read: ~/.m2
Agents and checks may change: /data

Task 01-deps: Add dependencies
  wave 1, critical path; 15m
  may create: src/deps.ts
  runs: grep -q ready src/deps.ts

Task 02-model: Create the user model
  wave 2, critical path; 15m; after 01-deps; by escalation (complex task)
  may create: src/user.ts
  runs: test -f src/user.ts
    | grep -q export src/user.ts  (in src, PORT=0, with network)
  exists: src/user.ts
  absent: src/old.ts
  src/user.ts contains: class User
  judge: Is it easy to read?

Task 03-docs: Write it down
  wave 1; 5m
  may create or modify: docs/**
  runs: grep -q ready docs/auth.md

Also after every task:
  runs: npm run lint
On the final tip:
  runs: npm run build

Warnings:
  plans/work/tasks/03-docs.md:6:1: The estimate of 5m is outside 15m to 60m. 
    ↳ Merge the task with a neighbour.

Estimate:
  sessions: 4 if every first attempt passes, 12 if every task uses all of its
    attempts
    executor: 2 to 4
    escalation: 1 to 5
    judge: 1 to 3
  time: about 30m with 2 in parallel (critical path 30m, total work 35m);
    checks, judges and retries come on top
  cost: unknown: no history in this repository yet
  cap: 20.00 USD, 2.00 USD per task

┌─ work ────────────────────────────────────────────────────────────────────────
│ work:     3 tasks in 2 waves, 11 commands
│ time:     about 30m with 2 in parallel (critical path 30m, total work 35m)
│ sessions: 4 to 12
│ cost:     unknown: no history in this repository yet
│ cap:      20.00 USD, 2.00 USD per task
│ branch:   stint/work
│ note:     no sandbox: agents and checks have your files and network
│ note:     scope requests are granted without asking you
│ note:     a hook runs outside the sandbox, as you: notify-send Stint
│ note:     a webhook notifies https://hooks.example/T0/B0
│ note:     pushed to backup when the run is finished
│ note:     agents honour .claude/settings.json
│ note:     the repository has its own prompts: executor
│ note:     1 check with network access
│ note:     agents and checks may change /data
│ note:     1 decision assumed by the planner
│ note:     1 lint warning, see above
└───────────────────────────────────────────────────────────────────────────────
`);
});

test("where the locale is not UTF-8, the page is drawn with ASCII", () => {
  const { isUnicode } = lookOf({ env: { LC_ALL: "C", LANG: "de_DE.UTF-8" }, paint: plain });
  const text = renderPage(page, { ...look, isUnicode }).join("\n");
  // eslint-disable-next-line no-control-regex -- all of ASCII is meant.
  expect(text).toMatch(/^[\x00-\x7f]*$/);
  expect(text).toContain(`
  wave 1  ,- * 01-deps      15m
          \`- o 03-docs       5m
          v
  wave 2  -- * 02-model     15m  <- 01-deps
`);
  expect(lookOf({ env: { LANG: "de_DE.utf8" }, paint: plain })).toEqual({ width: 80, paint: plain, isUnicode: true });
});

test("colours change no character, and there are none where nobody sees them or somebody asked for none", () => {
  const terminal = { isTTY: true };
  const painted = renderPage(page, { ...look, paint: paintFor(terminal, { env: {}, argv: [] }) }).join("\n");
  const bare = renderPage(page, look).join("\n");
  expect(painted).toContain("\u001b[36mTask 01-deps: \u001b[39mAdd dependencies");
  // eslint-disable-next-line no-control-regex -- the codes of colours are meant.
  expect(painted.replaceAll(/\u001b\[\d+m/g, "")).toBe(bare);
  const asked = paintFor(terminal, { env: { NO_COLOR: "1" }, argv: [] });
  expect(renderPage(page, { ...look, paint: asked }).join("\n")).toBe(bare);
});

function graphOf(files: Record<string, string>, lines = renderPage(pageFor({ files }), look)): string[] {
  const from = lines.findIndex((line) => line.startsWith("Waves:"));
  return lines.slice(from, lines.indexOf("", from));
}

test("a plan of one task is a graph of one line", () => {
  expect(graphOf(manyTasks(1, () => []))).toEqual([
    "Waves: 1 task in 1 wave; ◆ is the critical path, 15m",
    "  wave 1  ── ◆ t000     15m",
  ]);
});

test("a hundred tasks are folded to a bar for each wave, and still every command is shown", () => {
  const files = manyTasks(100, (at) => (at < 60 ? [] : [idOf(at - 40)]));
  const lines = renderPage(pageFor({ files }), look);
  expect(graphOf(files, lines)).toEqual([
    "Waves: 100 tasks in 2 waves; ◆ is the critical path, 30m",
    "  wave 1  ████████████████████  60 tasks, 15h  ◆ t020",
    "  wave 2  █████████████         40 tasks, 10h  ◆ t060",
  ]);
  expect(lines.filter((line) => line.startsWith("  runs: grep -q ready"))).toHaveLength(100);
});

test("a long chain is folded to thirty lines", () => {
  const graph = graphOf(manyTasks(118, (at) => (at === 0 ? [] : [idOf(at - 1)])));
  expect(graph).toHaveLength(31);
  expect(graph[1]).toBe("  waves 1-4      ████████████████████  4 tasks, 1h  ◆ t000 … t003 (4)");
  expect(graph.at(-1)).toBe("  waves 117-118  ██████████            2 tasks, 30m  ◆ t116 … t117 (2)");
});

test("a task that waits for many names some in the graph, and all with its own lines", () => {
  const files = manyTasks(8, (at) => (at < 7 ? [] : [0, 1, 2, 3, 4, 5, 6].map(idOf)));
  expect(graphOf(files).at(-1)).toBe("  wave 2  ── ◆ t007     15m  ← t000, t001, t002, t003 and 3 more");
  const lines = renderPage(pageFor({ files }), { ...look, width: 120 });
  expect(lines).toContain("  wave 2, critical path; 15m; after t000, t001, t002, t003, t004, t005, t006");
});

test("what changed since the last approval comes first", () => {
  const previous = { plan: "work", hash: "old", at: "2026-11-16T10:00:00.000Z", by: "me", commit: "c", programs: {} };
  const changed = pageFor({ files: everything, previous, difference: ["-a", "+b"] });
  expect(renderPage(changed, look).slice(0, 5)).toEqual([
    "Changed since the approval of 2026-11-16T10:00:00.000Z:",
    "-a",
    "+b",
    "",
    "Plan work: Express JWT authentication",
  ]);
  expect(changed.approved).toEqual({ hash: "old", at: previous.at, by: "me", current: false });
});

test("the money, the pace and a cap that cannot hold are told with what they are known from", () => {
  const spent = { inputTokens: 10, outputTokens: 1, usd: 0.5, unpricedTokens: 0 };
  const history = {
    runs: 1,
    sessions: [
      { role: "executor", model: "small", spent },
      { role: "executor", model: "small", spent: { ...spent, usd: 1.5 } },
    ],
    tasks: [{ estimateMs: 1_000_000, tookMs: 400_000 }],
  } as const;
  const text = renderPage(pageFor({ files: everything, history, unheldCap: "It cannot hold." }), look).join("\n");
  expect(text).toContain(`
  pace: about 12m: 1 earlier task here took 0.4x the estimate
  cost: 3.00 to 9.00 USD, plus the unknown cost of judge
    executor: 1.00 USD per session (0.50 to 1.50), from 2 sessions
    escalation: 1.00 USD per session (0.50 to 1.50), from 2 sessions
  cap: 20.00 USD, 2.00 USD per task. It cannot hold.
`);
});

test("a plan without anything unusual has a short box", () => {
  const config = "roles: { executor: { agent: claude } }\n";
  const files = { ...plan({ tasks: { "01-a": makes("a.txt") } }), ".stint/config.yaml": config };
  expect(renderPage(pageFor({ files }), look).slice(-8)).toEqual([
    `┌─ work ${"─".repeat(72)}`,
    "│ work:     1 task in 1 wave, 2 commands",
    "│ time:     about 15m with 4 in parallel (critical path 15m, total work 15m)",
    "│ sessions: 1 to 3",
    "│ cost:     unknown: no history in this repository yet",
    "│ cap:      none: set `budget.usd` to limit what a run may spend",
    "│ branch:   stint/work",
    `└${"─".repeat(79)}`,
  ]);
});

test("an open decision is shown as one, with its line", () => {
  const decisions = [{ id: "colour", question: "Which colour?", options: ["red", "blue"], recommend: "red" }];
  const open = planDocument({ title: "T", decisions, tasks: ["01-a"] });
  const files = { ...plan({ tasks: { "01-a": makes("a.txt") } }), "plans/work/plan.md": open };
  const lines = renderPage(pageFor({ files }), look);
  const at = lines.indexOf("Decisions:");
  expect(lines.slice(at, at + 5)).toEqual([
    "Decisions:",
    "  colour: Which colour?",
    "    open: write an answer at plans/work/plan.md:5",
    "    options: red, blue",
    "    recommended: red",
  ]);
});

test("Settings that let a planner change the plan are told with how often; those that ask are not.", () => {
  const told = (run: string) =>
    pageFor({ files: { ...plan({ tasks: { "01-a": makes("a.txt") } }), ".stint/config.yaml": `run: ${run}\n` } });
  const auto = told("{ replan: auto, replan_max: 3 }");
  const word = "the planner may change the plan without asking you, up to 3 times";
  expect(auto).toMatchObject({ replan: { mode: "auto", max: 3 }, unusual: expect.arrayContaining([word]) });
  expect(told("{ replan: ask }").unusual.join()).not.toContain("change the plan");
});
