import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkInFreshRoom, roomsIn } from "../../src/workspace/real-rooms.ts";
import { workspaceLimits } from "../../src/workspace/limits.ts";
import { tempDir } from "../rig/git.ts";
import { type LayerWorld, layerWorld } from "../rig/layer-world.ts";
import { canLayer } from "../rig/layers.ts";

const layered = test.skipIf(!canLayer);

const poison = 'mkdir -p "$HOME/.cache/tool" && echo evil > "$HOME/.cache/tool/entry"';
const look = 'cat "$HOME/.cache/tool/entry" 2>/dev/null || echo none';

async function seen(world: LayerWorld, how: Parameters<LayerWorld["check"]>[1] = {}, line = look): Promise<string> {
  await world.rooms.caches?.settled();
  const [found] = await world.check([line], how);
  return found?.tail.trim() ?? "";
}

async function statesOf(world: LayerWorld, lines: readonly string[], how: Parameters<LayerWorld["check"]>[1] = {}) {
  await world.rooms.caches?.settled();
  return (await world.check(lines, how)).map(({ state }) => state);
}

/** A candidate, and one that is checked later. */
async function worldWithWork() {
  const world = await layerWorld();
  const commit = world.candidate({ "work.txt": "work\n" });
  return { world, commit, later: { commit: world.candidate({ "later.txt": "later\n" }) } };
}

layered(
  "what a red check of a candidate left reaches nobody, even once it landed; what a green one left does",
  async () => {
    const { world, commit, later } = await worldWithWork();
    await world.check([`${poison}; exit 1`], { commit });
    world.rooms.caches?.landed(commit);
    expect(await seen(world, later)).toBe("none");
    await world.check([poison], { commit });
    expect(await seen(world, later), "the control").toBe("evil");
  },
);

layered("what a green check of a candidate left reaches nobody before the candidate has landed", async () => {
  const { world, commit, later } = await worldWithWork();
  await world.check([poison], { commit });
  expect(await seen(world, later)).toBe("none");
  expect(await seen(world, { commit })).toBe("none");
  world.rooms.caches?.landed(commit);
  expect(await seen(world, later), "the control").toBe("evil");
});

layered("rooms that run at the same time do not see each other's HOME", async () => {
  const open = tempDir();
  const world = await layerWorld({ open });
  await world.check([":"]);
  const wait = (own: string, other: string) => `: > '${open}/${own}'; until [ -e '${open}/${other}' ]; do :; done`;
  const lines = [`${poison}; ${wait("p", "q")}`, `${wait("q", "p")}; ${look}`];
  const [, second] = await Promise.all(lines.map((line) => world.check([line])));
  expect(second?.[0]?.tail.trim()).toBe("none");
  expect(await seen(world), "the control").toBe("evil");
});

layered("a check cannot change what is kept, only what it sees itself", async () => {
  const world = await layerWorld();
  await world.check(['mkdir -p "$HOME/.cache/tool"; echo good > "$HOME/.cache/tool/entry"']);
  const commit = world.candidate({ "work.txt": "work\n" });
  const attack = 'cd "$HOME/.cache/tool"; ln entry link; echo evil > link; echo evil > entry; cat entry; rm entry';
  expect(await seen(world, { commit }, attack)).toBe("evil");
  expect(await seen(world)).toBe("good");
});

const plants = [".npmrc", ".gitconfig", ".config/git/config", ".gradle/init.d/a.gradle", ".m2/settings.xml", ".npm/x"];

layered("settings that a check of landed work plants in HOME are not kept; cache entries beside them are", async () => {
  const { world, commit, later } = await worldWithWork();
  const kept = ".gradle/caches/entry";
  const names = [...plants, kept].map((name) => `"$HOME/${name}"`).join(" ");
  const plant = `for f in ${names}; do mkdir -p "$(dirname "$f")"; echo evil > "$f"; done`;
  await world.check([plant], { commit });
  world.rooms.caches?.landed(commit);
  expect(await seen(world, later, 'cd "$HOME"; find . -type f')).toBe(`./${kept}`);
});

layered("no link in a cache folder is followed, nor one in its place", async () => {
  const { world, commit, later } = await worldWithWork();
  const outside = tempDir();
  mkdirSync(join(outside, "repository"));
  for (const name of ["secret", "repository/secret"]) writeFileSync(join(outside, name), "secret\n");
  const links = [
    `mkdir -p "$HOME/.cache/f"; ln -s '${outside}' "$HOME/.cache/folder"; ln -s '${outside}/secret' "$HOME/.cache/file"`,
    `ln -s '${outside}' "$HOME/.m2"; ln -s '${outside}' "$HOME/.npm"; mkfifo "$HOME/.cache/fifo"`,
    'echo x > "$HOME/.cache/suid"; chmod 4755 "$HOME/.cache/suid"; mkdir -m 000 "$HOME/.cache/closed"',
    'echo plain > "$HOME/.cache/plain"; ln "$HOME/.cache/plain" "$HOME/second"',
  ];
  const [found] = await world.check([links.join("; ")], { commit });
  expect(found?.state, found?.tail).toBe("green");
  world.rooms.caches?.landed(commit);
  const list = 'cd "$HOME"; find . ! -type d; cat .cache/plain; stat -c %h .cache/plain';
  expect(await seen(world, later, list)).toBe("./.cache/plain\nplain\n1");
});

