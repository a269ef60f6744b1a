import type { AgentEvent } from "../../agents/real-sessions.ts";
import { resolveRole } from "../../config/roles.ts";
import { exitCodes } from "../../engine/exit-code.ts";
import { dirtyPaths } from "../../git/user-commit.ts";
import { addAnswers } from "../../planning/question-files.ts";
import { startPlanning, resumePlanning, type OpenedPlanning } from "../../planning/open-planning.ts";
import type { Dialog, PlanningObserver } from "../../planning/ports.ts";
import { openEar } from "../../run/activity.ts";
import { planNameIn, findPlan, type Project } from "../../project/project.ts";
import { findRuns } from "../../project/runs.ts";
import { roleOf } from "../../planning/machine/events.ts";
import { openQuestions } from "../../planning/machine/state.ts";
import { visible, visibleJson } from "../../base/visible.ts";
import { messageOf, ok, type Result } from "../../base/result.ts";
import { createAsker, optionOr } from "../dialog/ask.ts";
import { reviewDraft } from "../dialog/review.ts";
import { createTicker, showCommands, type Ticker } from "../dialog/ticker.ts";
import { refuse, refuseWith, warn, type Io } from "../io.ts";
import { linesLookOf } from "../text-layout.ts";
import { planningTeller } from "../render-planning.ts";
import { agentNotices } from "./agent-notices.ts";
import { concludePlanning } from "./plan-end.ts";
import { wantedOf, type PlanOptions, type Wanted } from "./plan-options.ts";
import { refused } from "../../project/refusals.ts";
import { project, refusal, type Selected } from "./select.ts";
import { tellUncommitted } from "./uncommitted.ts";

/** `stint plan`: takes a goal to a plan that a person accepted, or as far as it gets without one. */
export async function plan(io: Io, typed: string | undefined, options: PlanOptions): Promise<number> {
  const wanted = wantedOf(typed, options);
  if (!wanted.ok) return refuseWith(io, wanted.failure);
  const found = await project(io);
  if (!found.ok) return refuseWith(io, found.failure);
  const { repo } = found.value;
  const headless = options.headless === true;
  // To know what is uncommitted git looks at every file of the checkout, which may take as long as the rest.
  const dirty = wanted.value.kind === "begin" ? dirtyPaths(repo, ["."]) : Promise.resolve([]);
  dirty.catch(() => undefined);
  const opened = await open(io, found.value, { wanted: wanted.value, headless });
  if (!opened.ok) {
    warnOfSettings(io, await dirty);
    const { failure } = refused(opened.failure);
    return refuseWith(io, failure);
  }
  try {
    if (wanted.value.kind === "drop") return await drop(io, opened.value);
    const answered = await takeAnswers(opened.value, wanted.value);
    if (!answered.ok) return refuseWith(io, answered.failure);
    // These settings are not approved yet, and one of them may turn the sandbox off.
    if (opened.value.sandboxWord !== undefined) io.err(visible(opened.value.sandboxWord));
    const given = wanted.value.kind === "begin" ? wanted.value.inputs : undefined;
    const tellLeftOut = async (out: Io) => {
      warnOfSettings(out, await dirty);
      if (given !== undefined) await tellUncommitted(out, repo, { name: "this plan", given, dirty: await dirty });
    };
    return await drive(io, found.value, { opened: opened.value, options, tellLeftOut });
  } finally {
    opened.value.close();
  }
}

/** A person who has just written settings would wonder why they do not apply. */
function warnOfSettings(io: Io, dirty: readonly string[]): void {
  const [first, ...others] = dirty.filter((path) => `${path}/`.startsWith(".stint/"));
  if (first === undefined) return;
  const more = others.length === 0 ? "is" : `and ${others.length} more are`;
  warn(io, `${first} ${more} not committed, and only committed settings apply: \`git add .stint && git commit\``);
}

async function open(
  { cwd }: Io,
  project: Project,
  { wanted, headless }: { readonly wanted: Wanted; readonly headless: boolean },
): Promise<Result<OpenedPlanning>> {
  const { root } = project.repo;
  if (wanted.kind === "continue" || wanted.kind === "drop") {
    const plan = wanted.plan === undefined ? undefined : planNameIn(wanted.plan, { root, cwd });
    return await resumePlanning(project, { headless, ...(plan !== undefined && { plan }) });
  }
  const { inputs } = wanted;
  if (wanted.kind === "begin") {
    const { goal, name } = wanted;
    return await startPlanning(project, {
      goal,
      inputs,
      cwd,
      headless,
      revises: null,
      ...(name !== undefined && { name }),
    });
  }
  const selected = await findPlan(project.repo, wanted.plan, cwd);
  if (!selected.ok) return selected;
  const run = findRuns(project.paths, selected.value).runs.at(-1);
  const revises = {
    plan: selected.value,
    run: run === undefined || run.state.finished !== null ? null : run.id,
    words: wanted.words,
  };
  return await startPlanning(project, { goal: wanted.words, inputs, cwd, headless, revises });
}

async function drop(io: Io, { plan, folder, giveUp }: OpenedPlanning): Promise<number> {
  await giveUp(io.signal);
  io.out(`The planning session for ${plan} is abandoned, and no plan was written. Everything so far is in ${folder}.`);
  return exitCodes.done;
}

