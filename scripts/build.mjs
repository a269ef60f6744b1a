// Bundles the command line (one entry, commands as lazy chunks), the library and the scripted agent, then writes the library's types.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, cpSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { build } from "esbuild";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));
rmSync("dist", { recursive: true, force: true });
const common = {
  outdir: "dist",
  bundle: true,
  minifySyntax: true,
  minifyWhitespace: true,
  platform: "node",
  format: "esm",
  target: "node20.19",
  logLevel: "warning",
  // Its grammars lie beside its code.
  external: ["@vscode/tree-sitter-wasm"],
};
await build({
  ...common,
  entryPoints: { cli: "src/cli/entry.ts", index: "src/index.ts" },
  splitting: true,
  define: { STINT_VERSION: JSON.stringify(version), STINT_BUILD: JSON.stringify(sourceHash()) },
  chunkNames: "chunks/[name]-[hash]",
  // Bundled CommonJS dependencies call `require` for node's own modules.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
});
// In one file: it is all that a sandbox has to show of Stint.
await build({ ...common, entryPoints: { "scripted-agent": "src/agents/scripted/agent.ts" } });
chmodSync("dist/cli.js", 0o755);
// As they are: they run under whatever the project under check has.
cpSync("src/checks/witness/runners", "dist/runners", {
  recursive: true,
  filter: (path) => !/README\.md$|__pycache__/.test(path),
});

const tsc = createRequire(import.meta.url)
  .resolve("typescript/package.json")
  .replace("package.json", "bin/tsc");
const types = spawnSync(process.execPath, [tsc, "-p", "tsconfig.types.json"], { stdio: "inherit" });
process.exitCode = types.status ?? 1;

/** Tells one build from another, also between two versions. */
function sourceHash() {
  const names = readdirSync("src", { recursive: true }).filter((name) => name.endsWith(".ts"));
  const hash = createHash("sha256");
  for (const name of names.toSorted()) hash.update(readFileSync(`src/${name}`));
  return hash.digest("hex");
}
