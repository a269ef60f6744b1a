import { accessSync, constants, existsSync } from "node:fs";
import { join, dirname } from "node:path";

/** Where the witnesses of one check are, and where they write, both as the check sees them. */
export interface WitnessPlace {
  /** The folder of witness sources, which nothing in the room can change. */
  readonly tools: string;
  /** A folder that was never used before. */
  readonly reports: string;
}

/** What a family of witnesses needs in a check's environment. */
export interface WitnessEntries {
  readonly set?: Readonly<Record<string, string>>;
  /** Put in front of what the check itself has there, if it has anything. */
  readonly prepend?: Readonly<Record<string, { readonly value: string; readonly separator: string }>>;
}

/** How the runners of one family of tools are heard in a check with this environment. */
export type Witness = (place: WitnessPlace, env: Readonly<Record<string, string>>) => WitnessEntries;

/** A witness finds here where to append its lines. The name is neutral: code under test is not to learn from it that Stint is looking. */
export const reportsVariable = "ROOM_WITNESS";

/** Adds the entries of all witnesses to a check's environment; what the check set itself still counts. */
export function withWitnesses(
  env: Readonly<Record<string, string>>,
  place: WitnessPlace,
  witnesses: readonly Witness[],
): Record<string, string> {
  const merged: Record<string, string> = { ...env, [reportsVariable]: place.reports };
  for (const { set = {}, prepend = {} } of witnesses.map((witness) => witness(place, env))) {
    Object.assign(merged, set);
    for (const [name, { value, separator }] of Object.entries(prepend)) {
      const own = merged[name] ?? "";
      merged[name] = own === "" ? value : `${value}${separator}${own}`;
    }
  }
  return merged;
}

/** Puts our own programs in front of PATH, but only of those that are there: a command may ask whether they are. */
function inFront(
  tools: string,
  { env, programs }: { readonly env: Readonly<Record<string, string>>; readonly programs: readonly string[] },
): NonNullable<WitnessEntries["prepend"]> {
  const folders = (env["PATH"] ?? "").split(":").filter((folder) => folder !== "");
  const found = programs.filter((program) => folders.some((folder) => isExecutable(join(folder, program))));
  if (found.length === 0) return {};
  return { PATH: { value: found.map((program) => join(tools, "in-front", program)).join(":"), separator: ":" } };
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** node:test, vitest and jest are heard by a module that every node of the check loads first, and that costs nothing where none of them runs. */
export const nodeWitness: Witness = ({ tools }) => ({
  prepend: { NODE_OPTIONS: { value: `--require=${quoted(join(tools, "node", "preload.cjs"))}`, separator: " " } },
});

/** Quotes a path as node reads its options from the environment: a backslash takes the next character literally. */
function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, (found) => `\\${found}`)}"`;
}

/**
 * pytest and unittest are heard by a module that every Python of the check loads first. A command that sets PYTHONPATH for itself
 * would lose it, so programs in front of PATH put it back.
 */
const pythonWitness: Witness = ({ tools }, env) => ({
  prepend: {
    PYTHONPATH: { value: join(tools, "python"), separator: ":" },
    ...inFront(tools, { env, programs: ["python", "python3", "pytest"] }),
  },
});

/** go test is heard by a `go` in front of PATH, because what it compiles in depends on the release that the module asks for. */
const goWitness: Witness = ({ tools }, env) => ({ prepend: inFront(tools, { env, programs: ["go"] }) });

/** cargo test is heard by a script, through which cargo starts each binary of tests, and rustdoc for doctests. What the check set itself for that is left alone. */
const cargoWitness: Witness = ({ tools }, env) => {
  // cargo splits the words of a runner at spaces and knows no quotes.
  if (/\s/.test(tools)) return {};
  const runner = `/bin/sh ${join(tools, "cargo", "run.sh")}`;
  const runners = triples.map((triple) => [`CARGO_TARGET_${triple}_RUNNER`, runner] as const);
  const own = [...runners, ["RUSTDOC", join(tools, "cargo", "rustdoc")] as const];
  const missing = own.filter(([name]) => env[name] === undefined);
  return { set: { ...Object.fromEntries(missing), ROOM_TRIPLES: triples.join(" ") } };
};

/** The machines that tests run on by default; cargo has no setting for all of them. */
const triples = ["X86_64", "AARCH64"].flatMap((machine) =>
  ["UNKNOWN_LINUX_GNU", "UNKNOWN_LINUX_MUSL", "APPLE_DARWIN"].map((system) => `${machine}_${system}`),
);

/** Every family of test runners that is heard. */
export const witnesses: readonly Witness[] = [nodeWitness, pythonWitness, goWitness, cargoWitness];

/**
 * Finds the folder of the witnesses: beside the bundles in the package, beside the sources in the repository. It is looked up
 * when it is needed, because a bundle elsewhere (the simulator) uses this module without it.
 */
export function witnessTools(): string {
  for (let dir = import.meta.dirname; ; dir = dirname(dir)) {
    const folder = join(dir, "runners");
    if (existsSync(join(folder, "node", "preload.cjs"))) return folder;
    if (dir === dirname(dir)) throw new Error(`Internal error: expected ${folder} of the package, but it is not there`);
  }
}
