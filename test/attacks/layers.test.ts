import { execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { inLayer } from "../../src/sandbox/layer.ts";
import { roomsIn } from "../../src/workspace/real-rooms.ts";
import { around, bytesOf, commitAll, sh, tempDir, write } from "../rig/git.ts";
import { type LayerWorld, layerWorld } from "../rig/layer-world.ts";
import { canLayer } from "../rig/layers.ts";

const layered = test.skipIf(!canLayer);

/** The system's own, because others start through scripts in a home that rooms do not see. */
const python = ["/usr/bin/python3", "/usr/local/bin/python3"].find((file) => existsSync(file));

const files = { "a.txt": "a\n", "d/x": "x\n", "d/e/y": "y\n", lock: "1\n" };
const setup = "mkdir -p vendor && echo lib > vendor/lib && mkdir vendor/more && echo more > vendor/more/m";
const look =
  "for f in a.txt d/x d/e/y vendor/lib vendor/more/m; do cat $f; done; find . -path ./.git -prune -o -print | sort";

/** All that a room could change for the next one, besides what is its own. */
function below({ r, cacheDir }: LayerWorld): Record<string, string> {
  const trees = join(r.root, "state", "run", "rooms", "trees");
  return { ...bytesOf(trees), ...(existsSync(cacheDir) ? bytesOf(cacheDir) : {}) };
}

const said = (found: readonly { readonly tail: string }[]) => found.map(({ tail }) => tail);

/** Attacks in one check; what the next one sees must be what it saw before, though in a shared folder it is not. */
async function expectApart(attack: string): Promise<string> {
  const world = await layerWorld({ files, setup, inputs: ["lock"] });
  const [before = ""] = said(await world.check([look]));
  const kept = below(world);
  const [attacked = "", after] = said(await world.check([attack, look]));
  expect(after).toBe(before);
  expect(below(world)).toEqual(kept);
  const [, shared] = await world.shared([attack, look]);
  expect(shared, "the control").not.toBe(before);
  return attacked;
}

layered.each([
  ["hard links to tracked files and to what set-up made", "ln a.txt h; ln vendor/lib v; echo evil > h; echo evil > v"],
  [
    "hard links out of the room and back",
    'for f in a.txt vendor/lib; do ln $f "$HOME/h"; echo evil >> "$HOME/h"; done',
  ],
  ["a hard link from HOME in place of a file", 'echo evil > "$HOME/e"; ln -f "$HOME/e" a.txt || mv "$HOME/e" d/x'],
  ["files removed", "rm a.txt d/x vendor/lib"],
  ["folders removed", "rm -r d vendor"],
  ["folders removed and made again", "rm -r d vendor; mkdir d vendor; echo evil > d/new"],
  ["a folder replaced by a link, a file by a folder", "rm -r d a.txt; ln -s vendor d; mkdir a.txt"],
  [
    "marks of removed files made by hand",
    'rm a.txt; mknod a.txt c 0 0 || { mknod "$HOME/w" c 0 0; mv "$HOME/w" d/x; }',
  ],
  ["rights taken away", "chmod 000 d a.txt vendor; mv d gone"],
  ["everything removed", "rm -rf ./* ./.git"],
])("the next check sees nothing of %s", async (_, attack) => {
  await expectApart(attack);
});

layered("a room cannot make the mark of a removed file, and a folder that is not joined can have it", async () => {
  const printed = await expectApart("rm a.txt; mknod a.txt c 0 0; mknod d/new c 0 0; ls a.txt d/new; touch marker");
  expect(printed.match(/mknod: .*: Operation not permitted/g)).toHaveLength(2);
  const dir = tempDir();
  execFileSync("mknod", [join(dir, "mark"), "c", "0", "0"]);
  expect(lstatSync(join(dir, "mark")).isCharacterDevice()).toBe(true);
});

/** A process that leaves its session and its parents, and writes for ever through what it had opened. */
const daemons: readonly (readonly [string, string])[] = [
  [
    "descriptors",
    "exec 3<>a.txt 4<>vendor/lib; (setsid sh -c 'while :; do echo evil >&3; echo evil >&4; done' TOKEN &)",
  ],
  ["nohup", "(nohup setsid sh -c 'while :; do echo evil >> a.txt; echo evil >> vendor/lib; done' TOKEN &)"],
  ...(python === undefined
    ? []
    : [
        [
          "a shared memory map",
          `${python} -c "
import mmap, os
maps = [mmap.mmap(os.open(f, os.O_RDWR), 0) for f in ('a.txt', 'vendor/lib')]
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        while True:
            for m in maps: m[0:1] = b'E'
" TOKEN`,
        ] as const,
      ]),
];

function processesWith(token: string): string[] {
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(token);
    } catch {
      return false;
    }
  });
}

