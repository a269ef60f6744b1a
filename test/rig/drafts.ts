import { openProject, type Project } from "../../src/project/project.ts";
import { assessDraft, type AssessRequest } from "../../src/planning/assess.ts";
import type { AssessedDraft } from "../../src/planning/machine/assessment.ts";
import { readCommittedPlan, readPlan } from "../../src/approval/committed-plan.ts";
import { advise } from "../../src/plan/lint/advice/advise.ts";
import type { Standing } from "../../src/planning/machine/revise.ts";
import { plan, type PlanSpec } from "./plan.ts";
import type { Rig } from "./rig.ts";

/** The files of a draft by their names in an outbox. */
export function draftOf(spec: PlanSpec): Record<string, string> {
  const entries = Object.entries(plan({ ...spec, name: "work" }));
  return Object.fromEntries(entries.map(([path, text]) => [path.replace("plans/work/", ""), text]));
}

export interface DraftRequest extends Partial<Pick<AssessRequest, "answered" | "revises" | "signal">> {
  readonly draft: Readonly<Record<string, string>>;
  readonly rules?: string;
  readonly inputs?: Readonly<Record<string, string>>;
}

export async function projectOf(rig: Rig): Promise<Project> {
  const opened = await openProject(rig.repo, rig.env);
  if (!opened.ok) throw new Error(opened.failure.message);
  return opened.value;
}

/** Assesses a draft of the plan `work` on HEAD of a rig. */
export async function assess(rig: Rig, { draft, rules, inputs = {}, ...more }: DraftRequest): Promise<AssessedDraft> {
  return await assessDraft(await projectOf(rig), {
    plan: "work",
    base: rig.git("rev-parse", "HEAD"),
    output: {
      draft: bytesOf(draft),
      rules: rules === undefined ? null : Buffer.from(rules),
      ...{ questions: [], findings: null, problems: [] },
    },
    inputs: bytesOf(inputs),
    answered: [],
    revises: null,
    signal: AbortSignal.timeout(120_000),
    ...more,
  });
}

/** The plan `work` as HEAD has it, with tasks that are done. */
export async function standing(rig: Rig, done: readonly string[]): Promise<Standing> {
  const project = await projectOf(rig);
  const read = await readCommittedPlan(project, { commit: rig.git("rev-parse", "HEAD"), plan: "work" });
  if (read.plan === undefined) throw new Error(JSON.stringify(read.problems));
  return { plan: read.plan, files: read.files, done: new Set(done) };
}

/** Problems as people would read them. */
export function said({ problems }: Pick<AssessedDraft, "problems">): string[] {
  return problems.map(
    ({ file, line, severity, source, message }) => `${file}:${line}: ${severity} (${source}): ${message}`,
  );
}

export function errors(assessed: Pick<AssessedDraft, "problems">): string[] {
  return said({ problems: assessed.problems.filter(({ severity }) => severity === "error") });
}

/** A document of the assessed draft. */
export function textIn({ documents }: Pick<AssessedDraft, "documents">, name: string): string | undefined {
  const bytes = documents.get(`plans/work/${name}`);
  return bytes === undefined ? undefined : Buffer.from(bytes).toString("utf8");
}

function bytesOf(texts: Readonly<Record<string, string>>): Map<string, Uint8Array> {
  return new Map(Object.entries(texts).map(([name, text]) => [name, Buffer.from(text)]));
}

/** Lists what lint and its advice say about a draft, in a repository that has these files. */
export function lintOf(draft: ReadonlyMap<string, string>, repoFiles: readonly string[]): string[] {
  const files = new Map([...draft].map(([name, text]) => [`plans/p/${name}`, { bytes: Buffer.from(text) }]));
  const env = { PATH: "/nowhere", HOME: "/nowhere" };
  const { plan, rules, problems } = readPlan({ env }, { plan: "p", files, repoFiles: new Set(repoFiles) });
  const advice = plan === undefined ? [] : advise({ plan, rules, files, repoFiles: new Set(repoFiles) });
  return [...problems, ...advice].map(({ file, line, message }) => `${file}:${line}: ${message}`);
}
