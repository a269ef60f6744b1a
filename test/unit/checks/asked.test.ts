import { expect, test } from "vitest";
import {
  askedLater,
  askedOf,
  goalChecks,
  questionsIn,
  taskQuestions,
  type Documents,
} from "../../../src/checks/asked.ts";
import { checkKey } from "../../../src/checks/checks.ts";
import type { RunSettings } from "../../../src/engine/events.ts";
import type { Check, RunCheck, TaskFiles } from "../../../src/plan/types.ts";
import { spec, World } from "../../rig/world.ts";

const at = { line: 1, column: 1 };
const runs = (run: string, red = true): RunCheck => {
  return { kind: "run", run, timeoutMs: 1000, env: {}, cwd: ".", network: false, red, at };
};
const asks = (question: string): Check => ({ kind: "judge", question, red: false, at });
const touching = (...touch: string[]): TaskFiles => ({ create: [], modify: [], delete: [], touch });

const documents = {
  plan: {
    tasks: [
      { id: "a", checks: [runs("test a"), asks("Kind?")] },
      { id: "b", checks: [runs("test b"), runs("test all", false)] },
      { id: "c", checks: [runs("test c"), runs("test all", false), asks("Kind?"), asks("Short?")] },
    ],
    checks: [],
  },
  rules: { checks: [runs("lint", false), asks("Short?")] },
} as unknown as Documents;

/** `a` and `b` have landed; `c` waits for `b`, and shares no file with either. */
function landed(settings: Partial<RunSettings> = {}): World {
  const tasks = [spec("a", [], touching("a/**")), spec("b", [], touching("b/**")), spec("c", ["b"], touching("c/**"))];
  const world = new World(tasks, settings);
  for (const task of ["a", "b"]) world.add({ type: "task-integrated", task, attempt: 1, commit: `of-${task}` });
  return world;
}

const asked = (world: World, paths: readonly string[] = ["c/x.ts"]) =>
  askedOf(documents, world.state, { task: "c", onto: "of-b", paths }).map(
    ({ check, of, isGoal }) =>
      `${isGoal ? "goal" : "also"} ${check.kind === "run" && check.run}${of ? ` of ${of}` : ""}`,
  );

test("A candidate is asked its own checks, the rules', and those of tasks it builds on, each once.", () => {
  expect(asked(landed())).toEqual(["goal test c", "also test all", "also lint", "also test b of b"]);
});

test("A task that might share a file is asked as well, by what it claims or by what the candidate changed.", () => {
  expect(asked(landed(), ["a/x.ts"])).toContain("also test a of a");
  expect(asked(landed({ reverify: "all" }))).toContain("also test a of a");
});

test("A task that landed after the commit at hand is not asked about.", () => {
  const { state } = landed();
  const found = askedOf(documents, state, { task: "c", onto: "base", paths: ["a/x.ts", "b/x.ts"] });
  expect(found.map(({ of }) => of)).toEqual([null, null, null]);
});

test("A regression that another task has to fix is not asked of this one.", () => {
  const world = landed();
  const red = { key: checkKey(runs("test b")), label: "test b", state: "red", why: "exit 1", tail: "", durationMs: 1 };
  world.add({ type: "final-verified", tip: "of-b", ok: false, checks: [red as never], tree: "t" });
  expect(asked(world)).not.toContain("also test b of b");
});

test("A reopened task has to make green what it turned red, before its own checks.", () => {
  const world = landed();
  const lint = { key: checkKey(runs("lint")), label: "lint", task: "a", commit: "of-a", why: "red since", paths: [] };
  world.add({ type: "task-reopened", task: "a", regressions: [lint], why: "red since" });
  const [a] = documents.plan.tasks;
  expect(a && goalChecks(documents, world.state, a)).toEqual([runs("lint"), runs("test a")]);
});

test("A judge is asked a task's own questions, then those of the rules, each once.", () => {
  expect(taskQuestions(documents, "c")).toEqual(["Kind?", "Short?"]);
  expect(taskQuestions(documents, "b")).toEqual(["Short?"]);
  expect(questionsIn([runs("x"), asks("A?"), asks("A?")])).toEqual(["A?"]);
});

test("What a check reads is worth knowing if at least two tasks to come would ask it again.", () => {
  const plan = {
    tasks: [
      { id: "a", checks: [runs("test a"), runs("lint", false), runs("test all", false)] },
      { id: "b", checks: [runs("test b"), runs("test all", false)] },
      { id: "c", checks: [runs("test c"), runs("test all", false)] },
      { id: "d", checks: [runs("test d")] },
    ],
    checks: [],
  };
  const all = { plan, rules: { checks: [runs("lint", false)] } } as unknown as Documents;
  const own = (dir: string) => touching(`${dir}/**`);
  const tasks = [
    spec("a", [], own("a")),
    spec("b", ["a"], own("b")),
    spec("c", ["b"], own("c")),
    spec("d", [], own("d")),
  ];
  const world = new World(tasks);
  const watched = (task: string) => {
    const landing = askedOf(all, world.state, { task, onto: "base", paths: [] });
    const keys = askedLater(all, world.state, { task, asked: landing });
    return landing.filter(({ key }) => keys.has(key)).map(({ check }) => check.kind === "run" && check.run);
  };
  // Not the rules' check, which every task asks, nor one that the others ask as their own.
  expect(watched("a")).toEqual(["test a"]);
  expect(watched("b")).toEqual([]);
  expect(watched("d")).toEqual([]);
  world.add({ type: "task-integrated", task: "c", attempt: 1, commit: "of-c" });
  expect(watched("a")).toEqual([]);
});
