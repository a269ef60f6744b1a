import { join } from "node:path";
import type { RunCheck } from "../plan/types.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { planLimits } from "../plan/limits.ts";
import type { Ready } from "./committed-plan.ts";
import type { Project } from "../project/project.ts";
import { furnitureOf } from "../workspace/checkout-furniture.ts";
import { checkInFreshRoom } from "../workspace/real-rooms.ts";
import { projectRedactor } from "../agents/redaction.ts";

/** Runs the prerequisites that have a check, on the commit a run would start from; returns the first that fails. */
export async function failedPrerequisites(
  project: Project,
  request: {
    readonly ready: Ready;
    readonly commit: string;
    readonly sandbox: Sandbox;
    readonly signal: AbortSignal;
  },
): Promise<string | undefined> {
  const { ready, commit, sandbox, signal } = request;
  const checked = ready.plan.prerequisites.filter((prerequisite) => prerequisite.check !== undefined);
  if (checked.length === 0) return undefined;
  const { config } = ready;
  const redact = await projectRedactor(project, config);
  const furniture = furnitureOf(project, { config, sandbox, trusted: { base: commit }, redact });
  const rooms = { control: project.control, furniture, dir: join(project.paths.scratch, "prerequisites") };
  const logDir = join(project.paths.scratch, "prerequisites-log");
  const checks = checked.map(({ check }) => commandCheck(check ?? ""));
  const evidence = await checkInFreshRoom(rooms, { commit, checks, logDir, signal });
  const failed = evidence.findIndex((result) => result.state !== "green");
  return failed === -1 ? undefined : `${checked[failed]?.text} (${evidence[failed]?.label}: ${evidence[failed]?.why})`;
}

function commandCheck(run: string): RunCheck {
  const at = { line: 1, column: 1 };
  return { kind: "run", run, timeoutMs: planLimits.checkTimeoutMs, env: {}, cwd: ".", network: false, red: false, at };
}
