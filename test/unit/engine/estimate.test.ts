import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  estimatePlan,
  makespanMs,
  type EstimateInput,
  type History,
  type PastSession,
} from "../../../src/engine/estimate.ts";
import type { TaskSpec } from "../../../src/engine/events.ts";
import { shapeOf } from "../../../src/plan/shape.ts";
import type { Check, Role } from "../../../src/plan/types.ts";
import { spec } from "../../rig/world.ts";

const minuteMs = 60_000;

interface Drawn {
  readonly minutes: number | null;
  /** How far back the tasks lie that it waits for. */
  readonly back: readonly number[];
  readonly file: number;
}

function specsOf(tasks: readonly Drawn[], fileOf: (drawn: Drawn, at: number) => string): TaskSpec[] {
  return tasks.map((drawn, at) => ({
    ...spec(
      `t${at}`,
      [...new Set(drawn.back.map((far) => at - far).filter((before) => before >= 0))].map((id) => `t${id}`),
      { create: [fileOf(drawn, at)], modify: [], delete: [], touch: [] },
    ),
    estimateMs: drawn.minutes === null ? null : drawn.minutes * minuteMs,
  }));
}

const task = fc.record({
  minutes: fc.option(fc.integer({ min: 15, max: 60 })),
  back: fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 3 }),
  file: fc.integer({ min: 0, max: 5 }),
});
const plans = fc.array(task, { minLength: 1, maxLength: 25 });
const shared = (drawn: Drawn) => `shared/${drawn.file}.ts`;
const own = (_: Drawn, at: number) => `own/${at}.ts`;
const shape = (specs: readonly TaskSpec[]) =>
  shapeOf(specs.map((one) => ({ ...one, estimateMs: one.estimateMs ?? undefined })));

test("no schedule beats the critical path or the work shared by all lanes, and none takes longer than all work in a row", () => {
  fc.assert(
    fc.property(plans, fc.integer({ min: 1, max: 8 }), fc.constantFrom(shared, own), (tasks, lanes, fileOf) => {
      const specs = specsOf(tasks, fileOf);
      const { criticalMs, totalMs } = shape(specs);
      const ms = makespanMs(specs, lanes);
      expect(ms).toBeGreaterThanOrEqual(Math.max(criticalMs, totalMs / lanes));
      expect(ms).toBeLessThanOrEqual(totalMs);
    }),
  );
});

test("one lane takes all work in a row; as many lanes as tasks take the critical path, unless tasks share files", () => {
  fc.assert(
    fc.property(plans, (tasks) => {
      const specs = specsOf(tasks, own);
      const { criticalMs, totalMs } = shape(specs);
      expect(makespanMs(specs, 1)).toBe(totalMs);
      expect(makespanMs(specs, specs.length)).toBe(criticalMs);
      expect(
        makespanMs(
          specsOf(tasks, () => "same.ts"),
          specs.length,
        ),
      ).toBe(totalMs);
    }),
  );
});

// With dependencies more lanes can make a greedy schedule longer, as Graham showed in 1966; so nothing is claimed there.
test("tasks that wait for nobody are never slowed down by a further lane", () => {
  fc.assert(
    fc.property(plans, fc.integer({ min: 1, max: 8 }), (tasks, lanes) => {
      const specs = specsOf(
        tasks.map((drawn) => ({ ...drawn, back: [] })),
        own,
      );
      expect(makespanMs(specs, lanes + 1)).toBeLessThanOrEqual(makespanMs(specs, lanes));
    }),
  );
});

test("a plan without tasks takes no time, and tasks that wait for each other never start", () => {
  expect(makespanMs([], 4)).toBe(0);
  const [one] = specsOf([{ minutes: 15, back: [], file: 0 }], own);
  expect(makespanMs([{ ...one!, id: "a", depends: ["b"] }, { ...one!, id: "b", depends: ["a"] }, one!], 4)).toBe(
    15 * minuteMs,
  );
});

test("two thousand tasks are scheduled without a wait", () => {
  const tasks = Array.from({ length: 2_000 }, (_, at) => ({ minutes: 30, back: at % 10 === 0 ? [] : [1], file: 0 }));
  expect(makespanMs(specsOf(tasks, own), 8)).toBe((2_000 / 8) * 30 * minuteMs);
});

