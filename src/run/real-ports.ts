import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { Config } from "../config/load.ts";
import { resumeCommand } from "../engine/run-name.ts";
import type { RunState } from "../engine/state.ts";
import type { Identity } from "../git/names.ts";
import { writeDocument } from "../journal/document.ts";
import { realFiles } from "../journal/file-port.ts";
import type { Prompts } from "../prompts/overrides.ts";
import type { Redactor } from "../base/redact.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { furnitureOf } from "../workspace/checkout-furniture.ts";
import { commandFiles } from "./commands/command-files.ts";
import { runPaths } from "../project/paths.ts";
import type { ClockPort } from "../project/machine.ts";
import type { CommandWatch } from "../checks/running-command.ts";
import type { PlannerEar } from "./activity.ts";
import type { DocumentPort, Ports } from "./ports.ts";
import type { Project } from "../project/project.ts";
import { realPlanner } from "./real-planner.ts";
import { realRepo } from "./real-repo.ts";
import { realRooms, roomsIn } from "../workspace/real-rooms.ts";
import { type Listener, realSessions } from "../agents/real-sessions.ts";
import { realWorkspaces } from "../workspace/real-workspaces.ts";

/** The ports of a real run: real git, real processes, the real disk. */
export function realPorts(
  project: Project,
  options: {
    readonly config: Config;
    readonly prompts: Prompts;
    readonly state: RunState;
    readonly identity: Identity;
    readonly sandbox: Sandbox;
    readonly clock: ClockPort;
    readonly redact: Redactor;
    readonly hear: Listener;
    readonly watch: CommandWatch;
    readonly planner: PlannerEar;
  },
): Ports {
  const { config, prompts, state, identity, sandbox, clock, redact, hear, watch } = options;
  const paths = runPaths(project.paths, state.run);
  const named = { ...paths, resumeCommand: resumeCommand(state) };
  const pending = new Set<Promise<unknown>>();
  const inBackground = (work: Promise<unknown>) => {
    const tracked = work.catch(() => undefined).finally(() => pending.delete(tracked));
    pending.add(tracked);
  };
  const furniture = furnitureOf(project, {
    config,
    sandbox,
    trusted: { base: state.base, run: { id: state.run, tip: () => state.tip } },
    redact,
    watch,
  });
  const rooms = roomsIn({ control: project.control, furniture, dir: paths.rooms, base: state.base });
  const workspaces = realWorkspaces(project, { paths, furniture, trees: rooms.trees, inBackground });
  return {
    clock,
    repo: realRepo({ project, workspaces, paths, state, identity }),
    rooms: realRooms(rooms, { workspaces, inBackground }),
    sessions: realSessions({ project, config, paths: named, sandbox, redact, hear, layerOf: workspaces.layerOf }),
    planner: realPlanner({ project, config, prompts, state, identity, sandbox, redact, watch, ear: options.planner }),
    documents: realDocuments(paths, redact),
    commands: commandFiles(paths.commands),
    settle: async () => {
      await Promise.all(pending);
      await rooms.caches?.remove();
      await rooms.trees?.remove();
    },
  };
}

function realDocuments(paths: ReturnType<typeof runPaths>, redact: Redactor): DocumentPort {
  return {
    runDir: paths.dir,
    attemptDir: paths.attempt,
    write: (path, text) => {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      const written = writeDocument(realFiles, path, redact.text(text));
      if (!written.ok) throw new Error(written.failure.message);
    },
  };
}
