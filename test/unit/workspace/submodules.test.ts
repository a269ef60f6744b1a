import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { listSubmodules, whySubmodulesMissing } from "../../../src/git/submodules.ts";
import { noSandbox } from "../../../src/sandbox/sandbox.ts";
import { furnish, refurnish, type FurnishResult } from "../../../src/workspace/furnished.ts";
import { ann, around, bytesOf, commitAll, sh, tempDir, write, type Rig } from "../../rig/git.ts";

const add = (dir: string, from: string, path: string) =>
  sh(dir, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "--name", `the ${path}`, from, path);

function repository(dir: string, files: Record<string, string>): string {
  mkdirSync(dir);
  sh(dir, "init", "-q");
  write(dir, files);
  commitAll(dir);
  return dir;
}

/** A repository with a submodule that has one itself, as a user has it after `git clone --recurse-submodules`. */
async function withSubmodule(): Promise<Rig> {
  const root = tempDir();
  cpSync((made ??= makeRepositories()), root, { recursive: true });
  return await around(root, join(root, "user"));
}

/** They are made once and copied, because git takes a second for it. Where their remotes are, there is nothing. */
let made: string | undefined;
afterAll(() => made && rmSync(made, { recursive: true }));

function makeRepositories(): string {
  const root = mkdtempSync(join(tmpdir(), "stint-submodules-"));
  const deep = repository(join(root, "deep"), { "deep.txt": "deep\n" });
  const lib = repository(join(root, "lib"), {
    "lib.test.js": "lib\n",
    ".gitattributes": "*.bat eol=crlf\n",
    "x.bat": "x\n",
  });
  add(lib, deep, "deep");
  commitAll(lib);
  const user = repository(join(root, "user"), { "a.txt": "a\n" });
  add(user, lib, "vendor/lib");
  sh(user, "-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init", "--recursive");
  commitAll(user);
  return moved(root);
}

function moved(dir: string): string {
  renameSync(dir, `${dir}-moved`);
  return `${dir}-moved`;
}

const furniture = (setup?: string) => ({ userEnv: process.env, envNames: [], setup, sandbox: noSandbox });

let count = 0;

async function room(r: Rig, setup?: string): Promise<FurnishResult> {
  const signal = new AbortController().signal;
  const where = { dir: join(r.root, `room-${(count += 1)}`), logDir: join(r.root, "log") };
  return await furnish(r.control, furniture(setup), { ...where, commit: r.base, branch: null, identity: ann, signal });
}

async function checkoutOf(r: Rig, setup?: string) {
  const made = await room(r, setup);
  if (!made.ok) throw new Error(made.failure.message);
  return { made: made.value, checkout: made.value.checkout, lib: join(made.value.checkout.dir, "vendor/lib") };
}

test("every checkout has the files of the user's submodules, however deep, without network, and nothing of the user's is written", async () => {
  const r = await withSubmodule();
  const before = bytesOf(join(r.user, ".git", "modules"));

  const { checkout, lib } = await checkoutOf(r, "test -f vendor/lib/deep/deep.txt");

  expect(readFileSync(join(lib, "lib.test.js"), "utf8")).toBe("lib\n");
  expect(readFileSync(join(lib, "x.bat"), "utf8")).toBe("x\r\n");
  expect(readFileSync(join(lib, "deep/deep.txt"), "utf8")).toBe("deep\n");
  expect(sh(checkout.dir, "status", "--porcelain")).toBe("");
  expect(bytesOf(join(r.user, ".git", "modules"))).toEqual(before);
});

test("honest work beside a submodule is taken, and so is what a build leaves in it", async () => {
  const r = await withSubmodule();
  const { checkout, lib } = await checkoutOf(r, "touch vendor/lib/built-by-set-up");
  write(checkout.dir, { "a.txt": "work\n" });
  write(lib, { "build/lib.o": "o" });
  expect(await r.take(checkout)).toMatchObject({ problems: [], changes: [{ path: "a.txt" }] });
});

function replaceByFile(folder: string): void {
  rmSync(folder, { recursive: true });
  write(dirname(folder), { [basename(folder)]: "file" });
}

