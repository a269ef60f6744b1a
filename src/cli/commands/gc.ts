import { exitCodes } from "../../engine/exit-code.ts";
import { reasonHere } from "../../engine/summary.ts";
import { collectGarbage, type Collection, type CollectedPlanning, type CollectedRun } from "../../upkeep/gc/gc.ts";
import { visible } from "../../base/visible.ts";
import { plural } from "../../base/plural.ts";
import { refuse, refuseWith, type Io } from "../io.ts";
import { project } from "./select.ts";

export interface GcFlags {
  readonly dryRun?: true;
  readonly rescued?: true;
  readonly json?: true;
}

interface GcView {
  readonly dryRun: boolean;
  readonly rescued: boolean;
}

/** `stint gc`: shows what Stint keeps on disk, and removes what no run needs. */
export async function gc(io: Io, flags: GcFlags): Promise<number> {
  const opened = await project(io);
  if (!opened.ok) return refuseWith(io, opened.failure);
  const { dryRun = false, rescued = false } = flags;
  const collection = await collectGarbage(opened.value, { dryRun, rescued, signal: io.signal });
  if (flags.json === true) io.out(JSON.stringify({ freed: freedBy(collection), ...collection }));
  else for (const line of renderCollection(collection, { dryRun, rescued })) io.out(visible(line));
  return failuresOf(collection).length === 0 ? exitCodes.done : refuse(io, exitCodes.internal, summary(collection));
}

/** Says for people what Stint keeps where, and what was freed. */
function renderCollection(collection: Collection, view: GcView): string[] {
  const { runs, plannings, setup, control, homes } = collection;
  const freed = view.dryRun ? "would free" : "freed";
  const pruned = control.unpruned === null ? "" : `; its objects were kept: ${control.unpruned}`;
  return [
    ...runs.flatMap((run) => renderRun(run, view)),
    ...plannings.map((planning) => renderPlanning(planning, freed)),
    `set-up cache: ${size(setup.bytes)}, ${freed} ${size(setup.freed)}  ${setup.path}`,
    `control.git: ${size(control.bytes)}, ${freed} ${size(control.freed)}${pruned}  ${control.path}`,
    ...homes.map(({ path, bytes }) => `agent's home: ${size(bytes)}, never removed  ${path}`),
    ...renderRescued(collection, view),
    `${view.dryRun ? "Nothing was removed; this would free" : "Freed"} ${size(freedBy(collection))}.`,
  ];
}

function freedBy({ runs, plannings, setup, control }: Collection): number {
  return [...runs, ...plannings].reduce((sum, { freed }) => sum + freed, setup.freed + control.freed);
}

function renderRun(run: CollectedRun, { dryRun }: GcView): string[] {
  const { workspaces, rooms, attempts } = run.bytes;
  const sizes = `workspaces ${size(workspaces)}, clean checkouts ${size(rooms)}, logs ${size(attempts)}`;
  const reason = reasonHere({ reason: run.why, until: run.until });
  const why = reason === null ? "" : ` (${reason})`;
  return [
    `run ${run.name}: ${run.state === "driven" ? "skipped: in progress" : run.state}${why}`,
    `  ${sizes}; ${dryRun ? "would free" : "freed"} ${size(run.freed)}`,
    ...run.saved.map((ref) => `  saved: ${ref} in stint/control.git`),
    ...run.kept.map(({ path, why: reason }) => `  kept: ${path}: ${reason}`),
    ...(run.state === "unfinished" ? [`  resume it: stint resume ${run.name}`] : []),
  ];
}

function renderPlanning({ planning, state, why, bytes, freed }: CollectedPlanning, word: string): string {
  const stands = state === "driven" ? "skipped: in progress" : state;
  return `planning session ${planning}: ${stands}${why === null ? "" : ` (${why})`}; clones ${size(bytes)}, ${word} ${size(freed)}`;
}

function renderRescued({ runs, strayRescued }: Collection, { dryRun, rescued }: GcView): string[] {
  const saving = runs.filter((run) => run.rescued.refs > 0);
  const refs = saving.reduce((sum, run) => sum + run.rescued.refs, strayRescued);
  if (refs === 0) return ["rescue refs: none"];
  const removed = saving.reduce((sum, run) => sum + run.rescued.removed, 0);
  const finished = saving.filter(({ state }) => state === "finished").length;
  const cure =
    finished === 0 || rescued ? "" : `; \`stint gc --rescued\` removes those of ${plural(finished, "finished run")}`;
  const gone = rescued ? `; ${dryRun ? "would remove" : "removed"} ${removed} of finished runs` : "";
  return [
    `rescue refs: ${refs} (saved work of attempts)${gone}${cure}`,
    ...saving.map((run) => `  ${run.rescued.refs} of run ${run.name}`),
    ...(strayRescued === 0 ? [] : [`  ${strayRescued} of runs that no longer exist (kept)`]),
  ];
}

function size(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power]}`;
}

function failuresOf({ runs, plannings }: Collection): string[] {
  return [...runs, ...plannings].flatMap(({ failed }) => failed);
}

function summary(collection: Collection): string {
  return ["some things could not be removed:", ...failuresOf(collection).map((why) => `  ${why}`)].join("\n");
}
