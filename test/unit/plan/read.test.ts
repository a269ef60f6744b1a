import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listPlans, readPlanFilesFromDisk } from "../../../src/plan/read.ts";

let root = "";

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "stint-read-"));
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function write(path: string | Buffer, content = "x"): void {
  const whole = Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path)]);
  mkdirSync(dirname(whole.toString()), { recursive: true });
  writeFileSync(whole, content);
}

/** Each path with its text, or why there is none. */
function read(name = "p"): Record<string, string> {
  const entries = [...readPlanFilesFromDisk(root, name)].map(([path, file]) => [
    path,
    "bytes" in file ? new TextDecoder().decode(file.bytes) : `! ${file.unreadable}`,
  ]);
  return Object.fromEntries(entries) as Record<string, string>;
}

test("the plan's folder and .stint are read, and nothing else", () => {
  for (const path of [".stint/rules.md", ".stint/prompts/a.md", "plans/p/plan.md", "plans/p/tasks/a.md"]) write(path);
  for (const path of ["plans/p/designs/x.png", "plans/q/plan.md", "plans/notes.md", "src/a.ts"]) write(path);
  write("plans/p/empty.txt", "");
  expect(read()).toEqual({
    ".stint/prompts/a.md": "x",
    ".stint/rules.md": "x",
    "plans/p/designs/x.png": "x",
    "plans/p/empty.txt": "",
    "plans/p/plan.md": "x",
    "plans/p/tasks/a.md": "x",
  });
});

test("no folders mean no files", () => {
  expect(read()).toEqual({});
  expect(listPlans(root)).toEqual([]);
});

test("FIFOs, links, sockets and folders are named and never opened", async () => {
  write("plans/p/scope.md");
  write("secret", "secret");
  execFileSync("mkfifo", [join(root, "plans/p/plan.md")]);
  mkdirSync(join(root, "plans/p/tasks/dir.md"), { recursive: true });
  symlinkSync(join(root, "secret"), join(root, "plans/p/tasks/link.md"));
  symlinkSync("/dev/zero", join(root, "plans/p/tasks/zero.md"));
  symlinkSync("..", join(root, "plans/p/loop"));
  symlinkSync(join(root, "plans"), join(root, ".stint"));
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(join(root, "plans/p/s.md"), resolve));
  expect(read()).toEqual({
    ".stint": "! is a symbolic link, not a folder",
    "plans/p/loop": "! is a symbolic link, not a file",
    "plans/p/plan.md": "! is a FIFO, not a file",
    "plans/p/s.md": "! is a socket, not a file",
    "plans/p/scope.md": "x",
    "plans/p/tasks/dir.md": "! is a folder, not a file",
    "plans/p/tasks/link.md": "! is a symbolic link, not a file",
    "plans/p/tasks/zero.md": "! is a symbolic link, not a file",
  });
  await new Promise((resolve) => server.close(resolve));
});

test("a linked plan, and a linked plans folder, lead nowhere", () => {
  write("elsewhere/p/plan.md");
  symlinkSync("elsewhere", join(root, "plans"));
  expect(read()).toEqual({ "plans/p": "! is below a symbolic link" });
  rmSync(join(root, "plans"));
  mkdirSync(join(root, "plans"));
  symlinkSync("../elsewhere/p", join(root, "plans/p"));
  expect(read()).toEqual({ "plans/p": "! is a symbolic link, not a folder" });
  expect(listPlans(root)).toEqual([]);
});

test("a file of 50 MB is refused by its size", () => {
  write("plans/p/plan.md");
  truncateSync(join(root, "plans/p/plan.md"), 50_000_000);
  write("plans/p/scope.md", "x".repeat(1_000_000));
  expect(read()).toEqual({
    "plans/p/plan.md": "! is too large: 50000000 bytes; a plan file may have at most 1000000",
    "plans/p/scope.md": "x".repeat(1_000_000),
  });
});

