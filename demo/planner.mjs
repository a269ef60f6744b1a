// This is a script, not a model. It plays the planner of the demo, and the one who reads its draft against the goal.
// Like any agent it finds what is known in its inbox and leaves what it has to say in its outbox. It errs once: whether
// it does so again depends on what it is told of the previous draft.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const { STINT_TASK: phase, STINT_INBOX: inbox, STINT_OUTBOX: outbox } = process.env;
const plan = join(import.meta.dirname, "plan");

const questions = [
  { id: "rounding", question: "How is half a cent rounded?", options: ["up", "to even"], recommend: "up" },
  { id: "days", question: "How many days has a customer to pay?", options: ["14", "30"], recommend: "30" },
];

const phases = {
  interview: () => {
    write("questions.json", JSON.stringify(questions));
    return "Two things only a person can know.";
  },
  gaps: () => {
    copy("scope.md");
    return "The scope is written down, with what is left out.";
  },
  draft: () => {
    const wasTold = /05-csv\.md.*green/.test(told("problems.md"));
    mkdirSync(join(outbox, "tasks"));
    for (const name of ["plan.md", ...readdirSync(join(plan, "tasks")).map((task) => `tasks/${task}`)]) copy(name);
    // What was asked and answered is recorded by Stint.
    write("plan.md", read("plan.md").replace(/^decisions:\n(?: {2}- .*\n)*/m, ""));
    // The honest mistake: this test is green already, so it proves nothing of the task.
    if (!wasTold) write("tasks/05-csv.md", read("tasks/05-csv.md").replace("test/csv.test.js", "test/money.test.js"));
    return wasTold ? "05-csv is proven by its own test now." : "Seven tasks, each with a check.";
  },
  critique: () => {
    write("findings.json", "[]");
    return "Every goal has a task, and no task needs another one's files.";
  },
};

function told(name) {
  const file = join(inbox, name);
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

function copy(name) {
  cpSync(join(plan, name), join(outbox, name));
}

function read(name) {
  return readFileSync(join(plan, name), "utf8");
}

function write(name, text) {
  writeFileSync(join(outbox, name), text);
}

console.log(`(script) ${phase}: ${phases[phase]()}`);
