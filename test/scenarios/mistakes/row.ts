import { execFileSync } from "node:child_process";
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect } from "vitest";
import type { Ended } from "../../rig/cli.ts";
import { writes } from "../../rig/moves.ts";
import { stintWords } from "../../rig/pane.ts";
import { makes } from "../../rig/plan.ts";
import { createRig, type Rig, type RigOptions } from "../../rig/rig.ts";

/**
 * A mistake that people make, as lines for a shell in which `stint` is the built program. It starts in a repository with
 * the plan `work`, whose only task 01-a writes a.txt. $OUT is a folder outside the repository, $BIN has only `stint`.
 */
export interface Mistake {
  /** A noun phrase; it is the name of the test. */
  readonly mistake: string;
  readonly given?: RigOptions;
  /** Brings about the situation, before anything is compared. */
  readonly made?: string;
  /** A run of the plan has been started and its agent is held until `$OUT/go` exists; its process is $RUN. */
  readonly meanwhile?: "run" | "killed" | "interrupted";
  /** What the person types: at most one message, and the documented exit code. */
  readonly typed: string;
  readonly code: number;
  /** What is wrong, where, and how to fix it. */
  readonly says: readonly (string | RegExp)[];
  readonly unsaid?: readonly (string | RegExp)[];
  /** Paths that the command is meant to change; everything else stays as it was, byte by byte. */
  readonly changes?: RegExp;
  /** What the message says to do, and the right command: ends with 0. A command that did what was wanted needs none. */
  readonly cure?: string;
  /** Typed by somebody who is not root, and owns everything. */
  readonly asAnybody?: true;
  /** What the machine must allow. */
  readonly needs?: boolean;
}

/** A run's branch, where a run is meant to land. */
export const branch = /\/refs\/heads\/stint(\/|$)/;

/** Makes the mistake on a machine of its own, and expects what the row says. */
export async function expectMistake(row: Mistake): Promise<void> {
  await using rig = await createRig({ ...oneTask(row), ...row.given });
  const shell = shellIn(rig, row);
  if (row.made !== undefined) expect(await shell(row.made), "made").toMatchObject({ code: 0 });
  const running = row.meanwhile === undefined ? undefined : rig.start(["run", "--yes", "work"]);
  await running?.waitForHold("go");
  if (row.meanwhile === "killed") await running?.kill("SIGKILL");
  const before = filesOf(rig);

  const ended = await shell(row.typed, { RUN: String(running?.pid) });

  expectSaid(ended, row, rig.root);
  const isMeant = ([path]: [string, string]) => row.changes?.test(path) !== true;
  expect(Object.fromEntries(Object.entries(filesOf(rig)).filter(isMeant))).toEqual(
    Object.fromEntries(Object.entries(before).filter(isMeant)),
  );
  if (row.cure !== undefined) expect(await shell(row.cure), row.cure).toMatchObject({ code: 0 });
  expect((await running?.ended)?.code).toBe(row.meanwhile && endsWith[row.meanwhile]);
  expect(rig.processes()).toEqual([]);
}

/** The exit code of the run that was started before. */
const endsWith = { run: 0, killed: null, interrupted: 130 } as const;

function oneTask({ meanwhile }: Mistake): RigOptions {
  const moves = meanwhile === undefined ? writes("a.txt") : [{ hold: "go" }, ...writes("a.txt")];
  return { plan: { tasks: { "01-a": makes("a.txt") } }, moves: { "01-a": moves } };
}

type Shell = (line: string, env?: Readonly<Record<string, string>>) => Promise<Ended>;

function shellIn(rig: Rig, { asAnybody }: Mistake): Shell {
  const bin = join(rig.root, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "stint"), `#!/bin/sh\nexec ${stintWords} "$@"\n`, { mode: 0o755 });
  const env = { PATH: `${bin}:${rig.env["PATH"] ?? ""}`, BIN: bin, OUT: rig.outside };
  const under = ["/bin/sh", "-c"];
  if (asAnybody === true && isRoot) {
    execFileSync("chown", ["-R", "65534:65534", rig.root]);
    under.unshift("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");
  }
  return async (line, more) => rig.stint([], { under: [...under, line], env: { ...env, ...more } });
}

export const isRoot = process.getuid?.() === 0;

/** Stack frames, error codes of the system and values that are none: nobody should have to read them in a line of ours. */
const noise = [
  /^\s+at .+:\d+/m,
  /\bE(?!RROR\b|NV\b)[A-Z]{4,}\b/,
  /\bundefined\b/,
  /\[object /,
  /\\n/,
  /\bNaN\b/,
  /node:internal/,
];

function expectSaid({ code, stdout, stderr }: Ended, row: Mistake, root: string): void {
  const said = `${stdout}${stderr}`;
  expect(code, said).toBe(row.code);
  for (const words of row.says) expect(said, said).toMatch(words);
  // What another program printed stands behind a bar; the name of a temporary folder may look like anything.
  const own = said.replaceAll(root, "").replace(/^ *\| .*$/gm, "");
  for (const words of [...noise, ...(row.unsaid ?? [])]) expect(own, own).not.toMatch(words);
  expect(said.split(/^stint: (?!warning: )/m).length, said).toBeLessThanOrEqual(2);
}

/** Everything that is the user's: the checkout and `.git`, but for objects and what Stint keeps there. */
function filesOf(rig: Rig): Record<string, string> {
  const found: Record<string, string> = {};
  const below = (folder: string): void => {
    for (const { name } of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, name);
      if (notTheirs.test(path)) continue;
      const facts = lstatSync(path);
      if (facts.isDirectory()) below(path);
      else found[relative(rig.root, path)] = `${facts.mode.toString(8)} ${contentOf(path, facts.isSymbolicLink())}`;
    }
  };
  for (const folder of [rig.repo, rig.outside]) below(folder);
  return found;
}

const notTheirs =
  /\/objects$|\.git\/stint$|\.git\/refs\/stint$|\.git\/logs$|\/outside\/(cli-\w+|moves|moves\.json|go(\.reached)?)$/;

/** A file that the mistake has made unreadable is compared by its mode alone. */
function contentOf(path: string, isLink: boolean): string {
  if (isLink) return readlinkSync(path);
  try {
    return readFileSync(path, "base64");
  } catch {
    return "unreadable";
  }
}
