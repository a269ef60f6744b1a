import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { mutants, type Mutant } from "./mutants.ts";
import type { play } from "./play.ts";

const root = resolve(import.meta.dirname, "../..");
const seedsMax = 1_000;

/** The simulator with one line of the shipped code replaced. */
async function mutated({ file, line, instead }: Mutant, name: string): Promise<typeof play> {
  const outfile = join(root, ".cache/sim", `${name}.mjs`);
  await build({
    entryPoints: [join(root, "test/sim/play.ts")],
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    outfile,
    logLevel: "warning",
    plugins: [
      {
        name: "mutant",
        setup: (bundler) => {
          bundler.onLoad({ filter: /\.ts$/ }, ({ path }) => {
            if (path !== join(root, file)) return undefined;
            const parts = readFileSync(path, "utf8").split(line);
            if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times: ${line}`);
            return { contents: parts.join(instead), loader: "ts" };
          });
        },
      },
    ],
  });
  const bundle: { readonly play: typeof play } = await import(`${pathToFileURL(outfile).href}?${Date.now()}`);
  return bundle.play;
}

test.each(mutants.map((mutant, index) => ({ ...mutant, index })))("Caught: $name", async ({ index, ...mutant }) => {
  const playMutant = await mutated(mutant, `mutant-${index}`);
  const caught: string[] = [];
  for (let seed = 0; seed < seedsMax && caught.length === 0; seed += 1) {
    const { violations } = await playMutant(seed);
    if (violations.length > 0) caught.push(`seed ${seed}: ${violations[0]}`);
  }
  expect(caught, `${mutant.name} was not noticed in ${seedsMax} seeds`).toHaveLength(1);
  process.stdout.write(`${mutant.name}: ${caught[0]}\n`);
});
