import { exitCodes } from "../../engine/exit-code.ts";
import { collectGarbage, type Collection } from "../../upkeep/gc/gc.ts";
import { visible } from "../../base/visible.ts";
import { refuse, type Io } from "../io.ts";
import { freedBy, renderCollection } from "../render-gc.ts";
import { project } from "./select.ts";

export interface GcFlags {
  readonly dryRun?: true;
  readonly rescued?: true;
  readonly json?: true;
}

/** `stint gc`: shows what Stint keeps on disk, and removes what no run needs. */
export async function gc(io: Io, flags: GcFlags): Promise<number> {
  const opened = await project(io);
  if (!opened.ok) return refuse(io, opened.failure.code, opened.failure.message);
  const { dryRun = false, rescued = false } = flags;
  const collection = await collectGarbage(opened.value, { dryRun, rescued, signal: io.signal });
  if (flags.json === true) io.out(JSON.stringify({ freed: freedBy(collection), ...collection }));
  else for (const line of renderCollection(collection, { dryRun, rescued })) io.out(visible(line));
  return failuresOf(collection).length === 0 ? exitCodes.done : refuse(io, exitCodes.internal, summary(collection));
}

function failuresOf({ runs, plannings }: Collection): string[] {
  return [...runs, ...plannings].flatMap(({ failed }) => failed);
}

function summary(collection: Collection): string {
  return ["some things could not be removed:", ...failuresOf(collection).map((why) => `  ${why}`)].join("\n");
}
