import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { endLeftovers } from "../process/supervise.ts";
import { ok } from "../base/result.ts";
import type { Layer, LayerTools } from "../sandbox/layer.ts";
import { checkoutStyle, removeCheckout } from "./checkout.ts";
import { removeAside } from "./remove.ts";
import { findFurnished, furnish, type Furnished, type FurnishResult, madeFile } from "./furnished.ts";
import {
  type FoundWorkspace,
  cannotJoin,
  isLayered,
  keepRules,
  layerIn,
  makeWhole,
  openLayered,
  putBackLayer,
} from "./layered.ts";
import { addableIn, type Held, type Trees } from "./pristine.ts";
import type { Furniture } from "./set-up.ts";
import type { runPaths } from "../project/paths.ts";
import type { AttemptKey } from "../engine/session.ts";
import type { FreshOptions } from "./room-port.ts";
import type { Project } from "../project/project.ts";

/** The workspaces of one run. */
export interface Workspaces {
  /** Returns a workspace at the base that no agent has seen: the one this process has just made, or a new one. */
  readonly fresh: (key: AttemptKey, options: FreshOptions) => Promise<FurnishResult>;
  /** Sets what `fresh` returns next time: the restored workspace, or nothing if restoring failed. */
  readonly keep: (key: AttemptKey, workspace: FurnishResult) => void;
  /** Makes sure of a workspace that no agent has seen, and gives it away. Returns why there is none. */
  readonly give: (key: AttemptKey, options: FreshOptions) => Promise<string | undefined>;
  /** Returns the layers of a workspace that was given; undefined if it has all its files itself. */
  readonly layerOf: (key: AttemptKey) => Layer | undefined;
  /** Returns the workspace as a session left it; undefined if there is none. */
  readonly find: (key: AttemptKey, base: string) => Promise<FoundWorkspace | undefined>;
  /** Puts all files into a workspace that has only changes, so that a person can look at it. */
  readonly makeWhole: (key: AttemptKey, base: string) => Promise<void>;
  readonly remove: (key: AttemptKey) => void;
}

export function realWorkspaces(
  project: Project,
  options: {
    readonly paths: ReturnType<typeof runPaths>;
    readonly furniture: Furniture;
    /** The trees that workspaces share; absent where each has all files of its own. */
    readonly trees: Trees | undefined;
    readonly inBackground: (work: Promise<unknown>) => void;
  },
): Workspaces {
  const { paths, furniture, trees, inBackground } = options;
  const { control } = project;
  const untouched = new Map<string, Furnished>();
  const given = new Map<string, Held & { readonly layer: Layer }>();
  const keep = (key: AttemptKey, made: FurnishResult) => {
    if (made.ok) untouched.set(paths.workspace(key), made.value);
    else untouched.delete(paths.workspace(key));
  };
  const clear = async (dir: string, { stillOwn }: FreshOptions) => {
    stillOwn();
    // A check on the base may have outlived the driver that started it.
    await endLeftovers({ cwdWithin: dir, environWithin: dir });
    stillOwn();
    await removeCheckout(dir);
  };
  const fresh: Workspaces["fresh"] = async (key, { base, signal, stillOwn }) => {
    const dir = paths.workspace(key);
    const known = untouched.get(dir);
    if (known !== undefined) return ok(known);
    await clear(dir, { base, signal, stillOwn });
    const request = { dir, commit: base, ...checkoutStyle, logDir: paths.attempt(key), signal };
    const made = await furnish(control, furniture, request);
    keep(key, made);
    return made;
  };
  const giveLayered = async (key: AttemptKey, wanted: FreshOptions, shared: Shared): Promise<string | undefined> => {
    const dir = paths.workspace(key);
    await clear(dir, wanted);
    const held = await shared.trees.hold({ commit: wanted.base, logDir: paths.attempt(key), signal: wanted.signal });
    if (!held.made.ok) {
      held.release();
      return held.made.failure.message;
    }
    const layer = await layerIn(dir, held.made.value.tree);
    const made = await addableIn({ control, layers: shared.layers, dir }, held.made.value);
    await writeFile(join(dir, madeFile), JSON.stringify(made), { mode: 0o600 });
    if (held.made.value.made !== undefined) await keepRules(dir, held.made.value.made);
    given.set(dir, { ...held, layer });
    return undefined;
  };
  const { layers } = furniture.sandbox;
  const shared = trees === undefined || layers === undefined ? undefined : { trees, layers };
  return {
    fresh,
    keep,
    give: async (key, wanted) => {
      if (shared !== undefined && wanted.whole !== true) return await giveLayered(key, wanted, shared);
      const made = await fresh(key, wanted);
      if (!made.ok) return made.failure.message;
      untouched.delete(paths.workspace(key));
      return undefined;
    },
    layerOf: (key) => given.get(paths.workspace(key))?.layer,
    find: async (key, base) => {
      const dir = paths.workspace(key);
      await putBackLayer(dir);
      if (!isLayered(dir)) return await findFurnished({ dir, commit: base, ...checkoutStyle });
      return await findLayered(dir, base, shared);
    },
    makeWhole: async (key, base) => {
      const dir = paths.workspace(key);
      if (shared === undefined || !isLayered(dir)) return;
      const files = await shared.trees.tracked(base);
      if (!files.ok) throw new Error(files.failure.message);
      const tree = given.get(dir)?.layer.lower ?? files.value.tree;
      await makeWhole(dir, { layers: shared.layers, lower: tree, index: files.value.index });
    },
    remove: (key) => {
      const dir = paths.workspace(key);
      untouched.delete(dir);
      const held = given.get(dir);
      given.delete(dir);
      inBackground(removeAside(dir, paths.scratch).finally(() => held?.release()));
    },
  };
}

/** What workspaces share. */
interface Shared {
  readonly trees: Trees;
  readonly layers: LayerTools;
}

async function findLayered(dir: string, base: string, shared: Shared | undefined): Promise<FoundWorkspace> {
  if (shared === undefined) throw cannotJoin(dir);
  const files = await shared.trees.tracked(base);
  if (!files.ok) throw new Error(files.failure.message);
  return await openLayered(dir, { files: files.value, layers: shared.layers });
}
