import { execFileSync } from "node:child_process";
import {
  rmSync,
  symlinkSync,
  writeFileSync,
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  findFurnished,
  type Furnished,
  furnish,
  type FurnishRequest,
  type FurnishResult,
  refurnish,
} from "../../../src/workspace/furnished.ts";
import type { Furniture } from "../../../src/workspace/set-up.ts";
import { ann, tempDir, around, commitAll, type Rig, rig, sh, write } from "../../rig/git.ts";
import { removeCheckout } from "../../../src/workspace/checkout.ts";
import { restoreTree } from "../../../src/workspace/restore.ts";
import { findSandbox } from "../../../src/sandbox/find.ts";
import { canConfine } from "../../rig/sandbox-world.ts";
import { noSandbox } from "../../../src/sandbox/sandbox.ts";

interface Rooms {
  readonly room: Furnished;
  readonly again: (room: Furnished) => Promise<Furnished>;
}

function made(result: FurnishResult): Furnished {
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

function requestIn({ root, base: commit }: Rig): FurnishRequest {
  const [dir, logDir] = [join(root, "room"), join(root, "log")];
  return { dir, commit, branch: null, identity: ann, logDir, signal: new AbortController().signal };
}

async function rooms(r: Rig, setup?: string): Promise<Rooms> {
  const furniture = { userEnv: process.env, envNames: [], setup, sandbox: noSandbox };
  const room = await furnish(r.control, furniture, requestIn(r));
  return { room: made(room), again: async (of) => made(await refurnish(r.control, of, { furniture: furniture })) };
}

/** Whether the same folder was put back, and not a new one made. */
const inode = (room: Furnished): number => statSync(room.request.dir).ino;

function passes(dir: string): boolean {
  try {
    execFileSync("sh", ["tests/t.sh"], { cwd: dir, stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const protectedTest = "sh src/app.sh | grep -q RIGHT\n";

test("a list of set-up's files that cannot be read is empty, and what is no path in the tree is dropped", async () => {
  const dir = tempDir();
  const found = async (text: string | null): Promise<unknown> => {
    rmSync(join(dir, "set-up-made.json"), { force: true });
    if (text !== null) writeFileSync(join(dir, "set-up-made.json"), text);
    return (await findFurnished({ dir, commit: "0".repeat(40), branch: null, identity: ann }))?.madePaths;
  };
  expect(await found("[]")).toBeUndefined();
  symlinkSync("/nonexistent", join(dir, "tree"));
  expect(await found('["gen/x","b"]')).toEqual(["gen/x", "b"]);
  for (const text of [null, "", "[1", "{}", "null", '[1,"../x","/etc","a/../../b","a\\u0000b",""]'])
    expect(await found(text)).toEqual([]);
  rmSync(join(dir, "set-up-made.json"), { force: true });
  execFileSync("mkfifo", [join(dir, "set-up-made.json")]);
  const waited = await findFurnished({ dir, commit: "0".repeat(40), branch: null, identity: ann });
  expect(waited?.madePaths).toEqual([]);
});

test("an attributes file a check leaves does not convert what is put back for the next one", async () => {
  const r = await rig({ "tests/t.sh": protectedTest, "src/app.sh": "echo WRONG\n" });
  const { room, again } = await rooms(r);
  const { dir } = room.checkout;
  expect(passes(dir)).toBe(false);
  const plant = (): void => {
    write(dir, { ".gitattributes": "tests/t.sh working-tree-encoding=UTF-7\n" });
    appendFileSync(join(dir, "tests/t.sh"), "# changed\n");
  };
  // The trick works where git writes into the folder itself.
  plant();
  sh(dir, "checkout-index", "--force", "tests/t.sh");
  expect(readFileSync(join(dir, "tests/t.sh"), "utf8")).not.toBe(protectedTest);
  expect(passes(dir)).toBe(true);
  for (let round = 0; round < 2; round++) {
    plant();
    expect((await again(room)).checkout.dir).toBe(dir);
    expect(readFileSync(join(dir, "tests/t.sh"), "utf8")).toBe(protectedTest);
    expect(existsSync(join(dir, ".gitattributes"))).toBe(false);
    expect(passes(dir)).toBe(false);
  }
});

test("nor does one behind a link in place of a folder, or one that set-up's code leaves", async () => {
  const r = await rig({ "tests/t.sh": protectedTest, "src/app.sh": "echo WRONG\n" });
  write(r.root, { "evil/.gitattributes": "* working-tree-encoding=UTF-7\n", "evil/t.sh": "true\n" });
  const linked = await r.checkout();
  rmSync(join(linked.dir, "tests"), { recursive: true });
  symlinkSync(join(r.root, "evil"), join(linked.dir, "tests"));
  expect(await restoreTree(r.control, linked)).toEqual(["tests/t.sh"]);
  expect(readFileSync(join(linked.dir, "tests/t.sh"), "utf8")).toBe(protectedTest);
  expect(readFileSync(join(r.root, "evil/t.sh"), "utf8")).toBe("true\n");
  const { room } = await rooms(r, "echo '* working-tree-encoding=UTF-7' > .gitattributes; echo true > tests/t.sh");
  expect(readFileSync(join(room.checkout.dir, "tests/t.sh"), "utf8")).toBe(protectedTest);
});

test("an encoding the repository itself declares is kept, and bytes a check wrote are never learned as right", async () => {
  const r = await rig({ ".gitattributes": "*.txt working-tree-encoding=UTF-16\n", "b.sh": "b\n" });
  writeFileSync(join(r.user, "a.txt"), Buffer.from("\uFEFFhi\n", "utf16le"));
  commitAll(r.user);
  const { room, again } = await rooms(await around(r.root, r.user));
  const file = join(room.checkout.dir, "a.txt");
  const right = readFileSync(file);
  expect(right.length).toBe(8);
  for (const wrong of ["hi\n", "ho\n"]) {
    writeFileSync(file, wrong);
    await again(room);
    expect(readFileSync(file)).toEqual(right);
    expect(await restoreTree(r.control, room.checkout)).toEqual([]);
  }
});

test("a submodule's folder stays, what a check puts into it goes", async () => {
  const root = tempDir();
  const user = join(root, "user");
  mkdirSync(user);
  sh(user, "init", "-q");
  write(user, { "a.txt": "a" });
  sh(user, "update-index", "--add", "--cacheinfo", `160000,${commitAll(user)},lib/sub`);
  sh(user, "commit", "-q", "-m", "submodule");
  const r = await around(root, user);
  const { room, again } = await rooms(r);
  const sub = join(room.checkout.dir, "lib/sub");
  const [before, folder] = [inode(room), statSync(sub).ino];
  write(sub, { "junk/x": "x" });
  await again(room);
  expect(readdir(sub)).toEqual([]);
  expect(statSync(sub).ino).toBe(folder);
  rmSync(sub, { recursive: true });
  writeFileSync(sub, "file");
  await again(room);
  expect(readdir(sub)).toEqual([]);
  expect(inode(room)).toBe(before);
  write(room.checkout.dir, { "a.txt": "work" });
  expect(await r.take(room.checkout)).toMatchObject({ problems: [], changes: [{ path: "a.txt" }] });
});

test("whatever a check did to its room, the next one finds it as it was", async () => {
  const r = await rig({ "a.txt": "a\n", "d/b.txt": "b\n" });
  const wrecks: ((room: Furnished) => void)[] = [
    ({ checkout }) => chmodSync(join(checkout.dir, "d"), 0o111),
    ({ checkout }) => {
      mkdirSync(join(checkout.dir, "locked/in"), { recursive: true });
      chmodSync(join(checkout.dir, "locked"), 0o111);
    },
    ({ checkout }) => chmodSync(join(checkout.dir, ".git"), 0o111),
    ({ checkout }) => chmodSync(checkout.dir, 0o000),
    ({ request }) => chmodSync(request.dir, 0o500),
    ({ checkout }) => {
      renameSync(checkout.dir, `${checkout.dir}-moved`);
      symlinkSync(`${checkout.dir}-moved`, checkout.dir);
    },
    ({ checkout }) => {
      rmSync(checkout.dir, { recursive: true });
      writeFileSync(checkout.dir, "");
    },
    ({ checkout }) => rmSync(checkout.index),
    ({ checkout }) => writeFileSync(checkout.index, "garbage"),
    ({ request }) => rmSync(request.dir, { recursive: true }),
  ];
  const { room, again } = await rooms(r);
  const before = inode(room);
  write(room.checkout.dir, { "a.txt": "changed", junk: "j" });
  let current = await again(room);
  expect(inode(current)).toBe(before);
  for (const wreck of wrecks) {
    wreck(current);
    current = await again(current);
    expect(sh(current.checkout.dir, "status", "--porcelain")).toBe("");
    expect(readFileSync(join(current.checkout.dir, "d/b.txt"), "utf8")).toBe("b\n");
  }
});

test("a room whose set-up links out of the tree is made anew; links within it and to the system's own files are not", async () => {
  const r = await rig();
  const honest = await rooms(r, "mkdir real && echo 1 > real/x && ln -s real link && ln -s ./link/x deep");
  const before = inode(honest.room);
  expect(inode(await honest.again(honest.room))).toBe(before);
  expect(honest.room.linksOut).toBe(false);
  await removeCheckout(honest.room.request.dir);
  const { room, again } = await rooms(r, "mkdir -p ../store && echo right > ../store/x && ln -s ../store node_modules");
  writeFileSync(join(room.request.dir, "store/x"), "wrong\n");
  expect(readFileSync(join(room.checkout.dir, "node_modules/x"), "utf8")).toBe("wrong\n");
  const next = await again(room);
  expect(readFileSync(join(next.checkout.dir, "node_modules/x"), "utf8")).toBe("right\n");
});

test.skipIf(process.getuid?.() === 0)(
  "a link to what only an administrator can change costs no new room (needs a user other than root)",
  async () => {
    const { room } = await rooms(await rig(), "mkdir bin && ln -s /bin/sh bin/sh");
    expect(room.linksOut).toBe(false);
  },
);

test("a set-up that destroys its folder is a failed set-up", async () => {
  const r = await rig();
  await expect(rooms(r, "true")).resolves.toBeDefined();
  await removeCheckout(join(r.root, "room"));
  await expect(rooms(r, "rm ../tree.index")).rejects.toThrow("set-up left a folder that cannot be used");
});

test("a set-up script whose first line ends in CRLF is named; one that fails otherwise is not blamed on it", async () => {
  const r = await rig();
  const script = (end: string) => `printf '#!/bin/sh${end}exit 127${end}' > s.sh; chmod +x s.sh; ./s.sh`;
  await expect(rooms(r, script("\\r\\n"))).rejects.toThrow(
    "set-up failed: the first line of s.sh ends in CRLF, so its interpreter is not found (exit 127). Save it with LF line ends and commit it.",
  );
  await removeCheckout(join(r.root, "room"));
  await expect(rooms(r, script("\\n"))).rejects.toThrow("set-up failed (exit 127): printf");
});

function readdir(dir: string): string[] {
  return execFileSync("ls", ["-A", dir], { encoding: "utf8" }).split("\n").filter(Boolean);
}

test.skipIf(!canConfine)("whatever may take long is shown by name: checkouts, set-up, copies of it", async () => {
  const r = await rig({ "lock.json": "1\n" });
  const found = await findSandbox({ mode: "bwrap", env: process.env, hidden: [], mounts: [] });
  if (!found.ok) throw new Error(found.failure.message);
  const [begun, ended]: [string[], string[]] = [[], []];
  const furniture: Furniture = {
    userEnv: process.env,
    envNames: [],
    setup: "mkdir -p deps && echo x > deps/x",
    sandbox: found.value.sandbox,
    cache: {
      dir: join(r.root, "cache"),
      isInput: () => false,
      inputsOf: async () => "1",
      keepFor: () => "all",
      useOf: ["all"],
    },
    watch: ({ name }) => {
      begun.push(name);
      return () => ended.push(name);
    },
  };
  const shown = () => {
    expect(ended.toSorted()).toEqual(begun.toSorted());
    ended.splice(0);
    return begun.splice(0);
  };
  const room = async () => made(await furnish(r.control, furniture, requestIn(r)));
  await room();
  const looked = ["making a checkout", "asking tools for their versions", "looking for an earlier set-up"];
  expect(shown()).toEqual([
    ...looked,
    "set-up: mkdir -p deps && echo x > deps/x",
    "keeping set-up for other checkouts",
  ]);
  await removeCheckout(join(r.root, "room"));
  const second = await room();
  expect(readFileSync(join(second.checkout.dir, "deps/x"), "utf8")).toBe("x\n");
  expect(shown()).toEqual([...looked, "copying an earlier set-up"]);
  made(await refurnish(r.control, second, { furniture }));
  expect(shown()).toEqual(["restoring the checkout"]);
});
