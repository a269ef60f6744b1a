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
import { checkInFreshRoom, ownRooms, type RoomOptions } from "../workspace/real-rooms.ts";
import type { CheckRequest } from "../workspace/room-port.ts";
import type { CommandWatch } from "../checks/running-command.ts";
import { projectRedactor } from "../agents/redaction.ts";

/** Whose checks these are. */
export interface GroupHead {
  /** The id of a task, or `rules`, or `plan`. */
  readonly owner: string;
  readonly task: Task | undefined;
  /** The file that the checks are written in. */
  readonly file: string;
}

/** The checks of a task, of the rules or of the plan, as they stand on a commit. */
export interface CheckedGroup extends GroupHead {
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
  /** Whether it passed when it was run again as it is. */
  readonly isFlaky?: boolean | undefined;
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
    readonly watch?: CommandWatch | undefined;
    /** Is called with each check once it is known what it shows. */
    readonly answered?: (group: GroupHead, checked: Checked) => void;
  },
): AsyncGenerator<CheckedGroup> {
  const { reading, commit, found, signal, givingNetwork, answered, watch } = options;
  const { config, plan, rules } = reading;
  const redact = await projectRedactor(project, config);
  const furniture = furnitureOf(project, { config, ...found, trusted: { base: commit }, redact, watch });
  const { scratch } = project.paths;
  await using rooms = ownRooms({ control: project.control, furniture, dir: join(scratch, "check"), base: commit });
  const groups = [
    ...plan.tasks.map((task) => ({ owner: task.id, task, file: task.file, checks: task.checks })),
    { owner: "rules", task: undefined, file: rulesFile, checks: rules.checks },
    { owner: "plan", task: undefined, file: plan.file, checks: plan.checks },
  ];
  for (const { checks, ...group } of groups) {
    // Another group's checks have the same numbers.
    const logs = join(scratch, "check-log", group.task === undefined ? group.owner : `task-${group.owner}`);
    const ask: Ask = async (checks, { name = "", ...heard } = {}) =>
      checks.length === 0
        ? []
        : await checkInFreshRoom(rooms, { commit, checks, logDir: join(logs, name), signal, ...heard });
    if (checks.length > 0) yield await checkGroup(group, { checks, rooms, ask, givingNetwork, answered });
  }
}

type Ask = (
  checks: readonly MechanicalCheck[],
  options?: { readonly name?: string } & Pick<CheckRequest, "answered">,
) => Promise<readonly CheckEvidence[]>;

async function checkGroup(
  group: GroupHead,
  {
    checks,
    rooms,
    ask,
    givingNetwork,
    answered,
  }: {
    readonly checks: readonly Check[];
    readonly rooms: RoomOptions;
    readonly ask: Ask;
    readonly givingNetwork: ((label: string) => void) | undefined;
    readonly answered: ((group: GroupHead, checked: Checked) => void) | undefined;
  },
): Promise<CheckedGroup> {
  const asked = checks.filter(isMechanical);
  const checked: Checked[] = [];
  // Without a sandbox every check has the network already.
  const isFinal = rooms.furniture.sandbox.kind === "none" || givingNetwork === undefined;
  await ask(asked, {
    answered: async (found, check) => {
      const evidence = expectTests(found, { isGoal: check.red, before: undefined, mayChange: () => true });
      const one = { check, evidence };
      const isAgain = !isFinal && mayLackNetwork(one, group.owner);
      if (isAgain) givingNetwork(evidence.label);
      const whole = { ...one, ...(isAgain && (await askedAgain(one, ask))) };
      checked.push(whole);
      answered?.(group, whole);
    },
  });
  const shown = checked.map(({ evidence }) => evidence);
  const baseline = group.task === undefined ? {} : { baseline: concludeBaseline(asked, shown) };
  return { ...group, checked, questions: questionsIn(checks), ...baseline };
}

/** What a check shows with network access, if only that helps; one that is better without it, too, is flaky. */
async function askedAgain({ check, evidence }: Checked, ask: Ask): Promise<Pick<Checked, "withNetwork" | "isFlaky">> {
  const [withNetwork] = await ask([{ ...(check as RunCheck), network: true }], { name: "with-network" });
  if (!isBetter(withNetwork!, evidence)) return {};
  const [without] = await ask([check], { name: "again" });
  return isBetter(without!, evidence) ? { isFlaky: true } : { withNetwork };
}

/** A check that fails for lack of network looks like one that fails for lack of work, except where none should fail. */
function mayLackNetwork({ check, evidence }: Checked, owner: string): boolean {
  if (check.kind !== "run" || check.network) return false;
  // Set-up has the network.
  if (evidence.state === "broken") return evidence.cause === undefined;
  return evidence.state === "red" && !check.red && owner !== "plan";
}
