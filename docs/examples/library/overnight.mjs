// Executes the approved plan of this repository and prints what happens: node overnight.mjs [plan]
import { lintPlanIn, startRun } from "stint";

process.exitCode = await overnight(process.cwd(), process.argv[2]);

async function overnight(cwd, plan) {
  const linted = await lintPlanIn({ cwd, plan });
  if (!linted.ok) return refuse(linted.failure);
  for (const { file, line, severity, message } of linted.value)
    console.error(`${file}:${line}: ${severity}: ${message}`);
  if (linted.value.some(({ severity }) => severity === "error")) return 2;

  // Signals are the program's own: the library handles none.
  const interrupt = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => interrupt.abort());

  const started = await startRun({ cwd, plan, signal: interrupt.signal, budgetUsd: 20 });
  if (!started.ok) return refuse(started.failure);
  const { run, events, ended } = started.value;
  for await (const event of events) console.log([event.type, event.task].filter(Boolean).join(" "));

  const { summary, exitCode, why } = await ended;
  if (why !== null) console.error(why);
  console.log(`${run}: ${summary.state}, ${summary.cost.usd} USD`);
  return exitCode;
}

function refuse({ message, exitCode }) {
  console.error(message);
  return exitCode;
}
