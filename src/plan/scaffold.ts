import { yamlText } from "./quick-plan.ts";

/** Writes a plan of one file for its author to fill in; lint names every gap, and nothing else. */
export function scaffold(name: string): string {
  const words = name.replaceAll("-", " ");
  const title = words[0]!.toUpperCase() + words.slice(1);
  return `---
stint: 1
title: ${yamlText(title)}
# goal: what is true when all tasks are done, in a sentence; agents read it
# checks:              # of the whole plan, run once after the last task
#   - npm test
---
<!-- Comments like this one are for you; delete them whenever you like. -->

## Overview

<!-- Why, and what all tasks need to know. -->

## [ ] 01-first TODO

<!-- "01-first" is the id, "TODO" the title, later the commit's subject. -->

\`\`\`yaml
files:                 # all that the task may touch: paths, globs as in src/**
  create: []
  modify: []
checks: []             # commands: at least one fails now and passes afterwards
estimate: 30m          # 15m to 60m; split what takes longer
\`\`\`

### Goal

<!-- What is true when the task is done. Its agent sees no other task. -->

### Context

<!-- Where to look, what to reuse, what not to change. -->

### Test plan

<!-- Which cases the tests cover, and in which files. -->

<!--
More tasks follow in the same way, each with an id of its own. Those that do not
depend on each other run in parallel; in the yaml block, "depends: [01-first]"
makes one wait for another.
-->
`;
}
