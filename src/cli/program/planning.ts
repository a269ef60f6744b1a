import type { Command } from "commander";
import type { Io } from "../io.ts";
import type { Declare, Go } from "./declare.ts";
import { collect } from "./arguments.ts";
import { more, trouble } from "./more.ts";

/** What leads to an approved plan. */
export const planning: readonly Declare[] = [init, plan, lint, check, approve];

function init(program: Command, io: Io, go: Go): void {
  program
    .command("init")
    .summary("write settings and rules that fit this repository")
    .description(
      [
        "Looks for projects (node, python, go, rust) at the root of the repository or one folder below, and writes",
        ".stint/config.yaml (set-up) and .stint/rules.md (checks after every task, protected files) with comments.",
        "Nothing is run, and no file that is there is overwritten. What may not fit is written as a comment.",
      ].join(" "),
    )
    .option(
      "--json",
      "print {root, kinds, written, kept, setup, checks, offered, hooks, protect, agents, notes, example}",
    )
    .addHelpText(
      "after",
      more({
        codes: { ...trouble, 0: "written, or all is there", 2: "a link or the like is in the way; bad usage" },
        examples: { "stint init": "then read both files", "stint init --json": "for a program" },
      }),
    )
    .action(async (options) => go((await import("../commands/init.ts")).init(io, options)));
}

function plan(program: Command, io: Io, go: Go): void {
  program
    .command("plan [goal]")
    .summary("make a plan for a goal, or another version of a plan")
    .description(
      [
        "The planner reads the code, asks what only you can answer, says what is missing, and drafts tasks with checks. Stint lints the draft and runs every check on HEAD; what is wrong goes back to the planner, a critic reads the rest. Then you accept the draft, ask for changes in words, edit it, or reject it.",
        "Agents work in throwaway clones: nothing of your checkout changes but plans/<plan>, which is written, not committed, when you accept. Ctrl-C is safe: with --continue it goes on.",
        "Behind --continue, --drop and --revise the argument is the name of a plan. A goal that begins with a dash comes last, after --.",
      ].join("\n"),
    )
    .option("--input <path...>", "files and folders that tell what is wanted")
    .option("--name <name>", "the plan's name; default: made of the goal's words")
    .option("--headless", "ask nothing: assume what the planner recommends, and accept the last draft")
    .option("--continue", "go on with the newest planning, or with that of the named plan")
    .option("--answer <id=text>", "answer a question, with --continue; may be given several times", collect)
    .option("--drop", "give up the newest planning, or that of the named plan; no plan is written")
    .option("--revise <words>", "change a plan as these words say; the tasks that are done stay")
    .option("--json", "print the planning's journal as it happens")
    .addHelpText(
      "after",
      more({
        codes: {
          ...trouble,
          0: "the plan is written, and nothing is left to mend in it; or given up",
          3: "waits for a person: questions, a draft, a login; rejected; or the plan\nis written with errors left",
          5: "the `budget` of the settings is used up by this planning",
          75: "usage limit; `stint plan --continue` goes on after its reset",
          130: "interrupted; `stint plan --continue` goes on",
        },
        examples: {
          'stint plan "Add a login page" --input login.png': "and a picture of it",
          'stint plan "Add a login page" --headless': "without a person",
          "stint plan --continue --answer lifetime=15m": "answer, and go on",
          'stint plan --revise "Drop the export" add-login': "change a plan",
        },
      }),
    )
    .action(async (goal, options) => go((await import("../commands/plan.ts")).plan(io, goal, options)));
}

function lint(program: Command, io: Io, go: Go): void {
  program
    .command("lint [plan]")
    .summary("say what is wrong with a plan, and what could be better")
    .description(
      "Reads plans/<plan>, .stint/rules.md, .stint/config.yaml and prompts of the work tree, and prints file:line:column: error|warning: message, then the plan's shape: waves, critical path and time by its estimates. Runs no command and writes nothing.",
    )
    .option("--json", "print an array of {file, line, column, severity, code, message}")
    .addHelpText(
      "after",
      more({
        codes: { ...trouble, 0: "no problem, or warnings only", 2: "errors in the plan or the settings; bad usage" },
        examples: { "stint lint": "the only plan", "stint lint add-auth --json": "for an editor or a pipeline" },
      }),
    )
    .action(async (plan, options) => go((await import("../commands/lint.ts")).lint(io, plan, options)));
}

function check(program: Command, io: Io, go: Go): void {
  program
    .command("check [plan]")
    .summary("run every check of a plan on HEAD, as a run would")
    .description(
      "Runs each check of the plan in the work tree, in a fresh checkout of HEAD, and prints red, green or broken, with what would help: the key to set, the program that is missing, the place of a set-up that fails. A check of work to do should be red, one of the rules green. One that is broken, or red and marked red: false, is asked once more with the network, which is said.\nThe commands are run without an approval, set-up with the network: read a plan of somebody else's first. Your checkout is not written.",
    )
    .option("--json", "print an array of {task, label, state, why, tests, proof, cure}")
    .addHelpText(
      "after",
      more({
        codes: {
          ...trouble,
          0: "each check is red or green",
          2: "errors in the plan; bad usage",
          4: "one is broken: it cannot be run",
        },
        examples: { "stint check": "the only plan", "stint check add-auth --json": "for a program" },
      }),
    )
    .action(async (plan, options) => go((await import("../commands/check.ts")).check(io, plan, options)));
}

function approve(program: Command, io: Io, go: Go): void {
  program
    .command("approve [plan]")
    .summary("show every command a plan would run, and approve it")
    .description(
      "Shows what changed since the last approval, all that would be approved, and what it may take, and records its hash in .git/stint/approvals. On a terminal it asks; without one it records at once.\nWhat is approved must be committed: --yes commits the plan, its rules and settings, and nothing else.",
    )
    .option("--yes", "ask nothing; commit the plan's files if they are not committed")
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
          3: "not approved: a person said no, a decision is open, files are not\ncommitted, or a prerequisite does not hold",
        },
        examples: {
          "stint approve": "read, then answer the question",
          "stint approve add-auth --yes": "commit it and agree",
        },
      }),
    )
    .action(async (plan, options) => go((await import("../commands/approve.ts")).approve(io, plan, options)));
}
