import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findLayerTools, findSandbox } from "../../src/sandbox/find.ts";
import { inLayer, type Layer, type LayerTools } from "../../src/sandbox/layer.ts";

/** Why rooms cannot share files on this machine; tests that need it are skipped, and say so. */
const whyNoLayers = await findReason();

async function findReason(): Promise<string | undefined> {
  const below = mkdtempSync(join(tmpdir(), "stint-layers-"));
  const found = await findSandbox({ mode: "bwrap", env: process.env, hidden: [], mounts: [], roomsBelow: below });
  rmSync(below, { recursive: true, force: true });
  if (!found.ok) return found.failure.message;
  return found.value.sandbox.layers === undefined ? found.value.word : undefined;
}

if (whyNoLayers !== undefined) process.stdout.write(`Tests of layers are skipped: ${whyNoLayers}\n`);

export const canLayer = whyNoLayers === undefined;

export const layerTools: LayerTools = findLayerTools(process.env) ?? { unshare: "", mount: "" };

/** Runs a script where the folders of a layer are one. */
export function inside(layer: Layer, script: string): string {
  const [program = "", ...args] = inLayer(layerTools, layer, ["/bin/sh", "-c", script]);
  return execFileSync(program, args, { encoding: "utf8", env: { PATH: process.env["PATH"] ?? "", LC_ALL: "C" } });
}

/** Prints every name with its type, mode, target and content, but for git's own folder. */
export const listing =
  "find . -name .git -prune -o -mindepth 1 -printf '%p %y %m %l\\n' | sort; find . -name .git -prune -o -type f -print0 | sort -z | xargs -0r sha256sum";
