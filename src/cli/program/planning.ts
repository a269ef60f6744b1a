import type { Command } from "commander";
import type { Io } from "../io.ts";
import { type Declare, type Go, collect, more, trouble } from "./declare.ts";

/** The commands that lead to an approved plan. */
export const planning: readonly Declare[] = [init, newPlan, plan, list, lint, check, approve];

function init(program: Command, io: Io, go: Go): void {
  program
    .command("init")
    .summary("write settings and rules that fit this repository")
    .description(
      [
        "Looks for projects (node, python, go, rust) in the root of the repository and one folder below, and writes",
        ".stint/config.yaml (set-up) and .stint/rules.md (checks after every task, protected files) with comments.",
        "Runs nothing and never overwrites a file. Whatever may not fit is written as a comment.",
      ].join(" "),
    )
    .option(
      "--json",
      "print {root, kinds, written, kept, setup, checks, offered, hooks, protect, agents, notes, example}",
    )
    .addHelpText(
      "after",
      more({
        codes: { ...trouble, 0: "written, or already there", 2: "a link or special file is in the way; bad usage" },
        examples: { "stint init": "then read both files", "stint init --json": "for scripts" },
      }),
    )
    .action(async (options) => go((await import("../commands/init.ts")).init(io, options)));
}

function newPlan(program: Command, io: Io, go: Go): void {
  program
    .command("new [name]")
    .summary("write a plan yourself: a file to fill in")
    .description(
      "Writes plans/<name>.md, a plan of one file with one task, for you to fill in; nothing is committed. `stint lint` says what is missing. On a terminal it asks for a name that is not given.",
    )
    .option("--edit", "open it in $VISUAL or $EDITOR")
    .addHelpText(
      "after",
      more({
        codes: { ...trouble, 0: "written", 2: "the plan exists, or cannot have that name; bad usage" },
        examples: { "stint new add-login": "then fill it in", "stint new add-login --edit": "in your editor, at once" },
      }),
    )
    .action(async (name, options) => go((await import("../commands/new.ts")).newPlan(io, name, options)));
}

function list(program: Command, io: Io, go: Go): void {
  program
    .command("list")
    .summary("list the plans with their state")
    .description(
      "Shows each plan of the work tree in a line: whether it has errors, is approved, running, waiting for you, done or merged, and what to type next. Changes nothing.",
    )
    .option("--json", "print an array of {plan, title, state, tasks, done, run, merged, words, next}")
    .addHelpText(
      "after",
      more({
        codes: { ...trouble, 0: "listed" },
        examples: { "stint list": "all plans", "stint list --json": "for scripts" },
      }),
    )
    .action(async (options) => go((await import("../commands/list.ts")).list(io, options)));
}

/** `stint plan split`, below `stint plan`. */
function split(plan: Command, io: Io, go: Go): void {
  plan
    .command("split [plan]")
    .summary("turn a plan of one file into a folder")
    .description(
      "Writes plans/<plan>/ with plan.md, a scope.md if the plan has a scope, and a file for each task, and removes plans/<plan>.md. The folder says the same. Overwrites nothing and commits nothing.",
    )
    .addHelpText(
      "after",
      more({
        codes: { ...trouble, 0: "split", 2: "a folder already, errors in the plan, or files in the way" },
        examples: { "stint plan split": "the only plan", "stint plan split add-login": "that plan" },
      }),
    )
    .action(async (name) => go((await import("../commands/plan-split.ts")).splitPlan(io, name)));
}

