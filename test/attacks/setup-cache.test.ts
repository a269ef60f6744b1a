import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Control } from "../../src/git/control.ts";
import { listTree } from "../../src/git/objects.ts";
import { workspaceLimits } from "../../src/workspace/limits.ts";
import { redactor } from "../../src/base/redact.ts";
import { findSandbox } from "../../src/sandbox/find.ts";
import { noSandbox } from "../../src/sandbox/sandbox.ts";
import { secretsOf } from "../../src/base/secrets.ts";
import { furnish } from "../../src/workspace/furnished.ts";
import type { Furniture } from "../../src/workspace/set-up.ts";
import type { SetupCache } from "../../src/workspace/setup-cache.ts";
import { ann, commitAll, rig, type Rig, sh, write } from "../rig/git.ts";
import { canConfine } from "../rig/sandbox-world.ts";

const files = {
  lock: "lib 1\n",
  "setup.sh": 'echo ran >> "$COUNT/count"\nmkdir -p vendor\ncp lock vendor/lib\nln -s lib vendor/link\n',
};

interface Rooms {
  readonly r: Rig;
  readonly cacheDir: string;
  /** Furnishes a new room at a commit, and returns its folder. */
  readonly room: (commit: string, more?: Partial<Furniture>) => Promise<string>;
  /** How often set-up has been run. */
  readonly count: () => number;
  readonly cache: (more?: Partial<SetupCache>) => SetupCache;
  /** A commit on top of the base, as a candidate is. */
  readonly candidate: (changes: Record<string, string>) => string;
}

/** What the host gives a run: inputs by name, and trust in the base alone. */
function cacheAt(dir: string, control: Control, base: string): SetupCache {
  return {
    dir,
    isInput: () => false,
    inputsOf: async (commit) => {
      const inputs = (await listTree(control, commit)).filter(({ path }) => path === "lock");
      return inputs.length === 0 ? undefined : JSON.stringify(inputs);
    },
    keepFor: (commit) => (commit === base ? "base" : undefined),
    useOf: ["run", "base"],
  };
}

async function rooms(): Promise<Rooms> {
  const r = await rig(files);
  const [cacheDir, counted] = [join(r.root, "cache"), join(r.root, "counted")];
  mkdirSync(counted);
  const userEnv = { PATH: process.env["PATH"], HOME: join(r.root, "home"), COUNT: counted };
  const mounts = [{ path: counted, writable: true }];
  const found = await findSandbox({ mode: "bwrap", env: userEnv, hidden: [r.user], mounts });
  if (!found.ok) throw new Error(found.failure.message);
  const { sandbox } = found.value;
  let made = 0;
  const cache: Rooms["cache"] = (more = {}) => ({ ...cacheAt(cacheDir, r.control, r.base), ...more });
  return {
    r,
    cacheDir,
    cache,
    count: () =>
      existsSync(join(counted, "count")) ? readFileSync(join(counted, "count"), "utf8").split("\n").length - 1 : 0,
    candidate: (changes) => {
      sh(r.user, "checkout", "-q", "--detach", r.base);
      write(r.user, changes);
      return commitAll(r.user);
    },
    room: async (commit, more = {}) => {
      const furniture = { userEnv, envNames: ["COUNT"], setup: "sh setup.sh", sandbox, cache: cache(), ...more };
      const dir = join(r.root, `room-${++made}`);
      const logDir = join(r.root, `log-${made}`);
      const { signal } = new AbortController();
      const room = await furnish(r.control, furniture, { dir, commit, branch: null, identity: ann, logDir, signal });
      if (!room.ok) throw new Error(room.failure.message);
      return room.value.checkout.dir;
    },
  };
}

const lib = (room: string) => readFileSync(join(room, "vendor/link"), "utf8");

test.skipIf(!canConfine)(
  "what set-up made at the base is copied into the next room, where nobody can reach the original",
  async () => {
    const { r, room, count } = await rooms();
    expect(lib(await room(r.base))).toBe("lib 1\n");
    const second = await room(r.base);
    expect([lib(second), count()]).toEqual(["lib 1\n", 1]);
    expect(statSync(join(second, "vendor/lib")).nlink).toBe(1);
    appendFileSync(join(second, "vendor/lib"), "changed\n");
    expect([lib(await room(r.base)), count()]).toEqual(["lib 1\n", 1]);
  },
);

test.skipIf(!canConfine)("rooms that are made at once run set-up once, and all have what it made", async () => {
  const { r, room, count } = await rooms();
  const made = await Promise.all([room(r.base), room(r.base), room(r.base)]);
  expect([made.map(lib), count()]).toEqual([["lib 1\n", "lib 1\n", "lib 1\n"], 1]);
});

test.skipIf(!canConfine)("a set-up that fails holds up nobody: each of those that waited tries by itself", async () => {
  const { r, room, count } = await rooms();
  const failing = { setup: "sh setup.sh && exit 1" };
  const made = await Promise.allSettled([room(r.base, failing), room(r.base, failing)]);
  expect([made.map(({ status }) => status), count()]).toEqual([["rejected", "rejected"], 2]);
});

test.skipIf(!canConfine)("set-up runs again where an input, the command or a variable differs", async () => {
  const { r, room, count, candidate } = await rooms();
  await room(r.base);
  expect([lib(await room(candidate({ lock: "lib 2\n" }))), count()]).toEqual(["lib 2\n", 2]);
  await room(r.base, { setup: "sh setup.sh && true" });
  expect(count()).toBe(3);
  await room(r.base, { userEnv: { PATH: `${process.env["PATH"]}:/sbin`, COUNT: join(r.root, "counted") } });
  expect(count()).toBe(4);
});