layered.each(daemons)("a process that a check leaves behind with %s reaches nobody", async (_, daemon) => {
  const world = await layerWorld({ files, setup, inputs: ["lock"] });
  const [before] = said(await world.check([look]));
  const kept = below(world);
  const token = randomUUID();
  const attack = `{ ${daemon.replace("TOKEN", token)}\n} > /dev/null 2>&1 < /dev/null`;
  expect(said(await world.check([attack, look]))).toEqual(["", before]);
  expect(processesWith(token)).toEqual([]);
  expect(below(world)).toEqual(kept);
  onTestFinished(() => processesWith(token).forEach((pid) => process.kill(Number(pid), "SIGKILL")));
  await world.shared([attack, `until [ "$(head -c 1 a.txt)$(tail -n 1 a.txt)" != aa ]; do :; done`]);
  expect(processesWith(token), "the control").not.toEqual([]);
});

layered.each(daemons)("a process that set-up leaves behind with %s reaches nobody", async (_, daemon) => {
  const token = randomUUID();
  const attack = `{ ${daemon.replace("TOKEN", token)}\n} > /dev/null 2>&1 < /dev/null`;
  const world = await layerWorld({ files, setup: `${setup}\n${attack}`, inputs: ["lock"] });
  const [before = ""] = said(await world.check([look]));
  expect(processesWith(token)).toEqual([]);
  expect(before).toMatch(/^a\nx\ny\n/);
  const kept = below(world);
  expect(said(await world.check([look, look]))).toEqual([before, before]);
  expect(below(world)).toEqual(kept);
});