layered("what work that landed left does not reach final verification, and what the base left does", async () => {
  const { world, commit } = await worldWithWork();
  const final = async () => {
    await world.rooms.caches?.settled();
    const checks = [checkOf(look)];
    const request = { commit, checks, logDir: tempDir(), signal: new AbortController().signal };
    const [found] = await checkInFreshRoom(world.rooms, { ...request, caches: "base" });
    return [found?.tail.trim(), found?.caches];
  };
  await world.check([poison], { commit });
  world.rooms.caches?.landed(commit);
  expect(await final()).toEqual(["none", undefined]);
  await world.rooms.caches?.settled();
  const [later] = await world.check([look], { commit });
  expect([later?.tail.trim(), later?.caches], "the control").toEqual(["evil", "landed"]);
  await world.check([`${poison.replace("evil", "base")}; exit 1`]);
  expect(await final()).toEqual(["base", undefined]);
});

layered(
  "a check of the run's base has no caches of work that landed, so it cannot carry them to final verification",
  async () => {
    const { world, commit, later } = await worldWithWork();
    await world.check([poison], { commit });
    world.rooms.caches?.landed(commit);
    // Programs run what they find in a cache, and that may do anything.
    const carry = 'mkdir -p "$HOME/.cache/carried" && cp "$HOME/.cache/tool/entry" "$HOME/.cache/carried/entry"';
    const [carried] = await statesOf(world, [carry]);
    expect(carried).toBe("red");
    const [elsewhere] = await statesOf(world, [carry], later);
    expect(elsewhere, "the control").toBe("green");
  },
);

layered("a set-up has no caches of work that landed, and its checks have those that it left", async () => {
  const setup = `cat "$HOME/.cache/tool/entry" > seen 2>/dev/null; mkdir -p "$HOME/.cache/own"; echo own > "$HOME/.cache/own/entry"`;
  const world = await layerWorld({ setup: `${setup}; :` });
  const [first, second] = ["1", "2"].map((text) => world.candidate({ "work.txt": `${text}\n` })) as [string, string];
  await world.check([poison], { commit: first });
  world.rooms.caches?.landed(first);
  const both = `${look}; cat seen "$HOME/.cache/own/entry"`;
  expect(await seen(world, { commit: second }, both)).toBe("evil\nown");
});

layered("a later run finds the caches of a set-up that it does not repeat, unless somebody changed them", async () => {
  const setup = 'echo ran >> made; mkdir -p "$HOME/.cache/own"; date +%N > "$HOME/.cache/own/entry"';
  const world = await layerWorld({ setup, inputs: ["lock"], files: { lock: "1\n" } });
  const show = 'cat "$HOME/.cache/own/entry"';
  const first = await seen(world, {}, show);
  expect(first).toMatch(/^\d+$/);
  const laterRun = () => roomsIn({ ...world.rooms, dir: tempDir() });
  expect(await seen(world, { rooms: laterRun() }, show)).toBe(first);
  const [kept = ""] = readdirSync(world.cacheDir);
  writeFileSync(join(world.cacheDir, kept, "home/.cache/own/entry"), "evil\n");
  expect(await seen(world, { rooms: laterRun() }, show)).toMatch(/^\d+$/);
});

layered("what was kept of a set-up is made again if it goes while a run uses its caches alone", async () => {
  const setup = 'echo x > gen.txt; mkdir -p "$HOME/.cache/own"; echo own > "$HOME/.cache/own/entry"';
  const world = await layerWorld({ setup, inputs: ["lock"], files: { lock: "1\n" } });
  await world.check([":"]);
  // It tracks what set-up makes, so what it uses of the entry is only HOME.
  const commit = world.candidate({ "gen.txt": "tracked\n" });
  const show = 'cat gen.txt "$HOME/.cache/own/entry"';
  expect(await seen(world, { commit }, show)).toBe("tracked\nown");
  for (const name of readdirSync(world.cacheDir)) rmSync(join(world.cacheDir, name), { recursive: true });
  expect(await seen(world, { commit }, show)).toBe("tracked\nown");
});

layered("folders and odd paths in a cache keep nobody waiting, and take nothing with them", async () => {
  const world = await layerWorld();
  const deep = 'd=$(printf %0200d 0); cd "$HOME/.cache"; for i in $(seq 30); do mkdir $d && cd $d; done; echo x > file';
  await world.check([`mkdir -p "$HOME/.cache"; echo good > "$HOME/.cache/good"; ${deep}`]);
  expect(await seen(world, {}, 'cat "$HOME/.cache/good"')).toBe("good");
  const count = workspaceLimits.keptCachesFilesMax + 1;
  const many = `mkdir -p "$HOME/.cache/many"; echo bad > "$HOME/.cache/bad"; cd "$HOME/.cache/many"; seq ${count} | xargs mkdir`;
  await world.check([many]);
  expect(await seen(world, {}, 'cat "$HOME/.cache/bad" 2>/dev/null; cat "$HOME/.cache/good"')).toBe("good");
});

layered("once the caches of a run are removed, its checks find none, and run all the same", async () => {
  const world = await layerWorld();
  await world.check([poison]);
  await world.rooms.caches?.settled();
  await world.rooms.caches?.remove();
  expect(await seen(world)).toBe("none");
});

function checkOf(run: string) {
  const place = { cwd: ".", env: {}, timeoutMs: 60_000, network: false };
  return { kind: "run", run, ...place, red: true, at: { line: 1, column: 1 } } as const;
}
