import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { around, commitAll, sh, tempDir, write } from "../rig/git.ts";
import { layerWorld, type LayerWorld, type Session } from "../rig/layer-world.ts";
import { canLayer } from "../rig/layers.ts";

const layered = test.skipIf(!canLayer);

const python = ["/usr/bin/python3", "/usr/local/bin/python3"].find((file) => existsSync(file));

const files = {
  "a.txt": "a\n",
  "b.txt": "b\n",
  "d/x": "x\n",
  "d/y": "y\n",
  "d/e/z": "z\n",
  "only/one": "1\n",
  ".gitignore": "ignored\n*.o\n",
  "logs/.gitignore": "*.log\n",
};

/** What a session's work is, for people and for guards. */
function workOf({ taken }: Session) {
  const changes = taken.changes.map(({ status, path, newMode }) => `${status} ${path} ${newMode}`);
  return { tree: taken.tree, changes, problems: taken.problems.map(({ kind, path }) => `${kind} ${path}`).toSorted() };
}

/** Does the same work with shared files and in a folder that has all files itself; both must give the same. */
async function expectSame(world: LayerWorld, script: string, base = world.r.base): Promise<ReturnType<typeof workOf>> {
  const plain = await world.session(script, { base, plain: true });
  const shared = await world.session(script, { base });
  const resumed = await world.session(script, { base, resumed: true });
  expect([plain, shared, resumed].map(({ dir }) => existsSync(join(dir, "tree.work")))).toEqual([false, true, true]);
  expect(workOf(shared), script).toEqual(workOf(plain));
  expect(workOf(resumed), script).toEqual(workOf(plain));
  return workOf(plain);
}

const commit =
  "GIT_COMMITTER_DATE='1000000000 +0000' GIT_AUTHOR_DATE='1000000000 +0000' git -c user.name=a -c user.email=b commit -qm x --allow-empty";

