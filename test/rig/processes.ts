import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** A process that belongs to a rig, for messages of failing tests. */
export interface RigProcess {
  readonly pid: number;
  readonly command: string;
}

/** All live processes that name the rig's folder in their environment, arguments or working directory (Linux only). */
export function processesOf(root: string): readonly RigProcess[] {
  const pids = readable(() => readdirSync("/proc")) ?? [];
  return pids.filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid).flatMap((pid) => found(pid, root));
}

/** Ends what a failed test left behind; only processes of this rig's own folder. */
export function endProcessesOf(root: string): void {
  for (const { pid } of processesOf(root)) readable(() => process.kill(pid, "SIGKILL"));
}

function found(pid: string, root: string): readonly RigProcess[] {
  const command = readable(() => readFileSync(join("/proc", pid, "cmdline"), "utf8")) ?? "";
  const environment = readable(() => readFileSync(join("/proc", pid, "environ"), "utf8")) ?? "";
  const cwd = readable(() => readlinkSync(join("/proc", pid, "cwd"))) ?? "";
  const isOurs = [command, environment, cwd].some((text) => text.includes(root));
  return isOurs ? [{ pid: Number(pid), command: command.replaceAll("\0", " ") }] : [];
}

/** A process may end between being listed and being read. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
