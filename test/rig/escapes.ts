import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Ways to leave a process behind, each with a sleep of its own length by which the host finds it. */
export function escapes(token: string): string {
  const asleep = (n: number) => `sleep ${token}.${n}`;
  const lines = [
    `setsid ${asleep(1)} > /dev/null 2>&1 &`,
    `nohup ${asleep(2)} > /dev/null 2>&1 &`,
    `( ( ${asleep(3)} > /dev/null 2>&1 & ) & )`,
    `setsid sh -c "trap '' INT TERM HUP; ${asleep(4)}; :" > /dev/null 2>&1 &`,
    `(here=$PWD; cd /; env -i /usr/bin/setsid /bin/sh -c ": > '$here/ready'; exec ${asleep(5)}" > /dev/null 2>&1 &)`,
    // Before that it can still be told by its environment, and nothing would be shown.
    "while ! test -e ready; do sleep 0.02; done; rm ready",
  ];
  return lines.join("\n");
}

export const escapesCount = 5;

/** No other test's, and no hour anybody waits. */
export function newToken(): string {
  return `9${String(process.pid)}${String(Math.floor(performance.now() * 1000))}`;
}

/** Live processes, on the host, that sleep so long. */
export function sleepersOf(token: string): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => commandOf(pid).startsWith(`sleep\0${token}.`)).map(Number);
}

export async function untilNoneSleeps(token: string): Promise<void> {
  while (sleepersOf(token).length > 0) await sleep(20);
}

export function endSleepers(token: string): void {
  for (const pid of sleepersOf(token)) process.kill(pid, "SIGKILL");
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