/** Adds the answers on the command line to those in answers.json; each must belong to an open question. */
async function takeAnswers({ state, folder }: OpenedPlanning, wanted: Wanted): Promise<Selected<unknown>> {
  if (wanted.kind !== "continue" || wanted.answers.size === 0) return ok(undefined);
  const questions = openQuestions(state);
  const open = questions.map(({ id }) => id);
  const unknown = [...wanted.answers.keys()].find((id) => !open.includes(id));
  if (unknown !== undefined) {
    const known = open.length === 0 ? "None is open." : `Open questions: ${open.join(", ")}`;
    return refusal(exitCodes.usage, `no open question ${unknown}. ${known}`);
  }
  const given = new Map<string, string>();
  for (const { id, options } of questions.filter((question) => wanted.answers.has(question.id))) {
    const said = optionOr(options, wanted.answers.get(id) ?? "");
    if ("again" in said) return refusal(exitCodes.usage, notAnOption({ id, options }, wanted.answers.get(id) ?? ""));
    given.set(id, said.answer);
  }
  const added = await addAnswers(folder, { open: new Set(open), given });
  return added.ok ? ok(undefined) : refusal(exitCodes.usage, added.failure.message);
}

function notAnOption({ id, options }: { readonly id: string; readonly options: readonly string[] }, typed: string) {
  const listed = options.map((option, at) => `${at + 1}. ${option}`).join("  ");
  const literally = `--answer ${id}='"${typed}"'`;
  return `${id} has no option ${typed}: ${listed}. If ${typed} itself is your answer, quote it: ${literally}`;
}

async function drive(
  io: Io,
  project: Project,
  {
    opened,
    options,
    tellLeftOut,
  }: {
    readonly opened: OpenedPlanning;
    readonly options: PlanOptions;
    readonly tellLeftOut: (out: Io) => Promise<void>;
  },
): Promise<number> {
  const isJson = options.json === true;
  const ticker = createTicker(isJson ? { paint: io.paint } : io);
  const err = (line: string) => ticker.above(() => io.err(line));
  const notice = agentNotices(err);
  // What is uncommitted is no part of the plan, so a plan does not fail because git cannot tell.
  const uncommitted = tellLeftOut({ ...io, err }).catch((error: unknown) => warn({ ...io, err }, messageOf(error)));
  const { observe, hear, watch } = listenersOf(io, { opened, ticker });
  try {
    const end = await opened.drive({
      dialog: options.headless === true ? null : dialogOf(io, project, ticker),
      observe: isJson ? (event) => io.out(visibleJson(event)) : observe,
      hear: (key, event) => {
        hear(event);
        notice(key, event);
      },
      watch,
      signal: io.signal,
    });
    if (!io.signal.aborted) await uncommitted;
    ticker.set(null);
    // A person who leaves a question with Ctrl-C knows that it waits.
    const last = end.kind === "waits" && io.signal.aborted ? ({ kind: "interrupted" } as const) : end;
    return concludePlanning(io, { opened, end: last, tell: isJson ? io.err : io.out });
  } catch (error) {
    ticker.set(null);
    if (io.signal.aborted) throw error;
    const cure = `Nothing recorded is lost: \`stint plan --continue ${opened.plan}\` resumes, with the settings committed by then. \`stint plan --drop ${opened.plan}\` abandons it.`;
    return refuse(io, exitCodes.internal, `${messageOf(error)}\n${cure}`);
  }
}

function dialogOf(io: Io, project: Project, ticker: Ticker): Dialog {
  const ask = createAsker(io);
  return {
    ask: async (questions) => {
      ticker.set(null);
      return await ask(questions);
    },
    review: async (shown) => {
      ticker.set(null);
      return await reviewDraft(io, project, shown);
    },
  };
}

/** Prints a few lines for each event, and shows what is happening meanwhile, with the last words of the agent or command. */
function listenersOf(io: Io, { opened, ticker }: { readonly opened: OpenedPlanning; readonly ticker: Ticker }) {
  const agentOf = (role: "planner" | "reviewer") => resolveRole(opened.config, role)?.agentName ?? null;
  const tell = planningTeller(linesLookOf(io), { agentOf, before: opened.state.usage });
  let ear: ReturnType<typeof openEar> | undefined;
  let isChecking = false;
  const check = (now: boolean) => {
    isChecking = now;
    ticker.set(now ? "checking the draft" : null);
  };
  const observe: PlanningObserver = (event) => {
    ticker.above(() => tell(event).forEach(io.out));
    if (event.type === "planning-continued" && opened.state.draft !== null) check(true);
    if (event.type === "session-started") {
      ear = openEar(opened.redact, opened.outputOf(event));
      ticker.set(`${event.phase}: ${roleOf[event.phase]} working`, { last: ear.last });
    }
    if (event.type === "session-ended") check(event.hasDraft);
    if (event.type === "draft-assessed") check(false);
  };
  const watch = showCommands(ticker, () => (isChecking ? "checking the draft" : undefined));
  return { observe, hear: (event: AgentEvent) => ear?.hear(event), watch };
}
