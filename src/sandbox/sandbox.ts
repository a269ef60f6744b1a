import { tmpdir } from "node:os";
import type { Layer, LayerTools } from "./layer.ts";
import type { TraceTools } from "./trace.ts";

/** Confines agents and checks: decides what a process tree sees of this machine and what it may change. */
export interface Sandbox {
  readonly kind: "bwrap" | "none";
  /** How rooms can share the files that none of them changes; absent where each room needs a copy of its own. */
  readonly layers?: LayerTools | undefined;
  /** How it can be seen which files a room asks for; absent where that cannot be seen. */
  readonly tracer?: TraceTools | undefined;
  readonly enclose: (room: RoomSpec) => Enclosure;
}

/** The host's folders that one process tree works with, and what else of the machine it gets. */
export interface RoomSpec {
  /** The room may write to it. */
  readonly workspace: string;
  /** The layers whose uppermost folder is the workspace; absent if all files are in the workspace itself. */
  readonly layer?: Layer | undefined;
  /** The room may write to it, and it becomes HOME. */
  readonly home: string;
  /** The layers whose uppermost folder is HOME; absent if all that is in it is its own. */
  readonly homeLayer?: Layer | undefined;
  /** The folder for temporary files where nothing is confined; inside a sandbox /tmp is private anyway. */
  readonly tmp?: string | undefined;
  /** The room may write to it. */
  readonly outbox?: string | undefined;
  readonly inbox?: string | undefined;
  /** Further files and folders to be read at their own paths, such as the agent's program or the repository's objects. */
  readonly visible: readonly string[];
  readonly network: boolean;
  /** The file on the host that gets a trace of what the room asks for, where the sandbox has a tracer. */
  readonly trace?: string | undefined;
}

/** A file or folder of the host that every room gets at its own path. */
export interface Mount {
  readonly path: string;
  readonly writable: boolean;
}

/** A command as the host starts it: the program, where, and with which environment. */
export interface Command {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Where the folders of a room are for a process in it, and how a command gets there. */
export interface Enclosure {
  /** Whether the operating system keeps the process tree inside; then its leader is the sandbox, not the program. */
  readonly confined: boolean;
  readonly folders: Folders;
  /** Takes a command as it is inside, and returns the one to start on the host. */
  readonly enter: (command: Command) => Command;
  /** Whether the command that ended had been started at all: a sandbox that fails ends like a program that does. */
  readonly entered: () => boolean;
}

/** Paths as the process sees them. */
export interface Folders {
  readonly workspace: string;
  readonly home: string;
  readonly tmp: string;
  /** No two sessions share it, so that their environments show which process belongs to which. */
  readonly outbox: string;
  readonly inbox: string;
}

/** Does not confine files: a process sees the host as it is. Its processes are ended nevertheless. */
export const noSandbox: Sandbox = {
  kind: "none",
  enclose: ({ workspace, home, tmp = tmpdir(), outbox = "", inbox = "" }) => ({
    confined: false,
    folders: { workspace, home, tmp, outbox, inbox },
    enter: (command) => command,
    entered: () => true,
  }),
};

/** Agents and checks get these variables, so the certificate files that they name must be visible. */
export const certificateVariables = [
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "NODE_EXTRA_CA_CERTS",
  "REQUESTS_CA_BUNDLE",
  "CURL_CA_BUNDLE",
  "GIT_SSL_CAINFO",
];