test("a change in a submodule is refused, and the rest of the work is kept", async () => {
  const r = await withSubmodule();
  const cases: [(lib: string) => void, string][] = [
    [(lib) => write(lib, { "lib.test.js": "weak\n" }), "vendor/lib/lib.test.js was changed"],
    [(lib) => write(lib, { "deep/deep.txt": "x" }), "vendor/lib/deep/deep.txt was changed"],
    [(lib) => unlinkSync(join(lib, "x.bat")), "vendor/lib/x.bat was changed"],
    [(lib) => void sh(lib, "init", "-q"), "vendor/lib/.git was made"],
    [replaceByFile, "vendor/lib/.gitattributes was changed"],
  ];
  for (const [change, message] of cases) {
    const { checkout, lib } = await checkoutOf(r);
    change(lib);
    write(checkout.dir, { "a.txt": "work\n" });
    const taken = await r.take(checkout);
    expect(taken.problems).toEqual([
      { kind: "submodule", path: "vendor/lib", message: `${message}; submodules may not change.` },
    ]);
    expect(taken.changes.map(({ path }) => path)).toEqual(["a.txt"]);
  }
});

test("what one check changes in a submodule the next one does not see", async () => {
  const r = await withSubmodule();
  const { made, lib } = await checkoutOf(r);
  write(lib, { "lib.test.js": "weak\n", "new.test.js": "new" });
  expect((await refurnish(r.control, made, { furniture: furniture() })).ok).toBe(true);
  expect(readFileSync(join(lib, "lib.test.js"), "utf8")).toBe("lib\n");
  expect(() => readFileSync(join(lib, "new.test.js"))).toThrow("ENOENT");
});

test("a submodule whose repository is in the work tree, as `git submodule add` leaves an existing clone, is filled as well", async () => {
  const r = await withSubmodule();
  const inTree = join(r.user, "vendor/lib/.git");
  unlinkSync(inTree);
  renameSync(join(r.user, ".git/modules/the vendor/lib"), inTree);
  const { lib } = await checkoutOf(await around(r.root, r.user));
  expect(readFileSync(join(lib, "lib.test.js"), "utf8")).toBe("lib\n");
  expect(readFileSync(join(lib, "deep/deep.txt"), "utf8")).toBe("deep\n");
});

test("a submodule that the user does not have is refused with what to type, unless they switched it off", async () => {
  const r = await withSubmodule();
  const dir = sh(r.root, "clone", "-q", r.user, "plain") || join(r.root, "plain");
  const plain = await around(r.root, dir);
  expect(await listSubmodules(plain.control, plain.base)).toMatchObject([{ path: "vendor/lib", objects: null }]);
  const why =
    "submodule vendor/lib is empty here, so it would be empty for agents and checks. Run `git submodule update --init --recursive`; or, if nothing needs it, `git config 'submodule.the vendor/lib.active' false`.";
  expect(await room(plain)).toMatchObject({ ok: false, failure: { reason: "set-up", message: why } });

  sh(dir, "config", "submodule.the vendor/lib.active", "false");
  expect(await room(await around(r.root, dir))).toMatchObject({ ok: true });
});

test("a submodule that lacks its commit is refused with what to type", async () => {
  const r = await withSubmodule();
  write(join(r.root, "lib"), { "new.txt": "new\n" });
  const commit = commitAll(join(r.root, "lib"));
  sh(r.user, "update-index", "--cacheinfo", `160000,${commit},vendor/lib`);
  sh(r.user, "commit", "-q", "-m", "ahead");
  const ahead = await around(join(r.root, "lib"), r.user);
  const why = `submodule vendor/lib does not have its commit ${commit.slice(0, 12)} here. Run \`git submodule update --init --recursive\`, then try again.`;
  expect(whySubmodulesMissing(await listSubmodules(ahead.control, ahead.base))).toBe(why);
  expect(await room(ahead)).toMatchObject({ ok: false, failure: { reason: "set-up", message: why } });
});

test("a name in .gitmodules that leads out of the user's copies names nothing", async () => {
  const r = await withSubmodule();
  const text = readFileSync(join(r.user, ".gitmodules"), "utf8");
  write(r.user, { ".gitmodules": text.replace("the vendor/lib", "../modules/the vendor/lib") });
  commitAll(r.user);
  const hostile = await around(r.root, r.user);
  expect(await listSubmodules(hostile.control, hostile.base)).toMatchObject([{ path: "vendor/lib", objects: null }]);
});
