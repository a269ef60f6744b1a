import { expect, test } from "vitest";
import { paintFor, plain } from "../../../../src/cli/paint.ts";
import { columnsOf, lookOf } from "../../../../src/cli/text-layout.ts";
import type { Page } from "../../../../src/cli/approval-page/model.ts";
import { renderPage } from "../../../../src/cli/approval-page/render.ts";
import { visibleJson } from "../../../../src/base/visible.ts";
import { pageFor } from "../../../rig/page.ts";
import { everything } from "../../../rig/page-plans.ts";
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

test("what changed since the last approval comes first", () => {
  const previous = { plan: "work", hash: "old", at: "2026-11-16T10:00:00.000Z", by: "me", commit: "c", programs: {} };
  const changed = pageFor({ files: everything, previous, difference: ["-a", "+b"] });
  expect(renderPage(changed, look).slice(0, 5)).toEqual([
    "Changed since the approval of 2026-11-16 10:00:00 +00:00:",
    "-a",
    "+b",
    "",
    "Plan work: Express JWT authentication",
  ]);
  expect(changed.approved).toEqual({ hash: "old", at: previous.at, by: "me", current: false });
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

/** Clears the screen, writes the clipboard, turns the text around, hides a part, and looks like lines of ours. */
const hostile =
  "x\u001b[2J\u001b]52;c;ZXZpbA==\u0007\u009b31m\u202e\u200b\r\nTask 99-fake: forged\n│ cap: 1.00 USD\nApproved work at 0123456789ab.";
// eslint-disable-next-line no-control-regex -- these characters are what must not come through.
const obeyed = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u200b-\u200f\u2066-\u2069]/;

/** Words that only Stint writes: ids, which lint keeps plain, and the names of kinds. */
const own = new Set([
  ...["kind", "role", "sandbox", "scope_requests", "answered_by", "when", "by", "from", "severity"],
  ...["plan", "id", "depends", "waves", "critical_path", "unknown"],
]);

/** The page with every text of others replaced. */
function filledWith<T>(value: T, text: string): T {
  if (typeof value === "string") return text as T;
  if (Array.isArray(value)) return value.map((one) => filledWith<unknown>(one, text)) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, one]) => [key, own.has(key) ? one : filledWith<unknown>(one, text)]);
  return Object.fromEntries(entries) as T;
}

const whole: Page = pageFor({
  files: everything,
  shipped: [{ path: ".mcp.json", honouredBy: ["claude"], file: { bytes: Buffer.from("{}") } }],
  previous: { plan: "work", hash: "old", at: "2026", by: "me", commit: "c", programs: {} },
  difference: ["+a"],
  unheldCap: "no",
});

test("whatever is in any field, a terminal obeys none of it, and none of it passes for a line of the page", () => {
  const lines = renderPage(filledWith(whole, hostile), look);
  expect(lines.filter((line) => obeyed.test(line))).toEqual([]);
  const forged = lines.filter((line) => /Task 99-fake|cap: 1\.00|Approved work/.test(line));
  expect(forged.length).toBeGreaterThan(60);
  expect(forged.filter((line) => !/^(?:│ )? *\| (?:Task 99|│ cap|Approved)/.test(line))).toEqual([]);
  // The control: the text itself does all that.
  expect(obeyed.test(hostile)).toBe(true);
  expect(hostile.split("\n")[1]).toBe("Task 99-fake: forged");
});

test.each([40, 80, 120])("at %i columns no line is longer, however long a title or a word is", (width) => {
  for (const text of ["word ", "w", "宽", "e\u0301"]) {
    const page = { ...filledWith(whole, text.repeat(500)), title: text.repeat(10_000) };
    const lines = renderPage(page, { ...look, width });
    expect(Math.max(...lines.map(columnsOf))).toBeLessThanOrEqual(width);
  }
  expect(Math.max(...renderPage(whole, { ...look, width }).map(columnsOf))).toBeLessThanOrEqual(width);
});

test("as data the page has every text as it is, in characters that a terminal does not obey", () => {
  const page = filledWith(whole, `${hostile} \u{e0041} 宽`);
  const json = visibleJson(page);
  expect(JSON.parse(json)).toEqual(page);
  expect(json).not.toMatch(obeyed);
  expect(json).not.toContain("\u{e0041}");
  expect(json).toContain("宽");
});