const judge = { kind: "judge", question: "Is it kind?", red: false, at: { line: 1, column: 1 } } as const;

function inputOf(more: Partial<EstimateInput> & { readonly judged?: boolean } = {}): EstimateInput {
  const specs = specsOf(
    [
      { minutes: 20, back: [], file: 0 },
      { minutes: 40, back: [1], file: 1 },
    ],
    own,
  );
  const checks: readonly Check[] = more.judged === true ? [judge] : [];
  const tasks = specs.map((spec) => ({ ...spec, estimateMs: spec.estimateMs ?? undefined, checks }));
  return {
    plan: { tasks: tasks as unknown as EstimateInput["plan"]["tasks"], checks },
    rules: { checks },
    specs,
    settings: { parallel: 2, attempts: 3, escalateAfter: 2 },
    roleNow: (role) => ({ model: "m", price: undefined, as: role === "escalation" ? "executor" : role }),
    history: { runs: 0, sessions: [], tasks: [] },
    ...more,
  };
}

function past(role: Role, usd: number, more: Partial<PastSession> = {}): PastSession {
  return {
    role,
    model: "m",
    spent: { inputTokens: 1_000, outputTokens: 100, usd, unpricedTokens: usd > 0 ? 0 : 1_100 },
    ...more,
  };
}

function historyOf(...sessions: PastSession[]): History {
  return { runs: 1, sessions, tasks: [] };
}

test("sessions are one for each task at least, and all attempts at most, each with the role that would do it", () => {
  const { sessions } = estimatePlan(inputOf());
  expect(sessions).toMatchObject({ low: 2, high: 6 });
  expect(sessions.by_role.map(({ role, low, high }) => `${role} ${low} ${high}`)).toEqual([
    "executor 2 4",
    "escalation 0 2",
  ]);
});

test("questions for a judge are sessions, too: of each task and of the rules after every attempt, of the plan once", () => {
  const { sessions } = estimatePlan(inputOf({ judged: true }));
  expect(sessions.by_role.find(({ role }) => role === "judge")).toMatchObject({ low: 5, high: 13 });
});

test("without history the money is unknown, not nothing", () => {
  expect(estimatePlan(inputOf()).money).toEqual({ usd: null, unknown: ["executor", "escalation"], history_runs: 0 });
});

test("money is the mean of earlier sessions of the same role and model, where they reported it", () => {
  const history = historyOf(
    past("executor", 1),
    past("escalation", 3),
    past("executor", 9, { model: "other" }),
    past("executor", 0),
  );
  const { money, sessions } = estimatePlan(inputOf({ history }));
  expect(money).toEqual({ usd: { low: 4, high: 12 }, unknown: [], history_runs: 1 });
  expect(sessions.by_role[0]?.usd_per_session).toEqual({ mean: 2, least: 1, most: 3, sessions: 2, from: "history" });
});

test("tokens of earlier sessions are priced by the settings where no cost was reported, and stay unknown without a price", () => {
  const history = historyOf(past("executor", 0, { model: "other" }));
  const price = { input: 1_000, output: 10_000 };
  const roleNow = (role: Role) => ({ model: "m", price, as: role });
  expect(estimatePlan(inputOf({ history, roleNow })).money).toEqual({
    usd: { low: 4, high: 8 },
    unknown: ["escalation"],
    history_runs: 1,
  });
  expect(estimatePlan(inputOf({ history })).money.usd).toBeNull();
});

test("the pace is what earlier tasks took against what was expected of them", () => {
  const tasks = [
    { estimateMs: 30 * minuteMs, tookMs: 6 * minuteMs },
    { estimateMs: 10 * minuteMs, tookMs: 10 * minuteMs },
  ];
  expect(estimatePlan(inputOf({ history: { runs: 1, sessions: [], tasks } })).time).toEqual({
    lanes: 2,
    makespan_ms: 60 * minuteMs,
    critical_path_ms: 60 * minuteMs,
    work_ms: 60 * minuteMs,
    unestimated: 0,
    assumed_ms: 30 * minuteMs,
    pace: { factor: 0.4, tasks: 2 },
  });
});
