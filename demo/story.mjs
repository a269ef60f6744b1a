// What must have happened in the demo, read from the journal and from git.

/** Each expectation of the scripted story, with whether it was met. */
export function storyOf({ events, planned, killed, asked, git }) {
  const facts = readFacts(events);
  return {
    ...whatWasPlanned(planned, git),
    ...whatAgentsDid(facts),
    ...whatPeopleDid(facts, asked),
    ...whatWentWrongOutside(facts, killed),
    ...whatIsThere(facts, git),
  };
}

/** What is expected of the short demo. */
export function shortStoryOf({ events, git }) {
  const facts = readFacts(events);
  const isOfVat = ([text]) => text.startsWith("03-vat");
  return {
    ...Object.fromEntries(Object.entries(whatAgentsDid(facts)).filter(isOfVat)),
    "the branch has exactly that one commit": tasksOn(git, "stint/invoices").join() === "03-vat",
    ...whatIsUntouched(git),
  };
}

/** Prints expectations, and returns how many were not met. */
export function showExpectations(expectations) {
  console.log("\n== Did everything happen as expected? (read from the journal and from git) ==");
  for (const [text, held] of Object.entries(expectations)) console.log(`  ${held === true ? "yes" : "NO "}  ${text}`);
  return Object.values(expectations).filter((held) => held !== true).length;
}

/** The task of each commit on the branch, oldest first. */
export function tasksOn(git, branch) {
  const format = "--format=%(trailers:key=Stint-Task,valueonly,separator=)";
  return git("log", "--reverse", format, `main..${branch}`).split("\n").filter(Boolean);
}

function readFacts(events) {
  const of = (type, task) => events.filter((event) => event.type === type && event.task === task);
  const at = (type, task) => events.indexOf(of(type, task)[0]);
  return {
    events,
    of,
    verdicts: (task) => of("verdict", task),
    sessions: (task) => of("agent-started", task).length,
    overlap: (one, other) =>
      Math.min(at("agent-started", one), at("agent-started", other)) >= 0 &&
      Math.max(at("agent-started", one), at("agent-started", other)) <
        Math.min(at("agent-finished", one), at("agent-finished", other)),
  };
}

function whatWasPlanned(planned, git) {
  const [first, second] = planned.filter(({ type }) => type === "draft-assessed").map(({ problems }) => problems);
  const answers = planned.filter(({ type }) => type === "questions-answered").flatMap((event) => event.answers);
  const read = planned.find(({ type, phase }) => type === "session-ended" && phase === "critique");
  const document = git("show", "main:plans/invoices/plan.md");
  return {
    "the planner asked two questions; both answers were assumed (--headless), and plan.md says so":
      answers.length === 2 && answers.every(({ assumed }) => assumed) && document.match(/assumed: true/g)?.length === 2,
    "a check of 05-csv that passed before any work went back to the planner": first?.some(
      ({ source, severity, file }) => isError(severity) && source === "check" && file.includes("05-csv"),
    ),
    "the planner fixed it: its next draft had no errors":
      second !== undefined && second.every(({ severity }) => !isError(severity)),
    "a critic reviewed the draft, and the plan was written": read?.findings?.length === 0 && isHandedOver(planned),
  };
}

function isError(severity) {
  return severity === "error";
}

function isHandedOver(planned) {
  return planned.some(({ type, paths }) => type === "handed-over" && paths.includes("plans/invoices/plan.md"));
}

function whatAgentsDid({ verdicts, overlap }) {
  const [wrong, right] = verdicts("01-discount");
  const [clash, together] = verdicts("02-delivery");
  const [cheat, honest] = verdicts("03-vat");
  return {
    "01-discount and 02-delivery: two agents worked in parallel": overlap("01-discount", "02-delivery"),
    "01-discount: the wrong first attempt failed its check": wrong?.result === "failed" && wrong.reason === "check",
    "01-discount: the second attempt knew why, and passed": right?.result === "passed",
    "02-delivery: passes alone, fails together: a conflict with 01-discount":
      clash?.result === "conflict" && clash.with.join() === "01-discount",
    "02-delivery: the next attempt knew about the conflict, and passed": together?.result === "passed",
    "03-vat: the edited test was caught by the guard": cheat?.guards.some(
      ({ guard, path }) => guard === "protected" && path === "test/vat.test.js",
    ),
    "03-vat: the honest second attempt passed": honest?.result === "passed",
  };
}

function whatPeopleDid({ events, of, verdicts, sessions }, asked) {
  const [blocked] = of("task-blocked", "04-due-date");
  const answered = events.find(({ type, id }) => type === "answered" && id === "04-due-date");
  return {
    "04-due-date: the agent asked instead of guessing, and `stint status` showed the question":
      blocked?.kind === "reported-blocked" && asked.some(({ task }) => task === "04-due-date"),
    "04-due-date: once answered, it passed":
      answered !== undefined &&
      verdicts("04-due-date")
        .map(({ result }) => result)
        .join() === "passed",
    "07-readme: done by hand, without an agent, and verified like the others":
      of("task-taken", "07-readme").length > 0 &&
      sessions("07-readme") === 0 &&
      verdicts("07-readme").at(-1)?.result === "passed",
  };
}

function whatWentWrongOutside({ events, verdicts, sessions }, killed) {
  const drivers = events.filter(({ type }) => type === "resumed").map(({ pid }) => pid);
  const parked = events.findIndex(
    ({ type, reason, until }) => type === "parked" && reason === "limit" && until !== null,
  );
  const wentOn = events.slice(parked).find(({ type }) => type === "resumed");
  return {
    "Stint was killed (SIGKILL) in the middle of 05-csv": killed.signal === "SIGKILL",
    "another process resumed the run": drivers.some((pid) => pid !== killed.pid),
    "05-csv: the session that was killed did not count as an attempt":
      sessions("05-csv") === 2 && verdicts("05-csv").length === 1,
    "06-command: at the usage limit the run waited, then continued by itself":
      parked >= 0 && wentOn?.why === "wait-over",
    "06-command: the limit did not count as an attempt":
      sessions("06-command") === 2 && verdicts("06-command").length === 1,
  };
}

function whatIsThere({ events }, git) {
  const all = "01-discount 02-delivery 03-vat 04-due-date 05-csv 06-command 07-readme";
  return {
    "the branch has exactly one commit per task": tasksOn(git, "stint/invoices").toSorted().join(" ") === all,
    "the payment term on the branch is the one you answered": git("show", "stint/invoices:src/due-date.js").includes(
      "paymentDays = 14;",
    ),
    ...whatIsUntouched(git),
    "the run is finished": events.at(-1)?.type === "run-finished" && events.at(-1).outcome === "done",
  };
}

function whatIsUntouched(git) {
  return {
    "the test that the agent edited is unchanged on the branch":
      git("diff", "main", "stint/invoices", "--", "test/vat.test.js") === "",
    "your checkout is as it was when the plan was approved": git("status", "--porcelain") === "",
  };
}
