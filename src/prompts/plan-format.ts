/** How a plan is written, by example; lies in the inbox of whoever drafts one. */
export const planFormat = `# plan.md

~~~markdown
---
stint: 1
title: Users can sign in with a password
goal: Add sign-in to the web application
checks:                       # of the whole plan, when all tasks are done
  - npm test
prerequisites:                # what must be so before anybody begins; optional
  - { text: Node 20 or newer, check: "node --version" }
edge_cases:                   # every executor is told these; optional
  - An address that is registered already gets the answer 409
---
## Overview

Two or three paragraphs: what will be different, and how the tasks get there.

## Tasks

- [ ] [01-password-hash](tasks/01-password-hash.md) Hash and compare passwords
- [ ] [02-sign-in-route](tasks/02-sign-in-route.md) Answer POST /sign-in
~~~

# tasks/<id>.md

The id is 1 to 64 of a-z, 0-9 and "-", and the name of the file.

~~~markdown
---
title: Hash and compare passwords
depends: []                   # ids of tasks that must be done before
files:                        # all that it may touch; globs are allowed
  create: [src/password.ts, test/password.test.ts]
  modify: [src/index.ts]
  delete: []
estimate: 30m                 # 15m to 60m
complexity: low               # low | medium | high
source_docs: []               # documents that it was made from, by their paths from the root
checks:
  - run: npx vitest run test/password.test.ts
  - contains: { file: src/index.ts, text: hashPassword }
  - { run: npm run lint, red: false }
---
## Goal

What is true when it is done.

## Context

The code it meets, with paths and names; every fact that it needs.

## Steps

1. What to do, in order, with names and values.

## Test plan

Which tests are written, and what each of them shows.

## Out of scope

What is left to others.
~~~

Checks: \`run\` is a command line for \`sh -c\` in the root of a clean checkout, exit 0 passes (optional \`timeout: 10m\`, \`env\`, \`cwd\`, \`network: true\`); \`exists\` and \`absent\` name a path; \`contains\` looks for a text in a file; \`judge\` is a question that can only refuse, and is never the only check. At least one check of each task must fail before the task is done; one that may pass before is marked \`red: false\`.

# scope.md

~~~markdown
# Scope

## Understanding

## Goals

## Gaps
~~~
`;