const edits: readonly (readonly [string, string])[] = [
  ["nothing", ":"],
  ["edits, new files and new rights", "echo 2 >> a.txt; chmod +x b.txt; mkdir -p n/m; echo n > n/m/o; echo n > new"],
  ["files that are written again as they were", "cp a.txt t; mv t a.txt; touch b.txt; chmod 600 d/x"],
  ["hard links", "ln a.txt h; echo 2 >> h; ln d/x d/hx"],
  [
    "a folder in place of a file, a file and a link in place of folders",
    "rm -r a.txt d only; mkdir a.txt; echo i > a.txt/i; echo f > d; ln -s d only",
  ],
  ["renamed folders", "mv d moved; mkdir t; mv only t/"],
  ["swapped folders", "mv d t; mv only d; mv t only"],
  [
    "folders made again, with what they had and without",
    "rm -r d only; mkdir d only; echo y > d/y; mkdir d/e; echo q > d/e/q",
  ],
  ["a folder made again and left empty", "rm -r d; mkdir d"],
  ["everything removed", "rm -rf ./* ./.[a-z]*"],
  ["another repository in place of .git", `rm -rf .git; git init -q; git add -A; ${commit}; echo 3 > a.txt`],
  [
    "commits, a stash and another branch",
    `echo 3 > a.txt; git add -A; ${commit}; git rm -q b.txt; git stash -q; git checkout -qb other`,
  ],
  [
    "pipes and sockets",
    "rm a.txt; mkfifo a.txt new-pipe d/pipe; perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Local => q(d/s), Listen => 1)'; echo w > b.txt",
  ],
  ["names of several lines", "printf 1 > 'a\nb'; mkdir 'x\ny'; printf 2 > 'x\ny/z'; printf 1 > 'd/p\nq'"],
  [
    "names that are options, patterns or magic",
    `for f in ':(top)x' ' lead' 'trail ' -rf '*' '!x' '#x' 'a"b' 'back\\slash' '[ab].txt'; do printf 1 > "./$f"; printf 1 > "d/$f"; done`,
  ],
  [
    "names that are not UTF-8",
    'for f in n d/n; do printf 1 > "$(printf "$f\\377")"; done; mkdir "$(printf \'m\\377\')"; printf 1 > "$(printf \'m\\377/x\')"',
  ],
  ["a repository in a tracked folder", `cd d; git init -q; ${commit}; cd ..; echo 2 > d/x; echo n > d/new`],
  [
    "repositories in new folders",
    `mkdir r d/r e; cd r; git init -q; ${commit}; cd ../d/r; git init -q; ${commit}; cd ../../e; git init -q; echo x > x`,
  ],
  ["a .git that leads nowhere in a tracked folder", "echo 'gitdir: /nowhere' > d/.git; echo w > d/x"],
  [
    "ignored files",
    "mkdir ignored; echo 1 > ignored/x; echo 1 > a.o; echo 1 > d/b.o; echo 1 > logs/l.log; echo w > a.txt",
  ],
  ["nothing but ignored files", "mkdir ignored; echo 1 > ignored/x"],
  ["files that are ignored no longer", "echo > .gitignore; echo 1 > a.o; echo 1 > logs/l.log; rm logs/.gitignore"],
  ["everything ignored from now on", "echo '*' > .gitignore; echo n > new; echo w > a.txt; rm b.txt"],
  [
    "attributes",
    "printf '* text=auto\\n' > .gitattributes; printf 'a\\r\\n' > crlf.txt; printf '* -text\\n' > d/.gitattributes; printf 'a\\r\\n' > d/crlf.txt",
  ],
  [
    "a file in another encoding than it says",
    "printf '*.u text working-tree-encoding=UTF-16\\n' > .gitattributes; printf abc > x.u; echo w > a.txt",
  ],
  [
    "what git refuses",
    "mkdir .GIT; echo x > .GIT/config; echo x > .gitmodules; ln -s /etc/passwd abs; ln -s ../../x d/up; ln -s a.txt ok",
  ],
  ["files that are too large", "truncate -s 600M big d/big x.o; echo w > a.txt"],
  [
    "closed files and folders",
    "mkdir l; echo 1 > l/x; echo s > s; echo w > d/x; echo w > b.txt; chmod 000 l s d a.txt; chmod 555 only; echo n > new",
  ],
  [
    "10,000 new files",
    "seq 5000 | split -l 1 -a 4 - f; seq 5000 | split -l 1 -a 4 - only/f; rm -r d; mkdir d; rm a.txt",
  ],
];

layered.each(edits)("an agent's work is the same with shared files: %s", async (_, script) => {
  await expectSame(await layerWorld({ files }), script);
});

layered("control: read like a folder of its own, what an agent changed lacks every other file", async () => {
  const world = await layerWorld({ files });
  const { dir, taken } = await world.session("echo 2 > a.txt");
  expect(taken.changes.map(({ path }) => path)).toEqual(["a.txt"]);
  const checkout = { ...(await world.r.checkout()), dir: join(dir, "tree") };
  const read = await world.r.take(checkout);
  expect(read.changes.filter(({ status }) => status === "D")).toHaveLength(Object.keys(files).length - 1);
});

layered("the deletions of an agent are exactly those it made, and the next one has all files again", async () => {
  const world = await layerWorld({ files });
  const { changes } = await expectSame(world, "rm a.txt; rm -r d; mkdir -p d/e; rm only/one");
  expect(changes).toEqual(["a.txt", "d/e/z", "d/x", "d/y", "only/one"].map((path) => `D ${path} 000000`));
  expect((await expectSame(world, "cat a.txt d/x d/y d/e/z only/one || rm b.txt")).changes).toEqual([]);
});

