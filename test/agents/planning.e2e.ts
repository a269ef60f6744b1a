import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, type TestContext } from "vitest";
import { commitsOf, expectCode } from "../rig/facts.ts";
import type { JournalEvent } from "../rig/follow.ts";
import { openPane, whyNoTmux } from "../rig/pane.ts";
import { makes, plan } from "../rig/plan.ts";
import { planningEvents } from "../rig/planning.ts";
import { programFolder } from "./installed.ts";
import { pixel } from "./pixel.ts";
import { type Route, routes } from "./routes.ts";
import type { Move } from "./server/script.ts";
import { setStage, type Stage, type StageOptions } from "./stage.ts";

const goal = "Let a.txt say that it is ready";
const headless = ["plan", goal, "--name", "work", "--input", "shot.png", "--headless"];
const picture = "plans/work/inputs/shot.png";

for (const route of [routes.claude, routes.codex]) {
  describe.skipIf(programFolder(route.agent) === undefined)(
    `stint plan with ${route.name}`,
    { timeout: 300_000 },
    () => {
      test.for<StageOptions["sandbox"]>(["bwrap", "none"])(
        "Headless, sandbox %s: goal and picture become a plan that lints clean and that the same program then carries out.",
        (sandbox, test) => planIsMadeAndRun(route, { test, sandbox }),
      );
      test.skipIf(whyNoTmux !== undefined)(
        "In a terminal: what the planner asks is answered there, and the draft is accepted there.",
        (test) => planIsMadeInTerminal(route, test),
      );
      test("Code that a planner writes is reported by its path and kept nowhere.", (test) =>
        codeIsNotKept(route, test));
      test("A key that the service refuses costs no planning session: with another one it resumes.", (test) =>
        refusalIsWaitedOut(route, test));
    },
  );
}

async function planIsMadeAndRun(
  route: Route,
  { test, sandbox }: { readonly test: TestContext; readonly sandbox: StageOptions["sandbox"] },
): Promise<void> {
  const stage = await setPlanningStage(route, { test, sandbox });
  const { rig } = stage;

  expectCode(await stage.call(headless).ended, 0);

  expectAllPhases(stage);
  const decisions = readFileSync(join(rig.repo, "plans/work/plan.md"), "utf8");
  expect(decisions).toMatch(/readers[^]*answer: people[^]*assumed: true/);
  expect(readFileSync(join(rig.repo, picture))).toEqual(Buffer.from(pixel));
  const lint = await stage.call(["lint"]).ended;
  expectCode(lint, 0);
  expect(lint.stdout + lint.stderr).not.toContain("warning");

  expectCode(await stage.run(), 0);
  expect(commitsOf(rig)).toEqual(["01-a"]);
  expect(rig.git("show", "stint/work:a.txt")).toBe("ready");
  expect(stage.processes()).toEqual([]);
}

async function planIsMadeInTerminal(route: Route, test: TestContext): Promise<void> {
  const stage = await setPlanningStage(route, { test, sandbox: "none" });
  await using pane = await openPane(stage.rig, `plan "${goal}" --name work --input shot.png`, {
    columns: 120,
    rows: 50,
    env: stage.env,
  });
  await pane.until(/Who reads it\?[^]*\n>/);
  await pane.press("2", "Enter");
  await pane.until("[a]ccept");
  await pane.press("a", "Enter");
  await pane.until(/EXIT=0 /);

  expectAllPhases(stage);
  expect(planningEvents(stage.rig, "questions-answered")).toMatchObject([
    { answers: [{ id: "readers", answer: "programs", assumed: false }] },
  ]);
  expectCode(await stage.call(["lint"]).ended, 0);
  // All but the terminal itself.
  expect(stage.processes().filter(({ command }) => !/^(?:tmux|cat) /.test(command))).toEqual([]);
}

