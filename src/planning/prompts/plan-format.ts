/** A whole draft as a planner writes it, by name in the outbox; lint finds no problem in it. */
export const exampleDraft: ReadonlyMap<string, string> = new Map([
  [
    "plan.md",
    `---
stint: 1
title: Export measurements as CSV
goal: Let people take the measurements of a station into a spreadsheet
checks:                          # of the whole plan, on the final tip
  - npm test
prerequisites:                   # what must be true before anything starts; with a check where one is possible
  - { text: Node 20 or newer, check: "node --version | grep -Eq '^v[2-9][0-9]'" }
decisions:                       # only what a person should know was decided; answers to your questions are added for you
  - id: separator
    question: Which character separates the columns?
    options: [comma, semicolon]
    recommend: comma
    answer: comma
edge_cases:                      # given to every executor
  - "A station without measurements: the header alone"
  - "A name with a comma in it: quoted"
---

## Overview

One module turns measurements into lines, the command line prints them.

## Tasks

- [ ] [01-csv](tasks/01-csv.md) Turn measurements into lines of CSV
- [ ] [02-command](tasks/02-command.md) Print the CSV of a station with \`weather export\`
`,
  ],
  [
    "scope.md",
    `# Scope

## Understanding

\`src/station.js\` reads the measurements of a station; \`bin/weather.js\` prints the last one.

## Goals

- \`weather export <station>\` prints one line for each measurement, oldest first.

## Gaps

- Other formats: nobody asked for them.
- Times have no zone in the data; they are printed as they are.
`,
  ],
  [
    "tasks/01-csv.md",
    `---
title: Turn measurements into lines of CSV     # written so that a search finds it
depends: []                                    # ids of tasks that must have landed before
files:                                         # all that the task may touch, relative to the root of the repository
  create: [src/csv.js, test/csv.test.js]       # must not exist yet
  modify: []                                   # must exist, or be created by a task it depends on
  delete: []
estimate: 20m                                  # 15m to 60m
complexity: low                                # low | medium | high
source_docs: []                                # files of the repository that the executor must read
checks:                                        # at least one must fail now and pass when the task is done
  - run: node --test test/csv.test.js          # a command line for sh -c; exit 0 passes
    timeout: 2m
  - exists: src/csv.js
  - { run: npm test, red: false }              # must stay green: it may be green before the work
---

## Goal

\`src/csv.js\` exports \`toCsv(measurements)\`, which returns the header \`time,temperature\` and one line for each measurement.

## Context

A measurement is \`{ time, temperature }\`, as \`readStation\` in \`src/station.js\` returns it. Decided: the separator is a comma.

## Steps

1. Write \`test/csv.test.js\` with \`node:test\` and \`node:assert/strict\`.
2. Write \`src/csv.js\`.

## Test plan

- No measurements: the header alone, with a line end.
- A text with a comma or a quote in it is quoted, and its quotes are doubled.

## Out of scope

The command line: 02-command.
`,
  ],
  [
    "tasks/02-command.md",
    `---
title: Print the CSV of a station with \`weather export\`
depends: [01-csv]
files:
  create: [test/export.test.js]
  modify: [bin/weather.js]
estimate: 30m
complexity: medium
checks:
  - node --test test/export.test.js
  - contains: { file: bin/weather.js, text: "export" }
---

## Goal

\`bin/weather.js export <station>\` prints what \`toCsv\` of \`src/csv.js\` returns for the station, and exits with 1 and a message where there is no such station.

## Context

\`bin/weather.js\` chooses by its first argument; \`last\` is the example to follow.

## Steps

1. Write \`test/export.test.js\`: it starts the program with \`node:child_process\`.
2. Add the command.

## Test plan

- A station of the fixtures; one that is not there; no argument at all.

## Out of scope

Writing files: people redirect the output.
`,
  ],
]);

const names = [...exampleDraft].map(([name, text]) => `### ${name}\n\n\`\`\`\`markdown\n${text}\`\`\`\`\n`).join("\n");

/** How plan.md, scope.md and task files are written: `format.md` of a planner's inbox. */
export const planFormat = `# How a plan is written

Write these files to the outbox, under these names:

- \`plan.md\`: the plan. Its front matter is YAML, with no other keys than those below. \`## Tasks\` has one line for each task, with an empty box: only Stint ticks boxes.
- \`scope.md\`: with the headings Understanding, Goals and Gaps.
- \`tasks/<id>.md\`: one file for each task. An id matches \`^[a-z0-9][a-z0-9-]{0,63}$\`. \`## Goal\` must say something.
- \`rules.md\`, only if the rules of the repository should change: the whole new text. It is a proposal; a person decides.

## A task

One agent does it in one session of 15 to 60 minutes, and sees the task, the titles of its neighbours and the repository. It does not see this conversation: write all it needs to know into the task. It may touch what \`files\` names and nothing else; \`files: [a, b]\` means create or modify. Paths are relative to the root of the repository and may be globs such as \`src/views/**\`. Files under \`plans/\` and \`.stint/\` are never among them. Tests, settings of test runners, lock files and CI settings change only where \`files\` names them.

An input is in \`plans/<plan>/inputs/\` of the repository: use that path under \`source_docs\` of the task that needs it, and write the facts that matter into the task.

## A check

- \`run\`: a command line for \`sh -c\`, at the root of a fresh checkout of the committed files. Besides \`timeout\` (default 10m) it may have \`env\` (a map), \`cwd\` (a folder that exists before the work) and \`network: true\`.
- \`exists: path\`, \`absent: path\`, \`contains: { file, text }\`: facts about files.
- \`judge: question\`: answered by another agent, which can only reject; never the only check.

Each check runs on the base, before any work. Exit 126 or 127, a timeout or a missing \`cwd\` is a broken check, and the draft comes back to you. So does one with a task whose checks are all green: at least one must be red now and green when the task is done. A check that must stay green says \`red: false\`.

## An example

${names}`;
