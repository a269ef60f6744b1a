import { join } from "node:path";
import type { Witness } from "./witness.ts";

/** cargo test: cargo starts each binary of tests, and rustdoc for doctests, through a script. What the check set itself for that is left alone. */
export const cargoWitness: Witness = ({ tools }, env) => {
  // cargo splits the words of a runner at spaces and knows no quotes.
  if (/\s/.test(tools)) return {};
  const runner = `/bin/sh ${join(tools, "cargo", "run.sh")}`;
  const runners = triples.map((triple) => [`CARGO_TARGET_${triple}_RUNNER`, runner] as const);
  const own = [...runners, ["RUSTDOC", join(tools, "cargo", "rustdoc")] as const];
  const missing = own.filter(([name]) => env[name] === undefined);
  return { set: { ...Object.fromEntries(missing), ROOM_TRIPLES: triples.join(" ") } };
};

/** The machines that tests run on where nobody named another; cargo knows no runner for all. */
const triples = ["X86_64", "AARCH64"].flatMap((machine) =>
  ["UNKNOWN_LINUX_GNU", "UNKNOWN_LINUX_MUSL", "APPLE_DARWIN"].map((system) => `${machine}_${system}`),
);