function plan(program: Command, io: Io, go: Go): void {
  const command = program
    .command("plan [goal]")
    .summary("draft a plan for a goal, or revise an existing plan")
    .description(
      [
        "The planner reads the code, asks what only you can answer, points out what is missing, and drafts tasks with checks. Stint lints the draft and runs every check on HEAD; errors go back to the planner, and a critic reviews the rest. Then you accept the draft, ask for changes, edit it, or reject it.",
        "Agents work in throwaway clones: nothing in your checkout changes except plans/<plan>, which is written (not committed) when you accept. Ctrl-C is safe: --continue resumes.",
        "With --continue, --drop and --revise the argument is a plan name. A goal that starts with a dash comes last, after --.",
      ].join("\n"),
    )
    .option("--input <path...>", "files and folders that describe what you want")
    .option("--name <name>", "the plan's name (default: made from the goal)")
    .option("--headless", "ask no questions: follow the planner's recommendations and accept the last draft")
    .option("--continue", "resume the latest planning session, or the one for the given plan")
    .option("--answer <id=text>", "answer a question (with --continue); repeatable", collect)
    .option("--drop", "abandon the latest planning session, or the one for the given plan; no plan is written")
    .option("--revise <words>", "change a plan as described; finished tasks stay")
    .option("--json", "print the journal of the planning session as it happens")
    .addHelpText(
      "after",
      more({
        codes: {
          ...trouble,
          0: "plan written, with nothing left to fix; or session abandoned",
          3: "needs you: questions, a draft to review, a login; or rejected; or the\nplan is written but still has errors",
          5: "this planning session has used up `budget` from the settings",
          75: "usage limit reached; `stint plan --continue` after the reset",
          130: "interrupted; `stint plan --continue` picks it up",
        },
        examples: {
          'stint plan "Add a login page" --input login.png': "with a picture",
          'stint plan "Add a login page" --headless': "ask no questions",
          "stint plan --continue --answer lifetime=15m": "answer and resume",
          'stint plan --revise "Drop the export" add-login': "change a plan",
        },
      }),
    )
    .action(async (goal, options) => go((await import("../commands/plan.ts")).plan(io, goal, options)));
  split(command, io, go);
}

function lint(program: Command, io: Io, go: Go): void {
  program
    .command("lint [plan]")
    .summary("find errors in a plan, and things to improve")
    .description(
      "Reads plans/<plan> or plans/<plan>.md, .stint/rules.md, .stint/config.yaml and prompts in the work tree, and prints file:line:column: error|warning: message, then the plan's shape: waves, critical path and estimated time. Runs no commands and writes nothing.",
    )
    .option("--json", "print an array of {file, line, column, severity, code, message}")
    .addHelpText(
      "after",
      more({
        codes: { ...trouble, 0: "no problems, or only warnings", 2: "errors in the plan or the settings; bad usage" },
        examples: { "stint lint": "the only plan", "stint lint add-auth --json": "for an editor or CI" },
      }),
    )
    .action(async (plan, options) => go((await import("../commands/lint.ts")).lint(io, plan, options)));
}

function check(program: Command, io: Io, go: Go): void {
  program
    .command("check [plan]")
    .summary("run every check of a plan on HEAD, as a run would")
    .description(
      "Runs each check of the plan in your work tree, in a fresh checkout of HEAD, and prints red (fails), green (passes) or broken (cannot run), with a hint: a key to set, a missing program, where set-up fails. Checks of tasks should be red before the work, checks of the rules green. Checks that cannot run, and regression checks that fail, are retried with network access (and reported); one that then passes without it, too, is called flaky.\nNo approval is needed to run these commands, and set-up has network access: read other people's plans first. Your checkout is not touched.\nIn a project without plans it tries the settings: set-up, and the checks of the rules.",
    )
    .option("--json", "print an array of {task, label, state, why, tests, proof, cure, log}")
    .addHelpText(
      "after",
      more({
        codes: {
          ...trouble,
          0: "every check is red or green",
          2: "errors in the plan; bad usage",
          4: "a check is broken: it cannot run",
        },
        examples: { "stint check": "the only plan", "stint check add-auth --json": "for scripts" },
      }),
    )
    .action(async (plan, options) => go((await import("../commands/check.ts")).check(io, plan, options)));
}

function approve(program: Command, io: Io, go: Go): void {
  program
    .command("approve [plan]")
    .summary("show every command a plan would run, and approve it")
    .description(
      "Shows what changed since the last approval, everything you would approve, and the expected time and cost; then records the plan's hash in .git/stint/approvals. Asks first; without a terminal that shows the page, --yes is needed.\nOnly a committed plan can be approved: with your yes, the plan, its rules and settings are committed, and nothing else.",
    )
    .option("--yes", "do not ask; commit the plan's files if necessary")
    .option(
      "--json",
      "print the page as data: {plan, hash, tasks, waves, commands, decisions, agents, estimate, cap, …}",
    )
    .addHelpText(
      "after",
      more({
        codes: {
          ...trouble,
          0: "approved",
          2: "errors in the plan or the settings; bad usage",
          3: "not approved: you said no, there is no terminal and no --yes,\na decision is open, or a prerequisite is not met",
        },
        examples: {
          "stint approve": "read, then answer yes or no",
          "stint approve add-auth --yes": "commit and approve",
        },
      }),
    )
    .action(async (plan, options) => go((await import("../commands/approve.ts")).approve(io, plan, options)));
}
