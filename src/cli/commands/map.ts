import { exitCodes } from "../../engine/exit-code.ts";
import { codebaseMap } from "../../planning/map/codebase-map.ts";
import { visible, visibleJson } from "../../base/visible.ts";
import { plural } from "../../base/plural.ts";
import { refuseWith, type Io } from "../io.ts";
import { project } from "./select.ts";

interface Options {
  readonly tokens: number;
  readonly goal?: string;
  readonly json?: true;
}

/** `stint map`: prints what the code at HEAD defines, ranked and within a token budget. */
export async function map(io: Io, { json, ...wanted }: Options): Promise<number> {
  const opened = await project(io);
  if (!opened.ok) return refuseWith(io, opened.failure);
  const made = await codebaseMap(opened.value, { ...wanted, signal: io.signal });
  const { commit, files, filesInAll, symbols, tokens, text } = made;
  if (json === true) {
    io.out(visibleJson({ commit, files, filesInAll, symbols, tokens, text }));
    return exitCodes.done;
  }
  if (text !== "") io.out(visible(text.trimEnd(), { multiline: true }));
  const counted = `${files} of ${filesInAll} files and ${plural(symbols, "definition")}, about ${tokens} tokens`;
  io.err(`${counted}, as committed at ${commit.slice(0, 12)}. Uncommitted changes are not included.`);
  return exitCodes.done;
}
