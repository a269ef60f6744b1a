import { decidingRole, resolveRole } from "../../src/config/roles.ts";
import { estimatePlan, type History } from "../../src/engine/estimate.ts";
import { pageOf } from "../../src/cli/approval-page/page.ts";
import type { Page } from "../../src/cli/approval-page/model.ts";
import type { Approval } from "../../src/approval/approvals.ts";
import { adviseEstimate } from "../../src/plan/lint/advice/estimate.ts";
import { readPlan, type ShippedFile } from "../../src/approval/committed-plan.ts";
import { specsOf } from "../../src/approval/plan-of-run.ts";

export const noHistory: History = { runs: 0, sessions: [], tasks: [] };

export interface PageSpec {
  readonly files: Readonly<Record<string, string>>;
  readonly history?: History;
  readonly shipped?: readonly ShippedFile[];
  readonly previous?: Approval;
  readonly difference?: readonly string[];
  readonly proposed?: readonly string[];
  readonly unheldCap?: string;
  readonly noSandbox?: string;
}

/** The page of the plan `work` among documents of a test, on a machine without agents and settings of a user. */
export function pageFor({ files, history = noHistory, shipped = [], ...more }: PageSpec): Page {
  const documents = new Map(Object.entries(files).map(([path, text]) => [path, { bytes: Buffer.from(text) }]));
  const env = { PATH: "/nowhere", HOME: "/nowhere", XDG_CONFIG_HOME: "/nowhere" };
  const reading = readPlan({ env }, { plan: "work", files: documents, repoFiles: new Set(Object.keys(files)) });
  const { plan, rules, config } = reading;
  if (plan === undefined) throw new Error(JSON.stringify(reading.problems));
  const estimate = estimatePlan({
    plan,
    rules,
    specs: specsOf(plan, new Set(Object.keys(files))),
    settings: config.run,
    history,
    roleNow: (role) => {
      const model = resolveRole(config, role)?.model;
      return { model: model ?? null, price: config.prices[model ?? ""], as: decidingRole(config.roles, role) ?? role };
    },
  });
  return pageOf({
    ready: { ...reading, hash: "0123456789abcdef", plan, shipped, problems: plan.tasks.flatMap(adviseEstimate) },
    commit: "c0ffee",
    previous: more.previous,
    difference: more.difference ?? [],
    proposed: more.proposed ?? null,
    estimate,
    programs: new Map([["claude", "claude"]]),
    unheldCap: more.unheldCap,
    noSandbox: more.noSandbox,
  });
}
