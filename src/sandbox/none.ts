import { tmpdir } from "node:os";
import type { Sandbox } from "./sandbox.ts";

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
