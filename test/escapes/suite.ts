import fs from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { endLeftovers, supervise, type SuperviseOptions } from "../../src/process/supervise.ts";
import { newToken } from "../rig/escapes.ts";
import { createWorld, type World } from "../rig/sandbox-world.ts";
import { buildStint } from "./stint.ts";
import { endAll, goAllWays, untilAllAreOut, type Ways, waysOut } from "./ways.ts";

export interface EscapeSuite {
  readonly mode: "bwrap" | "none";
  readonly ways: Ways;
  /** Where the machine cannot confine. */
  readonly skip: boolean;
}

/** How a session comes to its end, once all are out. */
const ends: Readonly<Record<string, { readonly last: string; readonly kind: string }>> = {
  "it exits": { last: "exit 0", kind: "exited" },
  "it is killed": { last: "kill -KILL $$", kind: "" },
  "Stint is asked to stop": { last: "echo abort; trap '' INT TERM; while :; do sleep 1; done", kind: "aborted" },
  "it hangs after its last word": { last: "echo final; exec sleep 1000", kind: "final" },
  "it uses too many processes": { last: "for i in $(seq 50); do sleep 30 & done; wait", kind: "exceeded" },
};

/** A hundred escapes and more while Stint lives, and as many from a Stint that is killed: none survives. */
export function escapeSuite({ mode, ways, skip }: EscapeSuite): void {
  test.skipIf(skip)(`${mode}: no process survives the end of its session, in a hundred escapes`, async () => {
    const survivors: string[] = [];
    let escapes = 0;
    for (const [end, { last, kind }] of Object.entries({ ...ends, ...again(ends) })) {
      const place = await createPlace(mode, ways, last);
      const stop = new AbortController();
      const running = supervise({
        ...place.options,
        bounds: { processesMax: 45 },
        signal: stop.signal,
        finalGraceMs: 50,
        stopLadderStepMs: 50,
        hear: (line) => {
          if (line === "abort") stop.abort();
          return line === "final" ? "final" : "more";
        },
      });
      await place.letGo();
      const ended = await running;
      if (kind !== "") expect(ended).toMatchObject({ kind, survivors: [] });
      escapes += Object.keys(ways).length;
      survivors.push(...waysOut(ways, place.token).map((way) => `${way}, when ${end}`));
    }
    expect(survivors).toEqual([]);
    expect(escapes).toBeGreaterThanOrEqual(100);
  });

  test.skipIf(skip)(`${mode}: no process survives after kill -9 of Stint, in a hundred escapes`, async () => {
    const world = createWorld();
    const startStint = buildStint(world.root);
    const survivors: string[] = [];
    let escapes = 0;
    for (let round = 1; round <= 10; round += 1) {
      const { token, options, folder, letGo } = await createPlace(mode, ways, "sleep 1000");
      const stint = startStint(String(round), options);
      await letGo();
      await stint.killHard();
      // Control: without confinement the death of Stint alone ends none of them.
      if (mode === "none") expect(waysOut(ways, token).length).toBeGreaterThan(5);
      expect(await endLeftovers({ identity: stint.recorded(), marker: options.marker, cwdWithin: folder })).toEqual([]);
      escapes += Object.keys(ways).length;
      survivors.push(...waysOut(ways, token).map((way) => `${way}, in round ${round}`));
    }
    expect(survivors).toEqual([]);
    expect(escapes).toBeGreaterThanOrEqual(100);
  });
}

function again(all: typeof ends): typeof ends {
  return Object.fromEntries(Object.entries(all).map(([name, end]) => [`${name} again`, end]));
}

/** A session's folder, and the options with which it goes all ways. */
async function createPlace(mode: EscapeSuite["mode"], ways: Ways, last: string) {
  const world: World = createWorld();
  const token = newToken();
  const enclosure = world.enclose(await world.find({ mode }));
  const folder = path.join(world.root, "room", "tree");
  onTestFinished(() => endAll(ways, token, folder));
  const env = { PATH: "/usr/bin:/bin", ROOM_ID: token };
  const argv = ["/bin/sh", "-c", goAllWays(ways, token, last)];
  const options: Omit<SuperviseOptions, "signal"> = {
    ...enclosure.enter({ argv, cwd: enclosure.folders.workspace, env }),
    confined: enclosure.confined,
    marker: `ROOM_ID=${token}`,
    cwdWithin: folder,
    logFile: path.join(world.root, "log"),
    outputBytesMax: 100_000,
    wallMsMax: 200_000,
  };
  const letGo = async (): Promise<void> => {
    await untilAllAreOut(ways, token);
    fs.writeFileSync(path.join(folder, "go"), "");
  };
  return { token, folder, options, letGo };
}
