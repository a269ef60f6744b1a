import { decidingRole, resolveRole } from "../config/roles.ts";
import type { Config } from "../config/types.ts";
import { estimatePlan, type Estimate, type RoleNow, type History, type PastSession } from "../engine/estimate.ts";
import { listPaths } from "../git/objects.ts";
import type { Role } from "../plan/types.ts";
import { specsOf } from "./plan-of-run.ts";
import type { Ready } from "./committed-plan.ts";
import type { Project } from "../project/project.ts";
import { priceOf } from "../agents/real-sessions.ts";
import type { EventOf } from "../engine/events.ts";
import { afterSession } from "../engine/session-end.ts";
import { spendingOf } from "../engine/spending.ts";
import { realFiles, type FilePort } from "../journal/file-port.ts";
import { approvalLimits } from "./limits.ts";
import { runPaths, type Paths } from "../project/paths.ts";
import type { RunEntry } from "../hooks/run-entry.ts";
import { listRuns, readRun, type ReadRun } from "../project/runs.ts";

/** Estimates what a run of a committed plan will take, from its own estimates and from earlier runs of the repository. */
export async function forecast(
  project: Project,
  { ready, commit }: { readonly ready: Ready; readonly commit: string },
): Promise<Estimate> {
  const { plan, rules, config } = ready;
  const tree = await listPaths(project.control, commit);
  const history = readHistory(project.paths);
  const roleNow = (role: Role) => roleNowOf(config, role);
  return estimatePlan({ plan, rules, specs: specsOf(plan, tree), settings: config.run, roleNow, history });
}

function roleNowOf(config: Config, role: Role): RoleNow {
  return {
    model: resolveRole(config, role)?.model ?? null,
    price: priceOf(config, role),
    as: decidingRole(config.roles, role) ?? role,
  };
}

/** Reads what sessions cost and how long tasks took in the newest runs of the repository. A journal that cannot be read is skipped. */
export function readHistory(paths: Paths, files: FilePort = realFiles): History {
  const past = newestRuns(paths, files).map(historyOf);
  return {
    runs: past.filter(({ sessions }) => sessions.length > 0).length,
    sessions: past.flatMap(({ sessions }) => sessions),
    tasks: past.flatMap(({ tasks }) => tasks),
  };
}

function newestRuns(paths: Paths, files: FilePort): ReadRun[] {
  const runs: ReadRun[] = [];
  let bytes = 0;
  for (const id of listRuns(paths, undefined, files).slice(-approvalLimits.historyRunsMax).toReversed()) {
    bytes += files.stat(runPaths(paths, id).journal)?.size ?? 0;
    if (bytes > approvalLimits.historyBytesMax) break;
    const read = readRun(paths, id, files);
    if (read.ok) runs.push(read.value);
  }
  return runs;
}

function historyOf({ entries, state }: ReadRun): Pick<History, "sessions" | "tasks"> {
  const sessions: PastSession[] = [];
  const roles = new Map<string, Role>();
  const began = new Map<string, string>();
  const tookMs = new Map<string, number>();
  for (const entry of entries) {
    if (entry.type === "attempt-started") roles.set(entry.task, entry.role);
    if (entry.type === "agent-started") began.set(entry.task, entry.at);
    if (entry.type === "judged" && isWhole(entry)) sessions.push(sessionOf(entry, "judge"));
    if (entry.type !== "agent-finished" || !isWhole(entry)) continue;
    sessions.push(sessionOf(entry, roles.get(entry.task) ?? "executor"));
    const ms = Date.parse(entry.at) - Date.parse(began.get(entry.task) ?? entry.at);
    tookMs.set(entry.task, (tookMs.get(entry.task) ?? 0) + Math.max(0, ms));
  }
  const landed = [...(state?.tasks.values() ?? [])].filter(({ phase }) => phase === "integrated");
  const tasks = landed.flatMap(({ spec: { id, estimateMs } }) => {
    const took = tookMs.get(id);
    return estimateMs === null || took === undefined ? [] : [{ estimateMs, tookMs: took }];
  });
  return { sessions, tasks };
}

/** A session that was cut short by a limit, a cap or a person shows neither what one costs nor how long it takes. */
function isWhole({ outcome }: Pick<EventOf<"judged">, "outcome">): boolean {
  return afterSession({ outcome, report: null }).kind !== "free";
}

function sessionOf(
  { model, usage }: Extract<RunEntry, { type: "agent-finished" | "judged" }>,
  role: Role,
): PastSession {
  return { role, model: model ?? null, spent: spendingOf(usage) };
}
