/** A one-line patch of shipped code that breaks a promise; the simulator must notice. */
export interface Mutant {
  readonly name: string;
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly line: string;
  readonly instead: string;
}

export const mutants: readonly Mutant[] = [
  {
    name: "no fsync of the journal",
    file: "src/journal/journal.ts",
    line: "      files.fsync(fd);\n    } catch (error) {",
    instead: "    } catch (error) {",
  },
  {
    name: "no repair of a torn tail",
    file: "src/journal/journal.ts",
    line: "cutTornTail(file, cursor.offset, torn);",
    instead: "({ bytes: 0, keptAt: String(cutTornTail === undefined) });",
  },
  {
    name: "carry on after an I/O error",
    file: "src/journal/journal.ts",
    line: "      files.fsync(fd);\n    } catch (error) {",
    instead: "      attempt(() => files.fsync(fd));\n    } catch (error) {",
  },
  {
    name: "the last line is not written again",
    file: "src/journal/journal.ts",
    line: "  rewriteLastLine(file, bytes.subarray(0, cursor.offset));\n",
    instead: "",
  },
  {
    name: "no look whether another process has written",
    file: "src/journal/journal.ts",
    line: "if (!replaced && size === expectedSize) return undefined;",
    instead: "if (expectedSize >= 0) return undefined;",
  },
  {
    name: "a reader shows what is not durable yet",
    file: "src/journal/follow.ts",
    line: "if (entries.length > 0) files.fsync(fd);",
    instead: "",
  },
  {
    name: "the journal's name is not made durable",
    file: "src/journal/journal.ts",
    line: "  files.fsyncDir(dirname(path));",
    instead: "",
  },
  {
    name: "a document's name is not made durable",
    file: "src/journal/document.ts",
    line: "    files.fsyncDir(folder);\n",
    instead: "",
  },
  {
    name: "the lock does not keep a second driver away",
    file: "src/journal/lock.ts",
    line: 'if (outcome === "held") return',
    instead: 'if (path === "" && outcome === "held") return',
  },
  {
    name: "landed although a check is red",
    file: "src/run/steps/verify-checks.ts",
    line: "  if (red().length === 0) return passed();\n  await expectSetUp(",
    instead: "  if (red().length >= 0) return passed();\n  await expectSetUp(",
  },
  {
    name: "the ref is moved without comparing",
    file: "src/run/steps/integrate.ts",
    line: "await run.ports.repo.swapTip(placed, tip);",
    instead:
      'await run.ports.repo.swapTip(placed, tip).then((was) => (was === "moved" ? was : run.ports.repo.swapTip(placed, was.actual)));',
  },
  {
    name: "a commit is adopted without looking at the ref",
    file: "src/run/steps/integrate.ts",
    line: "(await run.ports.repo.contains(swap.actual, placed))",
    instead: "swap.actual !== placed",
  },
  {
    name: "no intent before the ref moves",
    file: "src/run/steps/integrate.ts",
    line: 'if (phase === "passed") run.append(',
    instead: 'if (phase === "taken") run.append(',
  },
  {
    name: "a command's file goes before the journal has it",
    file: "src/run/commands/apply-commands.ts",
    line: "    if (!state.commands.has(id)) {",
    instead: "    commands.remove(id);\n    if (!state.commands.has(id)) {",
  },
  {
    name: "a command is obeyed again after a crash",
    file: "src/run/commands/apply-commands.ts",
    line: "if (!state.commands.has(id)) {",
    instead: "if (id !== state.run) {",
  },
  {
    name: "a pause ends sessions that could finish",
    file: "src/engine/action.ts",
    line: "(state.paused && !isFinishing(state, action))",
    instead: '(state.paused && (!isFinishing(state, action) || action.type === "work"))',
  },
  {
    name: "paused before the last session has finished",
    file: "src/engine/decide.ts",
    line: '({ phase }) => phase === "working" || phase === "ended");',
    instead: '({ phase }) => phase === "ended");',
  },
  {
    name: "a usage limit costs an attempt",
    file: "src/engine/session-end.ts",
    line: '    case "limit":\n    case "overloaded":\n',
    instead:
      '    case "limit":\n      return { kind: "failed", reason: "refused", why: "limit" };\n    case "overloaded":\n',
  },
  {
    name: "an old session is not ended before the next attempt",
    file: "src/run/steps/session.ts",
    line: "const usage = await run.ports.sessions.end(key, { ...process, role });",
    instead:
      "const usage = { inputTokens: 0, outputTokens: 0, usd: 0, unpricedTokens: process.marker.length * 0 * role.length };",
  },
  {
    name: "the workspace of a failed session goes unsaved",
    file: "src/run/steps/collect.ts",
    line: "const collected = await repo.collect(key, { base: attempt.base, signal });",
    instead:
      'const collected = afterSession(attempt).kind === "verify" ? await repo.collect(key, { base: attempt.base, signal }) : ({ kind: "empty" } as Collected);',
  },
  {
    name: "a stopped run is not resumed",
    file: "src/run/run-journal.ts",
    line: 'run.append({ type: "resumed", why: "driver-started", pid: run.pid, settings });',
    instead:
      'if (run.state.stopped === null) run.append({ type: "resumed", why: "driver-started", pid: run.pid, settings });',
  },
  {
    name: "an event reaches the state before the journal",
    file: "src/run/run-journal.ts",
    line: "    const appended = journal.append(event, ports.clock.now());",
    instead:
      '    if (event.type === "task-integrated") evolve(state, { ...event, at: "" } as never);\n    const appended = journal.append(event, ports.clock.now());',
  },
  {
    name: "another plan resets a task that it does not name",
    file: "src/engine/revise.ts",
    line: "else tasks.set(spec.id, Object.assign(taskOf(state, spec.id), { rank }));",
    instead:
      "else { const task = taskOf(state, spec.id); tasks.set(spec.id, Object.assign(task, { rank, spent: 0, feedback: null })); if (task.attempt !== null) task.attempt.candidate = null; }",
  },
  {
    name: "another plan may change what has landed",
    file: "src/engine/replan.ts",
    line: "if (task !== undefined && (isOver(task.phase) || task.commit !== null))",
    instead: "if (task !== undefined && isOver(task.phase) && task.commit === null)",
  },
  {
    name: "a task that comes back counts its attempts from the start",
    file: "src/engine/revise.ts",
    line: "{ ...newTask(spec, rank), ...retired.get(spec.id) }",
    instead: "{ ...newTask(spec, rank), usage: retired.get(spec.id)?.usage ?? noSpending }",
  },
  {
    name: "what a planner used before a crash is forgotten",
    file: "src/run/steps/replan.ts",
    line: "const usage = atLeast(beyond(proposed.usage, known), cap.spending);",
    instead: 'const usage = proposed.kind === "none" ? known : atLeast(beyond(proposed.usage, known), cap.spending);',
  },
  {
    name: "a session continues although another plan for its task is accepted",
    file: "src/engine/action.ts",
    line: '      return isBarred(state, action.task);\n    case "verify"',
    instead: '      return isBarred(state, action.task) && action.type !== "work";\n    case "verify"',
  },
  {
    name: "another plan takes effect before a session that a dead driver left is ended",
    file: "src/engine/replan.ts",
    line: 'return byHand || isJudged || phase === "working" ||',
    instead: "return byHand || isJudged ||",
  },
  {
    name: "another plan ends sessions of tasks that it does not name",
    file: "src/engine/action.ts",
    line: '      return isBarred(state, action.task);\n    case "verify"',
    // Only one that has begun: to end what is about to begin, again and again, would never come to an end.
    instead:
      '      return isBarred(state, action.task) || (state.replanning.accepted !== null && state.tasks.get(action.task)?.phase === "working");\n    case "verify"',
  },
  {
    name: "a task begins while another plan for it is accepted",
    file: "src/engine/state.ts",
    line: "if (accepted?.changes.some((change) => change.id === id) !== true) return false;",
    instead: 'if (accepted?.changes.some((change) => change.id === id) !== true || id !== "") return false;',
  },
];
