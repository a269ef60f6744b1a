// What must have happened in the demo, looked up in the journal and in git rather than believed.

/** Prints each expectation with whether it held, and returns how many did not. */
export function checkStory({ events, killed, git }) {
  const verdicts = (task) => events.filter((event) => event.type === "verdict" && event.task === task);
  const sessions = (task) => events.filter((event) => event.type === "agent-started" && event.task === task);
  const drivers = events.filter((event) => event.type === "resumed").map((event) => event.pid);
  const begun = (task) => events.findIndex((event) => event.type === "agent-started" && event.task === task);
  const ended = (task) => events.findIndex((event) => event.type === "agent-finished" && event.task === task);
  const overlap = (one, other) =>
    Math.min(begun(one), begun(other)) >= 0 && Math.max(begun(one), begun(other)) < Math.min(ended(one), ended(other));
  const [cheat, honest] = verdicts("01-vat");
  const [wrong, right] = verdicts("02-discount");
  const tasks = git(
    "log",
    "--reverse",
    "--format=%(trailers:key=Stint-Task,valueonly,separator=)",
    "main..stint/invoices",
  );

  const byHand = events.some(({ type, task }) => type === "task-taken" && task === "05-readme");
  const expectations = {
    "01-vat and 02-discount: two agents worked side by side": overlap("01-vat", "02-discount"),
    "01-vat: the edited test was caught by the guard": cheat?.guards.some(
      ({ guard, path }) => guard === "protected" && path === "test/vat.test.js",
    ),
    "01-vat: the honest second attempt passed": honest?.result === "passed",
    "02-discount: the wrong first attempt failed its check": wrong?.result === "failed" && wrong.reason === "check",
    "02-discount: told why, the second attempt passed": right?.result === "passed",
    "the driver was killed by SIGKILL in the middle of 03-csv": killed.signal === "SIGKILL",
    "another driver took up the run": drivers.some((pid) => pid !== killed.pid),
    "03-csv: the session that died with the driver cost no attempt":
      sessions("03-csv").length === 2 && verdicts("03-csv").length === 1,
    "05-readme: done by hand without any agent, and verified like the others":
      byHand && sessions("05-readme").length === 0 && verdicts("05-readme").at(-1)?.result === "passed",
    "the branch has exactly one commit per task":
      tasks.split("\n").toSorted().join(" ") === "01-vat 02-discount 03-csv 04-command 05-readme",
    "the test that the agent edited is unchanged on the branch":
      git("diff", "main", "stint/invoices", "--", "test/vat.test.js") === "",
    "your checkout is as it was": git("status", "--porcelain") === "",
    "the run is finished": events.at(-1)?.type === "run-finished" && events.at(-1).outcome === "done",
  };

  console.log("\n== What was expected, and whether it happened (read from the journal and from git)");
  for (const [text, held] of Object.entries(expectations)) console.log(`  ${held === true ? "yes" : "NO "}  ${text}`);
  return Object.values(expectations).filter((held) => held !== true).length;
}
