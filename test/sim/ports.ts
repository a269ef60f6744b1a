import { dirname } from "node:path";
import type { RunState } from "../../src/engine/state.ts";
import { commandFiles } from "../../src/run/commands/command-files.ts";
import { runPaths } from "../../src/project/paths.ts";
import type { Machine } from "../../src/project/machine.ts";
import type { DocumentPort, Ports } from "../../src/run/ports.ts";
import { writeDocument } from "../../src/journal/document.ts";
import { ensureFolder } from "../../src/journal/io.ts";
import { sessionPort } from "./agents.ts";
import { plannerPort } from "./planner.ts";
import type { SimProcess } from "./process.ts";
import { repoPort } from "./repo-port.ts";
import { roomPort } from "./rooms.ts";
import { settleWorkspaces } from "./workspaces.ts";
import type { World } from "./world.ts";

/** The ports of one driver of a run. */
export function portsOf(
  world: World,
  driver: SimProcess,
  { state, machine }: { state: RunState; machine: Machine },
): Ports {
  const paths = runPaths(world.paths, state.run);
  return {
    clock: machine.clock,
    repo: repoPort(world, driver, state),
    rooms: roomPort(world, driver, state),
    sessions: sessionPort(world, driver, state),
    planner: plannerPort(world, driver, state),
    documents: documentsOf(paths, machine),
    commands: commandFiles(paths.commands, machine),
    settle: () => settleWorkspaces(world, driver),
  };
}

function documentsOf({ attempt, dir }: ReturnType<typeof runPaths>, { files, newId }: Machine): DocumentPort {
  return {
    runDir: dir,
    attemptDir: attempt,
    write: (path, text) => {
      ensureFolder(files, dirname(path));
      const written = writeDocument(files, path, text, { nonce: newId() });
      if (!written.ok) throw new Error(written.failure.message);
    },
  };
}