test.skipIf(!canLayer || python === undefined)(
  "no attribute that an agent sets brings a file into its work or hides a deletion",
  async () => {
    const world = await layerWorld({ files: { ...files, "secret/s": "s\n" }, setup: "mkdir made; echo m > made/m" });
    const mark = `${python} -c "
import os
for file in ('.', 'a.txt', 'd', 'd/x', 'd/e', 'only', 'new', 'f', 'made', 'made/m'):
    for name in ('opaque', 'redirect', 'metacopy', 'origin', 'whiteout', 'upper', 'overlay.opaque', 'overlay.whiteout'):
        for value in (b'', b'x', b'/secret', b'/made', b'y'):
            try: os.setxattr(file, 'user.overlay.' + name, value)
            except OSError: pass
"`;
    const { changes } = await expectSame(
      world,
      `mkdir new; echo > f; rm d/y; ${mark}; mkdir new/in; echo > new/in/n; rm -r only`,
    );
    expect(changes).toEqual(["D d/y 000000", "A f 100644", "A new/in/n 100644", "D only/one 000000"]);
  },
);

const setup = `echo 1 > d/made && mkdir -p .venv/lib gen && echo '*' > .venv/.gitignore && echo lib > .venv/lib/l && echo 1 > gen/version && echo '*.tmp' > gen/.gitignore
mkdir repo && cd repo && git init -q && echo f > f && git add f && ${commit}`;

layered.each([
  ["files in what set-up ignores", "echo 2 > .venv/lib/l; echo 2 > .venv/lib/new; rm .venv/lib/l; echo > gen/x.tmp"],
  ["files in a repository that set-up made", "echo 2 > repo/f; echo 2 > repo/g"],
  ["files that set-up made, changed and removed", "echo 2 > gen/version; rm -r .venv; echo w > a.txt"],
  [
    "a folder of set-up's that is made again",
    "rm -r .venv gen; mkdir .venv gen; echo mine > .venv/mine; echo mine > gen/x.tmp",
  ],
  ["a file of set-up's in a folder that is closed then", "rm d/made; chmod 400 d; echo w > a.txt"],
  ["rules of set-up's removed", "rm gen/.gitignore; echo mine > gen/x.tmp"],
])("an agent's work beside what set-up made is the same with shared files: %s", async (_, script) => {
  await expectSame(await layerWorld({ files, setup }), script);
});

layered("a file of set-up's that is ignored no longer does not become an agent's work", async () => {
  const world = await layerWorld({ files, setup });
  const script = "rm .venv/.gitignore; echo mine > .venv/mine";
  const pathsOf = ({ taken }: Session) => taken.changes.map(({ path }) => path);
  expect(pathsOf(await world.session(script))).toEqual([".venv/mine"]);
  // The control: in a folder with all files, nothing tells who made it.
  expect(pathsOf(await world.session(script, { plain: true }))).toEqual([".venv/lib/l", ".venv/mine"]);
});

async function worldWithSubmodule(): Promise<LayerWorld> {
  const root = tempDir();
  const [lib, user] = [join(root, "lib"), join(root, "user")];
  for (const dir of [lib, user]) {
    mkdirSync(dir);
    sh(dir, "init", "-q");
  }
  write(lib, { f: "f\n", "d/g": "g\n" });
  commitAll(lib);
  write(user, { "a.txt": "a\n", same: "f\n" });
  sh(user, "-c", "protocol.file.allow=always", "submodule", "add", "-q", lib, "libs/sub");
  commitAll(user);
  return await layerWorld({ rig: await around(root, user) });
}

