/** The programs that write down which files a process tree asks for. */
export interface TraceTools {
  readonly strace: string;
  /** Ends the tracer, and with it everything traced, when Stint is killed. */
  readonly setpriv: string;
}

/**
 * Returns the command with a tracer around its sandbox: nothing inside can see it, end it, or write to its file. It costs
 * nothing for calls that name no file. Files asked for through io_uring would not be seen, so programs are told that the
 * kernel does not have it, as in most containers.
 */
export function inTrace({ strace, setpriv }: TraceTools, file: string, argv: readonly string[]): string[] {
  const asked = ["-e", `trace=%file,${otherCalls.join(",")}`, "-e", "inject=io_uring_setup:error=ENOSYS"];
  const format = ["-f", "-y", "-q", "--seccomp-bpf", "-s", "1", "-e", "signal=none", "-o", file];
  return [setpriv, "--pdeathsig", "KILL", "--", strace, ...format, ...asked, "--", ...argv];
}

/** These read names by a folder that is open already, open files without a name, or look for a socket. Not every machine has the first. */
const otherCalls = ["?getdents", "getdents64", "fchdir", "open_by_handle_at", "io_uring_setup", "connect", "bind"];
