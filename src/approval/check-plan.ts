import { join } from "node:path";
import type { CheckEvidence } from "../engine/evidence.ts";
import { rulesFile } from "../plan/rules.ts";
import type { Check, RunCheck, Task } from "../plan/types.ts";
import { concludeBaseline } from "../checks/baseline.ts";
import { isBetter } from "../checks/cure.ts";
import { isMechanical, type MechanicalCheck } from "../checks/checks.ts";
import { questionsIn } from "../checks/asked.ts";
import { expectTests } from "../checks/witness/expect-tests.ts";
import type { PlanReading } from "./committed-plan.ts";
import type { Project } from "../project/project.ts";
import type { FoundSandbox } from "../sandbox/find.ts";
import { furnitureOf } from "../workspace/checkout-furniture.ts";
import { checkInFreshRoom, type RoomOptions } from "../workspace/real-rooms.ts";
import { projectRedactor } from "../agents/redaction.ts";

/** The checks of a task, of the rules or of the plan, as they stand on a commit. */
export interface CheckedGroup {
  /** The id of a task, or `rules`, or `plan`. */
  readonly owner: string;
  readonly task: Task | undefined;
  /** The file that the checks are written in. */
  readonly file: string;
  readonly checked: readonly Checked[];
  /** True for a judge's question, which only a run asks. */
  readonly questions: readonly string[];
  /** What a run would conclude from a task's checks; absent for checks that may have any result. */
  readonly baseline?: ReturnType<typeof concludeBaseline>;
}

export interface Checked {
  readonly check: MechanicalCheck;
  readonly evidence: CheckEvidence;
  /** The same with the network, where that helps. */
  readonly withNetwork?: CheckEvidence | undefined;
}

/** Asks every check of a plan on a commit, in the room a run would use, one group after another. */
export async function* checkPlan(
  project: Project,
  options: {
    readonly reading: PlanReading & { readonly plan: NonNullable<PlanReading["plan"]> };
    readonly commit: string;
    readonly found: FoundSandbox;
    readonly signal: AbortSignal;
    /** Is called with each check, as it is shown, before that gets a network its author did not ask for; without this function, none does. */
    readonly givingNetwork?: (label: string) => void;
  },
): AsyncGenerator<CheckedGroup> {
  const { reading, commit, found, signal, givingNetwork } = options;
  const { config, plan, rules } = reading;
  const redact = await projectRedactor(project, config);
  const furniture = furnitureOf(project, { config, ...found, trusted: { base: commit }, redact });
  const { scratch } = project.paths;
  const rooms = { control: project.control, furniture, dir: join(scratch, "check") };
  const logDir = join(scratch, "check-log");
  const ask: Ask = async (checks) =>
    checks.length === 0 ? [] : await checkInFreshRoom(rooms, { commit, checks, logDir, signal });
  const groups = [
    ...plan.tasks.map((task) => ({ owner: task.id, task, file: task.file, checks: task.checks })),
    { owner: "rules", task: undefined, file: rulesFile, checks: rules.checks },
    { owner: "plan", task: undefined, file: `${plan.dir}/plan.md`, checks: plan.checks },
  ];
  for (const { checks, ...group } of groups) {
    if (checks.length > 0) yield await checkGroup(group, { checks, rooms, ask, givingNetwork });
  }
}

type Ask = (checks: readonly MechanicalCheck[]) => Promise<readonly CheckEvidence[]>;

async function checkGroup(
  group: Pick<CheckedGroup, "owner" | "task" | "file">,
  {
    checks,
    rooms,
    ask,
    givingNetwork,
  }: {
    readonly checks: readonly Check[];
    readonly rooms: RoomOptions;
    readonly ask: Ask;
    readonly givingNetwork: ((label: string) => void) | undefined;
  },
): Promise<CheckedGroup> {
  const asked = checks.filter(isMechanical);
  const evidence = (await ask(asked)).map((one, at) =>
    expectTests(one, { isGoal: asked[at]?.red === true, before: undefined, mayChange: () => true }),
  );
  const first = asked.map((check, at) => ({ check, evidence: evidence[at]! }));
  // Without a sandbox every check has the network already.
  const isFinal = rooms.furniture.sandbox.kind === "none" || givingNetwork === undefined;
  const again = isFinal ? [] : first.filter((one) => mayLackNetwork(one, group.owner));
  for (const { evidence } of again) givingNetwork?.(evidence.label);
  const helped = await helpedByNetwork(again, ask);
  const checked = first.map((one) => ({ ...one, withNetwork: helped.get(one) }));
  const baseline = group.task === undefined ? {} : { baseline: concludeBaseline(asked, evidence) };
  return { ...group, checked, questions: questionsIn(checks), ...baseline };
}

/** The results of these checks with network access, where only that helps. */
async function helpedByNetwork(some: readonly Checked[], ask: Ask): Promise<ReadonlyMap<Checked, CheckEvidence>> {
  const answers = await ask(some.map(({ check }) => ({ ...(check as RunCheck), network: true })));
  const better = some.flatMap((one, at) =>
    isBetter(answers[at]!, one.evidence) ? [[one, answers[at]!] as const] : [],
  );
  // One that is better without it, too, had a bad moment.
  const without = await ask(better.map(([{ check }]) => check));
  return new Map(better.filter(([{ evidence }], at) => !isBetter(without[at]!, evidence)));
}

/** A check that fails for lack of network looks like one that fails for lack of work, except where none should fail. */
function mayLackNetwork({ check, evidence }: Checked, owner: string): boolean {
  if (check.kind !== "run" || check.network) return false;
  // Set-up has the network.
  if (evidence.state === "broken") return evidence.cause === undefined;
  return evidence.state === "red" && !check.red && owner !== "plan";
}