test("names of hostile characters are read or refused, and crash nothing", () => {
  write("plans/p/tasks/a\nb.md");
  write("plans/p/tasks/--x.md");
  write("plans/p/tasks/$(touch x).md");
  write("plans/p/tasks/é.md");
  write(Buffer.from([...Buffer.from("plans/p/tasks/"), 0xff, 0xfe, ...Buffer.from(".md")]));
  expect(read()).toEqual({
    "plans/p/tasks/$(touch x).md": "x",
    "plans/p/tasks/--x.md": "x",
    "plans/p/tasks/a\nb.md": "x",
    "plans/p/tasks/é.md": "x",
    "plans/p/tasks/\uFFFD\uFFFD.md": "! its name is not valid UTF-8; rename it",
  });
});

test("a name that is not UTF-8 cannot hide behind a file that is called as it is decoded", () => {
  write("plans/p/\uFFFD.sh", "harmless");
  write(Buffer.from([...Buffer.from("plans/p/"), 0xff, ...Buffer.from(".sh")]), "harmful");
  expect(read()).toEqual({ "plans/p/\uFFFD.sh": "! its name is not valid UTF-8; rename it" });
});

test("what its owner may execute is executable, as for git", () => {
  for (const [path, mode] of [
    ["plans/p/run.sh", 0o755],
    ["plans/p/notes.md", 0o644],
    ["plans/p/shared.md", 0o655],
  ] as const) {
    write(path);
    chmodSync(join(root, path), mode);
  }
  const found = [...readPlanFilesFromDisk(root, "p")].filter(([, file]) => "executable" in file);
  expect(found.map(([path]) => path)).toEqual(["plans/p/run.sh"]);
});

test("a plan name that leads out of plans/ reads nothing there", () => {
  write("secret/plan.md");
  write("plans/p/plan.md");
  for (const name of ["../secret", "..", ".", "", "p/tasks", "\0", "a".repeat(5_000)]) expect(read(name)).toEqual({});
});

test("plans are the folders of plans/, whatever their names", () => {
  for (const path of ["plans/b/plan.md", "plans/a/plan.md", "plans/notes.md", "plans/-rf/x", "plans/x\ny/x"])
    write(path);
  symlinkSync("a", join(root, "plans/link"));
  expect(listPlans(root)).toEqual(["-rf", "a", "b", "x\ny"]);
});

test("a file of plans/ is a plan where its front matter says so; notes, links and odd names are none", () => {
  write("plans/one.md", "---\nstint: 1\ntitle: One\n---\n");
  write("plans/open.md", "\uFEFF---\r\nstint: 1\r\n");
  write("plans/both.md", "---\nstint: 1\n---\n");
  write("plans/both/plan.md");
  write("plans/notes.md", "stint: 1\n");
  write("plans/blog.md", "---\ntitle: x\n---\nstint: 1\n");
  write("plans/README.md", "---\nstint: 1\n---\n");
  write("plans/one.txt", "---\nstint: 1\n---\n");
  symlinkSync("one.md", join(root, "plans/link.md"));
  expect(listPlans(root)).toEqual(["both", "one", "open"]);
});

test("a plan of one file is read with .stint; a link, a folder and a link on the way are refused", () => {
  write("plans/p.md", "one");
  write("plans/p2.md");
  write(".stint/rules.md");
  expect(read()).toEqual({ ".stint/rules.md": "x", "plans/p.md": "one" });
  symlinkSync("p.md", join(root, "plans/link.md"));
  expect(read("link")).toMatchObject({ "plans/link.md": "! is a symbolic link, not a file" });
  mkdirSync(join(root, "plans/dir.md"));
  expect(read("dir")).toMatchObject({ "plans/dir.md": "! is a folder, not a file" });
  rmSync(join(root, "plans"), { recursive: true });
  write("elsewhere/p.md");
  symlinkSync("elsewhere", join(root, "plans"));
  expect(read()).toEqual({ ".stint/rules.md": "x", "plans/p": "! is below a symbolic link" });
});

test.skipIf(process.getuid?.() === 0)(
  "what may not be read is said, not left out (needs a user other than root)",
  () => {
    write("plans/p/plan.md");
    write("plans/p/tasks/a.md");
    chmodSync(join(root, "plans/p/plan.md"), 0o000);
    chmodSync(join(root, "plans/p/tasks"), 0o000);
    expect(read()).toEqual({
      "plans/p/plan.md": "! cannot be read: permission denied",
      "plans/p/tasks": "! is a folder that cannot be listed",
    });
    chmodSync(join(root, "plans/p/tasks"), 0o700);
  },
);
