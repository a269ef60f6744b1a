import { makes } from "../../rig/plan.ts";
import { branch, type Mistake } from "./row.ts";

const task = "plans/work/tasks/01-a.md";
const restored = "git checkout -q . && git clean -qfd && stint lint";
const done = { code: 0, says: ["run finished: done"], changes: branch } as const;

/** A mistake in a file, which lint names with its line. */
function inFile(mistake: string, made: string, says: Mistake["says"], more: Partial<Mistake> = {}): Mistake {
  return { mistake, made, typed: "stint lint", code: 2, says, cure: restored, ...more };
}

/** Plans, rules, settings and checks written wrong. */
export const files: readonly Mistake[] = [
  {
    mistake: "no plan at all",
    made: "git rm -rq plans && git commit -qm Without",
    typed: "stint run",
    code: 2,
    says: ["no plan", 'stint plan "'],
    cure: "git revert --no-edit HEAD && stint lint",
  },
  inFile("a file where plans/ should be", "rm -r plans && : >plans", ["plans is a file", "Rename"], {
    cure: "rm plans && git checkout -q . && stint lint",
  }),
  inFile("an empty plan folder", "rm -r plans/work/*", ["plans/work", "plan.md"]),
  inFile("an empty plan.md", ": >plans/work/plan.md", ["plans/work/plan.md:1", "---"]),
  inFile("a plan without tasks", "rm plans/work/tasks/* && sed -i '/01-a/d' plans/work/plan.md", [
    "plans/work/plan.md:1",
    "no files tasks/",
  ]),
  inFile("a plan.md without front matter", "sed -i '1,/^---$/d;1,/^---$/d' plans/work/plan.md", [
    "plans/work/plan.md:1",
    "---",
  ]),
  inFile("a plan of a newer Stint", "sed -i 's/^stint: 1/stint: 2/' plans/work/plan.md", [
    "plans/work/plan.md:2",
    "stint must be 1",
  ]),
  inFile(
    "conflict markers in plan.md",
    "sed -i 's/^goal:.*/<<<<<<< HEAD\\n&\\n=======\\n&\\n>>>>>>> side/' plans/work/plan.md",
    ["plans/work/plan.md:4", /conflict/],
  ),
  inFile(
    "a file name in capitals",
    "mv plans/work/plan.md plans/work/Plan.md",
    ["plans/work/plan.md", "rename Plan.md to plan.md"],
    {},
  ),
  inFile(
    "a task file in capitals",
    `git mv ${task} plans/work/tasks/01-A.md`,
    ["plans/work/tasks/01-A.md:1", "rename the file to 01-a.md", "1 error"],
    {
      cure: "git reset -q --hard && stint lint",
    },
  ),
  inFile("a task file with a space in its name", `cp ${task} 'plans/work/tasks/02 more.md'`, [
    "plans/work/tasks/02 more.md:1",
    "rename the file to 02-more.md",
    "1 error",
  ]),
  inFile("a task file that is not Markdown by name", `mv ${task} plans/work/tasks/01-a.markdown`, ["01-a", "01-a.md"]),
  inFile("a task file that plan.md does not list", `sed 's/a.txt/b.txt/' ${task} >plans/work/tasks/02-b.md`, [
    "02-b",
    "plans/work/plan.md",
    "## Tasks",
  ]),
  inFile("a plan file that one may not read", `chmod a-r ${task}`, [`${task}:1`, "permission denied"], {
    asAnybody: true,
    cure: `chmod u+r ${task} && stint lint`,
  }),
  inFile(
    "a task that plan.md lists without a file",
    "sed -i 's/^- .*/&\\n- [ ] [02-b](tasks\\/02-b.md) More/' plans/work/plan.md",
    ["plans/work/plan.md:", "tasks/02-b.md"],
  ),
  inFile("an image saved as a task", `printf '\\377\\330\\377\\340' >${task}`, [task, "UTF-8"]),
  inFile("a folder where a task file should be", `rm ${task} && mkdir ${task} && : >${task}/x`, [
    task,
    /not a (regular )?file/,
  ]),
  inFile("tabs in YAML", `sed -i 's/^  create:/\\tcreate:/' ${task}`, [`${task}:5:1`, /tab/i, /spaces/]),
  inFile("a quote that is not closed in YAML", `sed -i 's/^title:.*/title: "Do it/' ${task}`, [`${task}:2:8`, /quote/]),
  inFile("a colon in a title without quotes", `sed -i 's/^title:.*/title: Do: it/' ${task}`, [`${task}:2`, /quotes/]),
  inFile("a key of a task with a typo", `sed -i 's/^depends:/dependz:/' ${task}`, [
    `${task}:3:1`,
    "dependz",
    'did you mean "depends"?',
  ]),
  inFile("a model's name in a plan", `sed -i 's/^estimate:/model: opus\\n&/' ${task}`, [
    `${task}:`,
    "model",
    "role",
    ".stint/config.yaml",
  ]),
  inFile("a model's name as a role", `sed -i 's/^estimate:/role: opus\\n&/' ${task}`, [`${task}:`, "opus", "executor"]),
  inFile("a dependency that does not exist", `sed -i 's/^depends:.*/depends: [01-b]/' ${task}`, [`${task}:3`, "01-b"]),
  inFile("a task that waits for itself", `sed -i 's/^depends:.*/depends: [01-a]/' ${task}`, [
    `${task}:3`,
    /itself|cycle/,
  ]),
  inFile(
    "tasks that wait for each other",
    `sed -i 's/^depends:.*/depends: [02-b]/' ${task}`,
    ["plans/work/tasks/", "cycle", /01-a.*02-b|02-b.*01-a/],
    {
      given: { plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt", { depends: ["01-a"] }) } } },
    },
  ),
  inFile("a task without files", `sed -i '/^files:/,/a.txt$/d' ${task}`, [`${task}:`, "files"]),
  inFile("a task without checks", `sed -i '/^checks:/,/grep/d' ${task}`, [`${task}:`, "checks"]),
  inFile("a task whose only check is a judge", `sed -i 's/- grep.*/- judge: Is it good?/' ${task}`, [
    `${task}:`,
    "judge",
    /another check|besides|add a/i,
  ]),
  inFile("a file to be created that exists", `sed -i 's/- a.txt/- README.md/' ${task}`, [
    `${task}:6`,
    "README.md",
    "modify",
  ]),
  inFile("a file outside the repository", `sed -i 's/- a.txt/- ..\\/a.txt/' ${task}`, [
    `${task}:6`,
    "inside the repo",
    'without ".."',
  ]),
  inFile("a time-out in words", `sed -i 's/- grep.*/- { run: make, timeout: 5 minutes }/' ${task}`, [
    `${task}:9`,
    "timeout",
    /5m\b|10m\b/,
  ]),
  inFile("a time-out below zero in the settings", "sed -i 's/^run:/&\\n  task_timeout: -5m/' .stint/config.yaml", [
    /\.stint\/config\.yaml:\d+/,
    "task_timeout",
    /60m|90s|10m/,
  ]),
  inFile("no task at a time in the settings", "sed -i 's/parallel: 1/parallel: 0/' .stint/config.yaml", [
    /\.stint\/config\.yaml:\d+/,
    "parallel",
    "1",
  ]),
  {
    mistake: "a budget of nothing in the settings",
    made: "printf 'budget:\\n  usd: 0\\n' >>.stint/config.yaml && git commit -qam Budget",
    typed: "stint run --yes",
    code: 5,
    says: ["0.00 of 0.00 USD", "Raise `budget` in the settings", "--budget-usd 1.00"],
    cure: "stint resume --budget-usd 1",
  },
  inFile("a setting with a typo", "sed -i 's/parallel:/paralell:/' .stint/config.yaml", [
    /\.stint\/config\.yaml:\d+:\d+/,
    "paralell",
    'did you mean "parallel"?',
  ]),
  inFile("a role's agent with a typo", "sed -i 's/agent: scripted/agent: scriptd/' .stint/config.yaml", [
    /\.stint\/config\.yaml:\d+/,
    "scriptd",
    "scripted",
  ]),
  inFile(
    "a folder where the settings should be",
    "rm .stint/config.yaml && mkdir .stint/config.yaml && : >.stint/config.yaml/x",
    [".stint/config.yaml", /not a (regular )?file/],
  ),
  inFile(
    "settings under a name that is not read",
    "git mv .stint/config.yaml .stint/config.yml && git commit -qm Moved",
    [".stint/config.yml", "not read", ".stint/config.yaml"],
    {
      code: 0,
      cure: "git mv .stint/config.yml .stint/config.yaml && stint lint",
    },
  ),
  inFile(
    "settings in a folder that is not read",
    "git mv .stint/config.yaml stint.yaml && git commit -qm Moved",
    ["stint.yaml", "not read", ".stint/config.yaml"],
    {
      code: 0,
      cure: "mkdir -p .stint && git mv stint.yaml .stint/config.yaml && stint lint",
    },
  ),
  {
    mistake: "a plan with the line ends of Windows",
    made: "sed -i 's/$/\\r/' plans/work/*.md plans/work/tasks/*.md && git commit -qam CRLF",
    typed: "stint run --yes",
    ...done,
  },
  {
    mistake: "settings and rules with the line ends of Windows",
    given: { rules: { forbid: ["*.pem"], checks: ["true"] } },
    made: "sed -i 's/$/\\r/' .stint/* && git commit -qam CRLF",
    typed: "stint approve --yes",
    code: 0,
    says: ["Approved work"],
  },
  {
    mistake: "a byte order mark in every file",
    given: { rules: { forbid: ["*.pem"] } },
    made: "sed -i '1s/^/\\xef\\xbb\\xbf/' .stint/* plans/work/*.md plans/work/tasks/*.md && git commit -qam BOM",
    typed: "stint run --yes",
    ...done,
  },
  {
    mistake: "a check's script with the line ends of Windows",
    made: `printf '#!/bin/sh\\r\\ngrep -q ready a.txt\\r\\n' >check.sh && chmod +x check.sh && sed -i 's/- grep.*/- .\\/check.sh/' ${task} && git add check.sh && git commit -qam CRLF`,
    typed: "stint check",
    code: 4,
    says: ["check.sh", /line ends|CRLF|Windows/],
    cure: "sed -i 's/\\r//' check.sh && git commit -qam LF && stint check",
  },
  {
    mistake: "a plan folder that git ignores",
    made: "git rm -rq --cached plans && echo plans/ >.gitignore && git add .gitignore && git commit -qm Ignored",
    typed: "stint approve --yes",
    code: 3,
    says: ["git ignores plans/work/plan.md (.gitignore:1: plans/)", "Remove that rule", "stint approve work"],
    cure: "git rm -q .gitignore && git commit -qm Seen && stint approve --yes",
  },
  {
    mistake: "a plan that is not committed",
    made: "git rm -rq --cached plans && git commit -qm Without",
    typed: "stint run",
    code: 3,
    says: [/plan work|plans\/work/, "uncommitted", "stint approve"],
    cure: "stint approve --yes",
  },
  {
    mistake: "a plan that nobody approved",
    typed: "stint run",
    code: 3,
    says: ["work", "not approved", "stint approve"],
    cure: "stint approve --yes && stint run",
  },
  {
    mistake: "a plan changed after its approval",
    made: `stint approve --yes && sed -i 's/15m/30m/' ${task} && git commit -qam Longer`,
    typed: "stint run",
    code: 3,
    says: ["work", "changed after it was approved", "stint approve"],
    cure: "stint approve --yes",
  },
  {
    mistake: "an approval without a terminal",
    typed: "stint approve",
    code: 3,
    says: ["--yes"],
    cure: "stint approve --yes",
  },
  {
    mistake: "a decision that nobody took",
    given: {
      plan: {
        tasks: { "01-a": makes("a.txt") },
        decisions: [{ id: "colour", question: "Which colour?", options: ["red", "blue"], recommend: "red" }],
      },
    },
    typed: "stint approve --yes",
    code: 3,
    says: [/plans\/work\/plan\.md:\d+/, "Which colour?", "red", "blue", "answer"],
    cure: "sed -i 's/recommend: red/&\\n    answer: blue/' plans/work/plan.md && stint approve --yes",
  },
  {
    mistake: "a check that passes before the work",
    made: `sed -i 's/- grep.*/- test -e README.md/' ${task} && git commit -qam Green`,
    typed: "stint run --yes",
    code: 3,
    says: ["01-a", "before any work", "Add a check that fails until the work is done"],
    cure: `sed -i 's/- test.*/- grep -q ready a.txt/' ${task} && git commit -qam Red && stint run --yes`,
  },
  {
    mistake: "a check whose program is not installed",
    made: `sed -i 's/- grep.*/- no-such-program a.txt/' ${task} && git commit -qam Broken`,
    typed: "stint run --yes",
    code: 4,
    says: ["01-a", "no-such-program", /not found|not installed/],
    cure: `sed -i 's/- no-such.*/- grep -q ready a.txt/' ${task} && git commit -qam Fixed && stint check`,
  },
  {
    mistake: "a check that needs a file that git ignores",
    made: `sed -i 's/- grep.*/- . .\\/.env \\&\\& grep -q ready a.txt/' ${task} && echo .env >.gitignore && echo A=1 >.env && git add .gitignore && git commit -qam Env`,
    typed: "stint check",
    code: 0,
    says: ["red", `${task}:9: .env is in your checkout but not in git`, "commit it", "workspace.setup"],
    cure: `sed -i 's/- \\. .*/- grep -q ready a.txt/' ${task} && git commit -qam Fixed && stint check`,
  },
  {
    mistake: "a check that needs dependencies that nobody installs",
    made: `mkdir -p node_modules/.bin && printf '#!/bin/sh\\ngrep -q ready a.txt\\n' >node_modules/.bin/check && chmod +x node_modules/.bin/check && echo node_modules >.gitignore && sed -i 's/- grep.*/- .\\/node_modules\\/.bin\\/check/' ${task} && git add .gitignore && git commit -qam Modules`,
    typed: "stint check",
    code: 4,
    says: ["./node_modules/.bin/check", "not found", "plans/work/tasks/01-a.md:9", "workspace set-up"],
    cure: `sed -i 's/- \\.\\/node.*/- grep -q ready a.txt/' ${task} && git commit -qam Fixed && stint check`,
  },
];
