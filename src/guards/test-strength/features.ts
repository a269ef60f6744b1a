import { posix } from "node:path";
import { tomlSettings } from "../../syntax/settings.ts";
import type { TestCase } from "./model.ts";
import type { FileSide } from "./places.ts";

/** Reads a file as it is after the work; null where there is none. */
export type ReadNow = (path: string) => Promise<string | null>;

/** Looks up the features that tests of Rust depend on: tests that the default build has are not skipped at all. */
export async function withFeatures(sides: readonly FileSide[], read: ReadNow): Promise<FileSide[]> {
  return await Promise.all(
    sides.map(async (side) => {
      if (!side.file.tests.some(({ skipped }) => featureIn(skipped) !== undefined)) return side;
      const features = await featuresFor(side.path, read);
      return { ...side, file: { ...side.file, tests: side.file.tests.map((test) => judged(test, features)) } };
    }),
  );
}

/** Reads the feature that a single condition names, and whether it is to be off. */
function featureIn(skipped: string | null): { readonly name: string; readonly isOff: boolean } | undefined {
  const found = /^#\[cfg\((?:all\(test, )?(not\()?feature = "([^"]+)"\)*\]$/.exec(skipped ?? "");
  return found === null ? undefined : { name: found[2] ?? "", isOff: found[1] !== undefined };
}

function judged(test: TestCase, features: ReadonlyMap<string, readonly string[]>): TestCase {
  const feature = featureIn(test.skipped);
  if (feature === undefined) return test;
  const isDefault = defaultsOf(features).has(feature.name);
  if (isDefault !== feature.isOff) return { ...test, skipped: null };
  return features.has(feature.name) ? { ...test, skipped: `${test.skipped}, if it is built without` } : test;
}

/** Collects what the default build switches on, through features that switch on others. */
function defaultsOf(features: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const found = new Set<string>();
  const queue = ["default"];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    queue.push(...(features.get(next) ?? []));
  }
  return found;
}

/** Reads the features of the package that a file belongs to. */
async function featuresFor(path: string, read: ReadNow): Promise<ReadonlyMap<string, readonly string[]>> {
  for (let dir = posix.dirname(path); ; dir = posix.dirname(dir)) {
    const text = await read(posix.join(dir, "Cargo.toml"));
    if (text !== null) {
      const entries = [...tomlSettings(text)].filter(([key]) => key.startsWith("features."));
      return new Map(entries.map(([key, value]) => [key.slice("features.".length), [value].flat()]));
    }
    if (dir === "." || dir === "/") return new Map();
  }
}
