import { messageOf, type Failure } from "../base/result.ts";

/** What is to blame if nothing was started: the command, a program that is not installed, a file that does not exist, one that cannot be executed (the message says how to fix it), or the machine. */
export type StartFault = "command" | "program" | "no-file" | "unusable" | "environment";

export type StartFailure = Failure<StartFault>;

/** Describes a failure of the machine, and how to fix it as far as its code shows that. */
export function environmentFailure(what: string, error: unknown): StartFailure {
  const { code = "" } = error as NodeJS.ErrnoException;
  const fix = fixes[code] ?? "Check that the disk and the folder for temporary files (TMPDIR) can be used.";
  return { reason: "environment", message: `${what}: ${messageOf(error)}. ${fix}` };
}

const fixes: Readonly<Record<string, string>> = {
  ENOSPC: "Free some disk space.",
  EDQUOT: "Free some disk space.",
  EMFILE: "Raise the limit of open files (`ulimit -n`).",
  ENFILE: "Raise the limit of open files (`sysctl fs.file-max`).",
  EAGAIN: "Raise the limit of processes (`ulimit -u`), or stop some processes.",
  ENOMEM: "Free some memory.",
  EACCES: "Fix the permissions.",
  EPERM: "Fix the permissions.",
  EROFS: "Make the disk writable.",
};