test.skipIf(!canConfine)(
  "nothing is reused without inputs, where they match no file, or without a sandbox",
  async () => {
    const { r, room, count, cache, cacheDir } = await rooms();
    await room(r.base, { cache: undefined });
    await room(r.base, { cache: cache({ inputsOf: async () => undefined }) });
    await room(r.base, { sandbox: noSandbox });
    expect(existsSync(cacheDir)).toBe(false);
    await room(r.base);
    await room(r.base, { sandbox: noSandbox });
    expect(count()).toBe(5);
  },
);

test.skipIf(!canConfine)("a damaged or half-written entry is never used", async () => {
  const { r, room, count, cacheDir } = await rooms();
  await room(r.base);
  const [entry = ""] = readdirSync(cacheDir);
  const kept = join(cacheDir, entry, "files/vendor/lib");
  const before = statSync(kept);
  // Same size, same times: only the time of last change tells.
  writeFileSync(kept, "lib X\n");
  utimesSync(kept, before.atime, before.mtime);
  expect([lib(await room(r.base)), count()]).toEqual(["lib 1\n", 2]);
  expect([lib(await room(r.base)), count()]).toEqual(["lib 1\n", 2]);
  rmSync(join(cacheDir, entry, "manifest.json"));
  expect([lib(await room(r.base)), count()]).toEqual(["lib 1\n", 3]);
});

const evil = { "setup.sh": "mkdir -p vendor\necho evil > vendor/lib\nln -s lib vendor/link\n" };

test.skipIf(!canConfine)("a candidate that changes what set-up runs cannot fill the cache of others", async () => {
  const { r, room, candidate, cacheDir, count } = await rooms();
  const other = candidate({ ...evil, lock: "lib 1\n#\n" });
  const same = candidate(evil);
  expect(lib(await room(other))).toBe("evil\n");
  expect(lib(await room(same))).toBe("evil\n");
  expect(existsSync(cacheDir)).toBe(false);
  expect([lib(await room(r.base)), count()]).toEqual(["lib 1\n", 1]);
  // With the inputs of the base it gets what the base's own set-up made.
  expect(lib(await room(same))).toBe("lib 1\n");
});

test.skipIf(!canConfine)("a cache that trusted every commit would be poisoned by it", async () => {
  const { r, room, candidate, cache } = await rooms();
  const careless = cache({ keepFor: () => "base" });
  await room(candidate(evil), { cache: careless });
  expect(lib(await room(r.base))).toBe("evil\n");
});

test.skipIf(!canConfine)("what was made of a run's tip serves that run alone", async () => {
  const { room, candidate, cache, count } = await rooms();
  const tip = candidate({ lock: "lib 2\n" });
  const ofRun = cache({ keepFor: () => "run" });
  await room(tip, { cache: ofRun });
  await room(tip, { cache: ofRun });
  expect(count()).toBe(1);
  await room(tip, { cache: cache({ useOf: ["another run", "base"] }) });
  expect(count()).toBe(2);
});

test.skipIf(!canConfine)("the entries used longest ago are removed", async () => {
  const { r, room, cacheDir, count } = await rooms();
  await room(r.base);
  const [first = ""] = readdirSync(cacheDir);
  for (let n = 1; n <= workspaceLimits.setupCacheEntriesMax; n += 1) {
    const old = join(cacheDir, `old-${n}`);
    mkdirSync(old);
    utimesSync(old, n, n);
  }
  await room(r.base, { setup: "sh setup.sh; true" });
  expect(readdirSync(cacheDir)).toHaveLength(workspaceLimits.setupCacheEntriesMax);
  expect(readdirSync(cacheDir)).toContain(first);
  expect(readdirSync(cacheDir)).not.toContain("old-1");
  await room(r.base);
  expect(count()).toBe(2);
});

/** What a room gets where `yarn` obeys the checkout, as the real one does. */
async function withYarn({ root }: Rig, setup: string) {
  const bin = join(root, "bin");
  write(bin, { yarn: "#!/bin/sh\n[ ! -e .yarnrc ] || . ./.yarnrc\necho 1.2.3\n" });
  chmodSync(join(bin, "yarn"), 0o755);
  const userEnv = { PATH: `${bin}:${process.env["PATH"]}`, MY_TOKEN: "cnry-7Kq2x9Vz4Wm8" };
  const found = await findSandbox({ mode: "bwrap", env: userEnv, hidden: [], mounts: [] });
  if (!found.ok) throw new Error(found.failure.message);
  const redact = redactor(secretsOf(userEnv, ["MY_TOKEN"]));
  return { userEnv, envNames: ["MY_TOKEN"], sandbox: found.value.sandbox, redact, setup: `: yarn; ${setup}` };
}

test.skipIf(!canConfine)("what is copied is not written through a link that the checkout's own tool left", async () => {
  const { r, room, candidate } = await rooms();
  const mine = join(r.root, "mine");
  writeFileSync(mine, "mine\n");
  const furniture = await withYarn(r, "echo made > made");
  await room(r.base, furniture);
  const tree = await room(candidate({ ".yarnrc": `ln -s ${mine} made\n` }), furniture);
  expect(readFileSync(mine, "utf8")).toBe("mine\n");
  expect([lstatSync(join(tree, "made")).isFile(), readFileSync(join(tree, "made"), "utf8")]).toEqual([true, "made\n"]);
});

test.skipIf(!canConfine)(
  "what the checkout's own tool prints when asked for its version is free of secrets",
  async () => {
    const { r, room, candidate } = await rooms();
    await room(candidate({ ".yarnrc": 'echo "$MY_TOKEN"\n' }), await withYarn(r, "true"));
    const log = readFileSync(join(r.root, "log-1", "tools.log"), "utf8");
    expect(log).toContain("[secret MY_TOKEN]\n1.2.3\n");
  },
);
