import type { Failure } from "../base/result.ts";

/** Whose fault it is that nothing was started: who wrote the command, who installed the program, or neither, but the machine. */
export type StartFault = "command" | "program" | "environment";

export type StartFailure = Failure<StartFault>;

/** A failure of the machine, with the cure that its code suggests. */
export function environmentFailure(what: string, error: unknown): StartFailure {
  const { message, code = "" } = error as NodeJS.ErrnoException;
  const cure = cures[code] ?? "See that the disk and the folder for temporary files (TMPDIR) can be used.";
  return { reason: "environment", message: `${what}: ${message}. ${cure}` };
}

const cures: Readonly<Record<string, string>> = {
  ENOSPC: "Make room on the disk.",
  EDQUOT: "Make room on the disk.",
  EMFILE: "Raise the limit of open files (`ulimit -n`).",
  ENFILE: "Raise the limit of open files (`sysctl fs.file-max`).",
  EAGAIN: "Raise the limit of processes (`ulimit -u`), or end some.",
  ENOMEM: "Free some memory.",
  EACCES: "Correct the permissions.",
  EPERM: "Correct the permissions.",
  EROFS: "Make the disk writable.",
};