async function codeIsNotKept(route: Route, test: TestContext): Promise<void> {
  const stage = await setPlanningStage(route, { test, sandbox: "bwrap" });
  stage.server.play([{ edit: "a.txt", text: "ready\n" }, ...moves]);

  const planned = await stage.call(headless).ended;

  expectCode(planned, 0);
  expect(sessionsOf(stage).map(({ phase, dirty }) => [phase, dirty])).toEqual(
    ["interview", "gaps", "draft", "critique"].map((phase) => [phase, ["a.txt"]]),
  );
  expect(planned.stdout).toContain("a.txt");
  expect(stage.rig.git("status", "--porcelain")).toBe("?? plans/\n?? shot.png");
}

async function refusalIsWaitedOut(route: Route, test: TestContext): Promise<void> {
  const stage = await setPlanningStage(route, { test, sandbox: "bwrap" });
  stage.server.play([{ refuse: 401 }]);
  expectCode(await stage.call(headless).ended, 3);
  expect(sessionsOf(stage)).toMatchObject([{ phase: "interview", outcome: { kind: "auth" } }]);

  stage.server.play(moves);
  expectCode(await stage.call(["plan", "--continue", "work", "--headless"]).ended, 0);
  expect(sessionsOf(stage).map(({ phase }) => phase)).toEqual(["interview", "interview", "gaps", "draft", "critique"]);
  expectCode(await stage.call(["lint"]).ended, 0);
}

async function setPlanningStage(
  route: Route,
  options: { readonly test: TestContext; readonly sandbox: StageOptions["sandbox"] },
): Promise<Stage> {
  const stage = await setStage(route, { ...options, moves, hasPlan: false });
  writeFileSync(join(stage.rig.repo, "shot.png"), pixel);
  return stage;
}

/** Each phase was one session that did its part, and the model got the picture with the first request of each that plans. */
function expectAllPhases(stage: Stage): void {
  expect(sessionsOf(stage)).toMatchObject([
    { phase: "interview", outcome: { kind: "ok" }, questions: [{ id: "readers" }] },
    { phase: "gaps", outcome: { kind: "ok" }, hasScope: true },
    { phase: "draft", outcome: { kind: "ok" }, hasDraft: true, dirty: [] },
    { phase: "critique", outcome: { kind: "ok" }, findings: [] },
  ]);
  const first = stage.server.requests.filter(({ tools, results }) => tools.length > 0 && results === 0);
  expect(first.map(({ images }) => images)).toEqual([1, 1, 1, 1]);
  for (const { text } of first) expect(text).toContain(goal);
}

function sessionsOf({ rig }: Stage): readonly JournalEvent[] {
  return planningEvents(rig, "session-ended");
}

const question = { id: "readers", question: "Who reads it?", options: ["people", "programs"], recommend: "people" };

/** The plan, by name inside its folder. */
const drafted = Object.fromEntries(
  Object.entries(plan({ name: "work", tasks: { "01-a": makes("a.txt", { source_docs: [picture] }) } })).map(
    ([path, text]) => [path.replace("plans/work/", ""), text],
  ),
);
const { "scope.md": scope = "", ...draft } = drafted;

/** What a session leaves or does, by its phase or its task. */
const parts: Readonly<Record<string, string>> = {
  interview: leave({ "questions.json": JSON.stringify([question]) }),
  gaps: leave({ "scope.md": scope }),
  draft: leave(draft),
  critique: leave({ "findings.json": "[]" }),
  "01-a": "echo ready > a.txt",
};

/** One list for all sessions: the agent's own shell knows which of them it is in. */
const moves: readonly Move[] = [
  {
    shell: `case "$STINT_TASK" in ${Object.entries(parts)
      .map(([name, line]) => `${name}) ${line} ;;`)
      .join(" ")} esac`,
  },
  { say: "Done." },
];

/** In base64, which no shell and no JSON has to quote. */
function leave(files: Readonly<Record<string, string>>): string {
  const written = Object.entries(files).map(
    ([name, text]) => `printf %s ${Buffer.from(text).toString("base64")} | base64 -d > "$STINT_OUTBOX/${name}"`,
  );
  return ['mkdir -p "$STINT_OUTBOX/tasks"', ...written].join(" && ");
}
