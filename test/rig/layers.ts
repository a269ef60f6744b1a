import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findLayerTools, findSandbox } from "../../src/sandbox/find.ts";
import { inLayer, type Layer, type LayerTools } from "../../src/sandbox/layer.ts";

/** Whether this machine can join folders; tests that need it are skipped by name where it cannot. */
export const canLayer = await isUsable();

async function isUsable(): Promise<boolean> {
  const roomsBelow = join(tmpdir(), "stint-can-layer");
  const found = await findSandbox({ mode: "bwrap", env: process.env, hidden: [], mounts: [], roomsBelow });
  return found.ok && found.value.sandbox.layers !== undefined;
}

export const layerTools: LayerTools = findLayerTools(process.env) ?? { unshare: "", mount: "" };

/** Runs a script where the folders of a layer are one. */
export function inside(layer: Layer, script: string): string {
  const [program = "", ...args] = inLayer(layerTools, layer, ["/bin/sh", "-c", script]);
  return execFileSync(program, args, { encoding: "utf8", env: { PATH: process.env["PATH"] ?? "", LC_ALL: "C" } });
}

/** Prints every name with its type, mode, target and content, but for git's own folder. */
export const listing =
  "find . -name .git -prune -o -mindepth 1 -printf '%p %y %m %l\\n' | sort; find . -name .git -prune -o -type f -print0 | sort -z | xargs -0r sha256sum";