/** A world outside the folders for temporary files, which are private in a room anyway. */
async function worldElsewhere(): Promise<LayerWorld> {
  const parent = join(import.meta.dirname, "..", "..", ".cache", "rigs");
  mkdirSync(parent, { recursive: true });
  const root = realpathSync(mkdtempSync(join(parent, "layers-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const user = join(root, "user");
  mkdirSync(user);
  sh(user, "init", "-q");
  write(user, files);
  commitAll(user);
  return await layerWorld({ rig: await around(root, user), setup });
}

layered("the host's path of the shared files can be seen in a room, and leads nowhere", async () => {
  const world = await worldElsewhere();
  const [found = ""] = said(await world.check(["sed -n 's/.*lowerdir=\\([^,]*\\).*/\\1/p' /proc/self/mountinfo"]));
  const folders = [...new Set(found.trim().split(/[:\n]/))];
  expect(folders).toContain(world.treeOf(world.r.base));
  const kept = below(world);
  const ways = folders.flatMap((folder) =>
    ["", "/proc/self/root", "/proc/1/root", "../..", "d/../../.."].map((up) => `${up}${folder}`),
  );
  const links = 'for p in /proc/[0-9]*; do for way in $p/root $p/cwd $p/fd/*; do echo "$way/$folder"; done; done';
  const lines = [
    ...ways.map((way) => `ls '${way}' || echo evil > '${way}/a.txt'`),
    ...folders.map((folder) => `ln -s '${folder}' link && echo evil > link/a.txt`),
    ...folders.map((folder) => `folder='${folder}'; for way in $(${links}); do ls -d "$way" && exit 0; done; exit 1`),
    "echo evil > ../evil",
    "cd / && for way in /proc/[0-9]*/cwd/..; do echo evil > $way/evil && exit 0; done; exit 1",
  ];
  for (const { state, label } of await world.check(lines)) expect(state, label).toBe("red");
  expect(below(world)).toEqual(kept);
  // The control: whoever is not confined opens the very path.
  for (const folder of folders) expect(existsSync(folder), folder).toBe(true);
});

const marks = (names: readonly string[]) => `
for name in opaque redirect metacopy origin whiteout upper; do for file in ${names.join(" ")}; do
${python} -c "
import os, sys
for value in (b'y', b'x', b'/d/e', b''):
    try: os.setxattr(sys.argv[1], 'user.overlay.' + sys.argv[2], value)
    except OSError: pass
" $file $name; done; done`;

test.skipIf(!canLayer || python === undefined)(
  "attributes by which the kernel marks folders do nothing when a room sets them; set from outside, they hide files",
  async () => {
    const world = await layerWorld({ files, setup, inputs: ["lock"] });
    const [before] = said(await world.check([look]));
    const kept = below(world);
    const attack = `touch n; mkdir f; ${marks([".", "a.txt", "d", "d/x", "vendor", "vendor/lib", "n", "f"])}; rm -r n f; ${look}`;
    expect(said(await world.check([attack, look]))).toEqual([before, before]);
    expect(below(world)).toEqual(kept);
    const upper = tempDir();
    mkdirSync(join(upper, "d"));
    const lower = [world.treeOf(world.r.base)];
    const [program = "", ...rest] = inLayer(world.sandbox.layers ?? fail(), { upper, lower }, ["ls", "d"]);
    expect(execFileSync(program, rest, { encoding: "utf8" })).toBe("e\nx\n");
    execFileSync(python ?? "", [
      "-c",
      `import os; os.setxattr(${JSON.stringify(join(upper, "d"))}, 'user.overlay.opaque', b'y')`,
    ]);
    expect(execFileSync(program, rest, { encoding: "utf8" }), "the control").toBe("");
  },
);

function fail(): never {
  throw new Error("This machine cannot join folders");
}

layered("no namespace of its own lets a room take its layers apart", async () => {
  const world = await layerWorld({ files, setup });
  const [before] = said(await world.check([look]));
  const kept = below(world);
  const lower = world.treeOf(world.r.base);
  const tries = [
    "umount /stint/workspace",
    "umount -l /stint/workspace",
    "mount -o remount,rw /",
    `mount --bind '${lower}' d`,
    "mount -t overlay o -o remount,lowerdir=/tmp /stint/workspace",
  ];
  const alone = tries.map((line) => `unshare --user --map-root-user --mount sh -c "${line}"`);
  const entered = [1, 2].flatMap((pid) =>
    ["--mount", "--user --mount", "--all"].map((kind) => `nsenter -t ${pid} ${kind} umount /stint/workspace`),
  );
  const found = await world.check([...tries, ...alone, ...entered, look]);
  for (const { state, label } of found.slice(0, -1)) expect(state, label).toBe("red");
  expect(said(found).at(-1)).toBe(before);
  expect(below(world)).toEqual(kept);
  // The control: whoever joined the folders can take them apart.
  const upper = tempDir();
  const line = ["sh", "-c", 'cat a.txt; cd / && umount "$0" && ls -A "$0"', upper];
  const [program = "", ...rest] = inLayer(world.sandbox.layers ?? fail(), { upper, lower: [lower] }, line);
  expect(execFileSync(program, rest, { encoding: "utf8" })).toBe("a\n");
});

layered(
  "a candidate's set-up changes neither the files of another commit nor what was kept of its set-up",
  async () => {
    const world = await layerWorld({ files: { ...files, "setup.sh": setup }, setup: "sh setup.sh", inputs: ["lock"] });
    const attack = `${setup}; for f in a.txt d/x vendor/lib vendor/more/m; do echo evil > $f; ln $f $f.link; echo evil > $f.link; done; rm -r d`;
    const candidate = world.candidate({ "setup.sh": attack, lock: "2\n" });
    const [before] = said(await world.check([look]));
    const kept = below(world);
    const [own = ""] = said(await world.check([look], { commit: candidate }));
    expect(own).toMatch(/^a\nx\ny\nevil\nevil\n/);
    expect(said(await world.check([look]))).toEqual([before]);
    expect(below(world)).toMatchObject(kept);
    const [, shared] = await world.shared([attack, look]);
    expect(shared, "the control").not.toBe(before);
  },
);

layered("two checks on the same tree at the same time do not see each other", async () => {
  const open = tempDir();
  const world = await layerWorld({ files, setup, open });
  const lineOf = (own: string, other: string, at: string) =>
    `touch mark-${own} d/mark-${own}; echo ${own} >> a.txt; echo > '${at}/${own}'; until [ -e '${at}/${other}' ]; do :; done; cat a.txt; ls d mark-* | grep mark-`;
  // The tree is made first, so that neither waits for the other's.
  await world.check([":"]);
  const found = await Promise.all([world.check([lineOf("p", "q", open)]), world.check([lineOf("q", "p", open)])]);
  expect(found.flatMap(said).map((out) => out.trim().split("\n"))).toEqual([
    ["a", "p", "mark-p", "mark-p"],
    ["a", "q", "mark-q", "mark-q"],
  ]);
  // The control: in one folder, whoever comes last sees the other.
  const [{ dir }, at] = [await world.r.checkout(), tempDir()];
  const both = [lineOf("p", "q", at), lineOf("q", "p", at)].map((line) => spawn("sh", ["-c", line], { cwd: dir }));
  await Promise.all(both.map((one) => once(one, "exit")));
  expect(readdirSync(dir)).toEqual(expect.arrayContaining(["mark-p", "mark-q"]));
});

/** The manifest of an entry of the cache, as whoever knows how it is made could forge it. */
function forgeManifest(entry: string): void {
  const root = join(entry, "files");
  const names = readdirSync(root, { recursive: true, encoding: "utf8" }).toSorted((a, b) => (a < b ? -1 : 1));
  const signatures = names.map((name) => {
    const { ino, size, mode, ctimeNs } = lstatSync(join(root, name), { bigint: true });
    return [name, `${ino} ${size} ${mode} ${ctimeNs}`];
  });
  writeFileSync(join(entry, "manifest.json"), JSON.stringify(signatures));
}

layered(
  "what was kept of set-up is not used once somebody has changed it, unless they forge its manifest",
  async () => {
    const world = await layerWorld({ files, setup, inputs: ["lock"] });
    const lib = async () => said(await world.check(["cat vendor/lib"], { rooms: roomsIn(world.rooms) }));
    expect(await lib()).toEqual(["lib\n"]);
    const [entry = ""] = readdirSync(world.cacheDir).map((name) => join(world.cacheDir, name));
    writeFileSync(join(entry, "files/vendor/lib"), "bad\n");
    expect(await lib()).toEqual(["lib\n"]);
    const [next = ""] = readdirSync(world.cacheDir).map((name) => join(world.cacheDir, name));
    writeFileSync(join(next, "files/vendor/lib"), "bad\n");
    forgeManifest(next);
    expect(await lib(), "the control").toEqual(["bad\n"]);
  },
);

layered("what was kept of set-up is made again if it is removed while a run uses it", async () => {
  const world = await layerWorld({ files, setup, inputs: ["lock"] });
  await world.check([":"]);
  await world.rooms.trees?.remove();
  const [before] = said(await world.check([look]));
  rmSync(world.cacheDir, { recursive: true });
  expect(said(await world.check([look]))).toEqual([before]);
});

const tracked = { "vendor/lib": "tracked\n", "vendor/more": "a file\n", "vendor/new/n": "new\n" };

layered("what an earlier set-up made never hides a file of the commit", async () => {
  const world = await layerWorld({
    files,
    setup: `${setup}; echo old > vendor/old; echo > vendor/new`,
    inputs: ["lock"],
  });
  await world.check([":"]);
  const candidate = world.candidate(tracked);
  const [found = ""] = said(
    await world.check(["cat vendor/lib vendor/more vendor/new/n vendor/old"], { commit: candidate }),
  );
  expect(found).toBe("tracked\na file\nnew\nold\n");
  // The control: laid above the files of the commit as it is, what set-up made hides them.
  const [entry = ""] = readdirSync(world.cacheDir);
  const layer = { upper: join(world.cacheDir, entry, "files"), lower: [(await world.r.checkout(candidate)).dir] };
  const [program = "", ...rest] = inLayer(world.sandbox.layers ?? fail(), layer, ["cat", "vendor/lib"]);
  expect(execFileSync(program, rest, { encoding: "utf8" })).toBe("lib\n");
});

test.skipIf(!canLayer || python === undefined)(
  "what set-up marks in a folder of its own does not hide the files of other commits",
  async () => {
    const hide = `${python} -c "import os; os.setxattr('vendor', 'user.overlay.opaque', b'y')"`;
    const world = await layerWorld({ files, setup: `${setup}; ${hide}`, inputs: ["lock"] });
    const { trees: _, ...plain } = world.rooms;
    await world.check([":"], { rooms: plain });
    const candidate = world.candidate({ "vendor/mine": "mine\n" });
    expect(said(await world.check(["cat vendor/lib vendor/mine"], { commit: candidate }))).toEqual(["lib\nmine\n"]);
    // The control: a copy that keeps the marks hides the file.
    const { dir } = await world.r.checkout();
    execFileSync("sh", ["-c", `${setup}; ${hide}; rm -r d a.txt lock`], { cwd: dir });
    const layer = { upper: dir, lower: [(await world.r.checkout(candidate)).dir] };
    const [program = "", ...rest] = inLayer(world.sandbox.layers ?? fail(), layer, ["ls", "vendor"]);
    expect(execFileSync(program, rest, { encoding: "utf8" })).toBe("lib\nmore\n");
  },
);

layered("set-up may leave folders in which nothing can be written", async () => {
  const world = await layerWorld({ files, setup: "mkdir closed; echo 1 > closed/x; chmod 555 closed" });
  const [found] = said(await world.check(["cat closed/x; stat -c %a closed"]));
  expect(found).toBe("1\n555\n");
});
