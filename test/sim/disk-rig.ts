import { diceOf } from "../rounds/dice.ts";
import { Disk } from "./disk.ts";
import { SimProcess } from "./process.ts";
import { Timeline } from "./timeline.ts";

/** A disk with some folders. */
export function newDisk(seed: number, folders: readonly string[]): Disk {
  const disk = new Disk(diceOf(seed));
  disk.makeFolders(folders);
  return disk;
}

/** A process that nothing befalls but what `reached` does to it. */
export function newProcess(name: string, reached: (process: SimProcess, call: string) => void = () => {}): SimProcess {
  const pid = 100 + name.charCodeAt(0);
  return new SimProcess(new Timeline(), { reached }, { name, identity: { pid, startTime: `${pid}0`, bootId: "boot" } });
}
