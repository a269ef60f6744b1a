import { chmodSync } from "node:fs";
import { join } from "node:path";
import { heldBy, type Rig } from "./rig.ts";
import { leave } from "./scratch.ts";

/** The environment in which a script stands before the real program on PATH; `$PPID` is Stint. */
export function standIn(rig: Rig, name: string, script: string): Record<string, string> {
  const bin = join(rig.root, `bin-${name}`);
  leave(bin, { [name]: `#!/bin/sh\nPATH=\${PATH#*:}\n${script}\n` });
  chmodSync(join(bin, name), 0o755);
  return { PATH: `${bin}:${process.env["PATH"]}` };
}

/** Which call of git is held: the first one with these words (a shell pattern) once the journal has that event. */
export interface HeldCall {
  readonly words: string;
  readonly since: string;
}

/** The environment in which one call of git waits until the test releases `name`. */
export function heldGit(rig: Rig, { words, since }: HeldCall, name: string): Record<string, string> {
  const isDue = `grep -qs '"type":"${since}"' '${rig.gitDir}'/stint/runs/*/journal.jsonl`;
  const isFirst = `mkdir '${join(rig.outside, `${name}.first`)}' 2>/dev/null`;
  const held = `case "$*" in ${words}) ${isDue} && ${isFirst} && ${heldBy(name, rig.outside)};; esac`;
  return standIn(rig, "git", `${held}\nexec git "$@"`);
}
