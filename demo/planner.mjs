// This is a script, not a model. It plays the planner of the demo, and the critic who compares its draft with the goal.
// Like any agent it gets its input in its inbox and leaves its results in its outbox. It makes one mistake: whether it
// repeats it depends on what it is told about the previous draft.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const { STINT_TASK: phase, STINT_INBOX: inbox, STINT_OUTBOX: outbox } = process.env;
const plan = join(import.meta.dirname, "plan");

const questions = [
  { id: "rounding", question: "How is half a cent rounded?", options: ["up", "to even"], recommend: "up" },
  { id: "days", question: "How many days does a customer have to pay?", options: ["14", "30"], recommend: "30" },
];

const phases = {
  interview: () => {
    write("questions.json", JSON.stringify(questions));
    return "Two questions only a person can answer.";
  },
  gaps: () => {
    copy("scope.md");
    return "The scope is written down, with what is left out.";
  },
  draft: () => {
    const wasTold = /05-csv\.md.*green/.test(told("problems.md"));
    mkdirSync(join(outbox, "tasks"));
    for (const name of ["plan.md", ...readdirSync(join(plan, "tasks")).map((task) => `tasks/${task}`)]) copy(name);
    // Stint records the questions and answers.
    write("plan.md", read("plan.md").replace(/^decisions:\n(?: {2}- .*\n)*/m, ""));
    // The honest mistake: this test passes already, so it proves nothing about the task.
    if (!wasTold) write("tasks/05-csv.md", read("tasks/05-csv.md").replace("test/csv.test.js", "test/money.test.js"));
    return wasTold ? "05-csv is proven by its own test now." : "Seven tasks, each with a check.";
  },
  critique: () => {
    write("findings.json", "[]");
    return "Every goal has a task, and no task needs another task's files.";
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