layered.each([
  ["left alone", ":", true],
  ["gets a new file", "echo n > libs/sub/new", true],
  ["gets the same file again", "cp same libs/sub/f", true],
  ["has a file changed", "echo n > libs/sub/f", false],
  ["has a file removed", "rm libs/sub/f", false],
  ["is removed", "rm -r libs/sub", false],
  ["is removed with the folder around it", "rm -r libs", false],
  ["is made again", "rm -r libs/sub; mkdir libs/sub", false],
  ["has a folder made again", "rm -r libs/sub/d; mkdir libs/sub/d", false],
  ["is replaced by a link", "rm -r libs/sub; ln -s ../same libs/sub", false],
  ["becomes a repository", "git -C libs/sub init -q", false],
  ["is closed", "chmod 000 libs/sub", process.getuid?.() === 0],
  ["has a closed file", "chmod 000 libs/sub/f", process.getuid?.() === 0],
])("an agent's work with a submodule that %s is the same with shared files", async (_, script, isFine) => {
  const world = await worldWithSubmodule();
  const { changes, problems } = await expectSame(world, `${script}; echo w > a.txt`);
  expect(changes).toEqual(["M a.txt 100644"]);
  expect(problems).toEqual(isFine ? [] : ["submodule libs/sub"]);
});

layered("a workspace that is made whole has what the session left, and nothing that it removed", async () => {
  const world = await layerWorld({ files, setup });
  const { workspaces, key, dir } = await world.session(
    "echo 2 > a.txt; rm -r d; mkdir d; echo n > d/n; rm .venv/lib/l; chmod 000 only",
  );
  await workspaces.makeWhole(key, world.r.base);
  const whole = (path: string) => readFileSync(join(dir, "tree", path), "utf8");
  expect([whole("a.txt"), whole("b.txt"), whole("d/n"), whole("gen/version")]).toEqual(["2\n", "b\n", "n\n", "1\n"]);
  expect(["d/x", "d/e", ".venv/lib/l"].filter((path) => existsSync(join(dir, "tree", path)))).toEqual([]);
});

/** Numbers that look random and are the same each time. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const names = ["a", "b", "c", "d e", "ü", "-x", "n\nl"];

/** Edits of any kind, some of which fail, as those of an agent do. */
function randomEdits(pick: (below: number) => number): string {
  const name = () => names[pick(names.length)] ?? "";
  const path = () => `'./${Array.from({ length: 1 + pick(3) }, name).join("/")}'`;
  const kinds: ((one: string, other: string) => string)[] = [
    (one) => `mkdir -p "$(dirname ${one})"; printf ${pick(5)} > ${one}`,
    (one) => `rm -rf ${one}`,
    (one) => `rm -r ${one} && mkdir ${one}`,
    (one) => `rm -r ${one} && mkdir ${one} && printf ${pick(5)} > ${one}/'${name()}'`,
    (one, other) => `[ ! -e ${other} ] && mkdir -p "$(dirname ${other})" && mv ${one} ${other}`,
    (one) => `[ -f ${one} ] && chmod +x ${one}`,
    (one) => `rm -rf ${one}; ln -s a ${one}`,
  ];
  const lines = Array.from({ length: 14 }, () => kinds[pick(kinds.length)]?.(path(), path()) ?? ":");
  return lines.map((line) => `{ ${line}; } 2> /dev/null`).join("\n");
}

layered.each([11, 12, 13, 14])(
  "random edits (seed %i) give the same work on a base and on a commit that is stored as a difference, which checks see as it is",
  async (seed) => {
    const pick = numbersFrom(seed);
    const world = await layerWorld({
      files: { keep: "1", "a/b/c": "1", "a/b/d e": "2", "a/c": "1", "b/c/a": "1", c: "c" },
    });
    await world.check([":"]);
    for (let base = world.r.base, round = 0; round < 3; round++) {
      const script = randomEdits(pick);
      await expectSame(world, script, base);
      const { taken } = await world.session(script, { base, plain: true });
      if (taken.problems.length > 0) return;
      base = taken.commit;
      const list =
        "find . -path ./.git -prune -o ! -type d -printf '%p %y %m %l\\0' | sort -z | tr '\\0' '|'; git diff-index HEAD; git status --porcelain";
      const { trees: _, ...plain } = world.rooms;
      const [found, alone] = [
        await world.check([list], { commit: base }),
        await world.check([list], { commit: base, rooms: plain }),
      ];
      expect(found[0]?.tail).toBe(alone[0]?.tail);
    }
  },
);
