import { endLeftovers } from "../../src/process/supervise.ts";
import { endSleepers, sleepersOf } from "../rig/escapes.ts";

/** Ways out of a session, as shell lines; each leaves a process that sleeps so long that the host finds it by that. */
export type Ways = Readonly<Record<string, (asleep: string) => string>>;

const quiet = "> /dev/null 2>&1";

/** Ways that leave some trace: a parent, a group, the environment or the folder. */
export const tracedWays: Ways = {
  "a session of its own": (asleep) => `setsid ${asleep} ${quiet} &`,
  nohup: (asleep) => `nohup ${asleep} ${quiet} &`,
  "a double fork": (asleep) => `( ( ${asleep} ${quiet} & ) & )`,
  "ignoring INT, TERM and HUP": (asleep) => `sh -c "trap '' INT TERM HUP; ${asleep}; :" ${quiet} &`,
  "ignoring them in a session of its own": (asleep) => `setsid sh -c "trap '' INT TERM HUP; ${asleep}; :" ${quiet} &`,
  "a double fork elsewhere": (asleep) => `( cd / && ( setsid ${asleep} ${quiet} & ) & )`,
  "an empty environment": (asleep) => `env -i /usr/bin/setsid ${asleep} ${quiet} &`,
  "standing still": (asleep) =>
    `setsid ${asleep} ${quiet} & until test "$(head -c 5 /proc/$!/cmdline)" = sleep; do sleep 0.01; done; kill -STOP $!`,
  "a double fork into a session of its own": (asleep) => `setsid -f ${asleep} ${quiet}`,
  // Every thirtieth of a second another process, until it gives up by itself.
  "being another all the time": (asleep) =>
    [
      `cat > flight.sh <<'END'`,
      `test "$1" -lt 300 || exit`,
      `${asleep} & old=$!`,
      `sleep 0.03; setsid sh flight.sh $(($1 + 1)) & sleep 0.03; kill $old`,
      `END`,
      `setsid sh flight.sh 1 ${quiet} &`,
    ].join("\n"),
};

/** One more, which leaves no trace at all; only the operating system holds it. */
export const allWays: Ways = {
  ...tracedWays,
  "no trace": (asleep) => `( cd / && env -i /usr/bin/setsid ${asleep} ${quiet} & )`,
};

/** Goes all ways, and then on with `last` when the file `go` appears. */
export function goAllWays(ways: Ways, token: string, last: string): string {
  const lines = Object.values(ways).map((way, index) => way(`sleep ${tokenOf(token, index)}.1`));
  return [...lines, "while ! test -e go; do sleep 0.01; done", last].join("\n");
}

/** The ways of which a process runs. */
export function waysOut(ways: Ways, token: string): string[] {
  return Object.keys(ways).filter((_, index) => sleepersOf(tokenOf(token, index)).length > 0);
}

/** Waits until a process of each way has been seen. */
export async function untilAllAreOut(ways: Ways, token: string): Promise<void> {
  const missing = new Set(Object.keys(ways));
  while (missing.size > 0) {
    for (const way of waysOut(ways, token)) missing.delete(way);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Ends what a control left, also the one that is another all the time. */
export async function endAll(ways: Ways, token: string, folder: string): Promise<void> {
  await endLeftovers({ cwdWithin: folder });
  for (const index of Object.keys(ways).keys()) endSleepers(tokenOf(token, index));
}

function tokenOf(token: string, index: number): string {
  return `${token}${String(index).padStart(2, "0")}`;
}
