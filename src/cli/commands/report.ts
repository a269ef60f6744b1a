import { exitCodes } from "../../engine/exit-code.ts";
import { readRefIn } from "../../git/refs.ts";
import { inRepo } from "../../git/user-repo.ts";
import { driverOf } from "../../project/driver-lock.ts";
import { makeReport } from "../../run/run-report.ts";
import { visible, visibleJson } from "../../base/visible.ts";
import { refuseWith, warn, type Io } from "../io.ts";
import { openRunToRead } from "./select.ts";
import { mergedIntoHead } from "./status.ts";

/** `stint report`: summarises a run, always from its journal; it takes no lock and changes nothing. */
export async function report(io: Io, runId: string | undefined, options: { readonly json?: true }): Promise<number> {
  const opened = await openRunToRead(io, runId);
  if (!opened.ok) return refuseWith(io, opened.failure);
  const { repo, paths, state, entries } = opened.value;
  const made = makeReport(
    paths,
    { id: state.run, entries, state },
    {
      driven: driverOf(paths, state.plan) !== null,
      mergedInto: await mergedIntoHead(repo, state),
      branchAt: await readRefIn(inRepo(repo), `refs/heads/${state.branch}`),
    },
  );
  io.out(options.json === true ? visibleJson(made.report) : made.markdown.trimEnd());
  const written = made.write();
  if (!written.ok) warn(io, `${written.failure.message} The report above is complete.`);
  else if (options.json !== true) io.err(visible(`Written to ${written.value}, next to timeline.svg.`));
  return exitCodes.done;
}
