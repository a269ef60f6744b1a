import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { workspaceLimits } from "../../../src/workspace/limits.ts";
import { isOurDiskAtFault, problemOfEncoding, problemsOfAdd } from "../../../src/workspace/refusals.ts";
import { commitAll, rig, sh, write } from "../../rig/git.ts";

const paths = (changes: readonly { readonly path: string }[]): string[] => changes.map((change) => change.path);

test("a huge file is refused without being read; ignored or made by set-up it is left alone", async () => {
  const r = await rig({ "a.txt": "a\n", ".gitignore": "ignored/\n", "t.bin": "t" });
  write(r.user, { "ignored/tracked": "t" });
  sh(r.user, "add", "-f", "ignored/tracked");
  const base = commitAll(r.user);
  const checkout = await r.checkout(base);
  const huge = (path: string): void => {
    write(checkout.dir, { [path]: "" });
    truncateSync(join(checkout.dir, path), 1_000_000_000_000);
  };
  huge("ignored/x");
  huge("made");
  write(checkout.dir, { "a.txt": "work\n", small: "s" });
  truncateSync(join(checkout.dir, "small"), 1_000_000);
  const honest = await r.take(checkout, ["made"]);
  expect(honest.problems).toEqual([]);
  expect(paths(honest.changes)).toEqual(["a.txt", "small"]);
  huge("t.bin");
  huge("dir/ü *");
  huge("ignored/tracked");
  const taken = await r.take(checkout, ["made"]);
  const message = (path: string): string => `${path} is larger than 500 MB; it may not be part of a task.`;
  expect(taken.problems).toEqual(
    ["dir/ü *", "ignored/tracked", "t.bin"].map((path) => ({ kind: "too-large", path, message: message(path) })),
  );
  expect(paths(taken.changes)).toEqual(["a.txt", "small"]);
  expect(workspaceLimits.candidateFileBytesMax).toBe(500_000_000);
});

test("a file that is not in its declared encoding is a problem, and what else there is is kept", async () => {
  const r = await rig({ "a.txt": "a\n" });
  const checkout = await r.checkout();
  write(checkout.dir, { ".gitattributes": "*.u16 working-tree-encoding=UTF-16\n", "a.txt": "work\n" });
  writeFileSync(join(checkout.dir, "right.u16"), Buffer.from("\uFEFFhi", "utf16le"));
  expect((await r.take(checkout)).problems).toEqual([]);
  write(checkout.dir, { "one.u16": "no mark", "two.u16": "none either" });
  const taken = await r.take(checkout);
  expect(taken.problems.map((problem) => [problem.kind, problem.path])).toEqual([
    ["unreadable", "one.u16"],
    ["unreadable", "two.u16"],
  ]);
  expect(paths(taken.changes)).toEqual([".gitattributes", "a.txt", "right.u16"]);
});

test("what git could not add is named by its path, and a warning is no problem", () => {
  const stderr = [
    "warning: in the working copy of 'a', LF will be replaced by CRLF",
    "error: 'nested/' does not have a commit checked out",
    'error: open("secret.txt"): Permission denied',
    "warning: could not open directory 'locked/': Permission denied",
    "",
  ].join("\n");
  expect(problemsOfAdd(stderr).map(({ kind, path }) => [kind, path])).toEqual([
    ["nested-repository", "nested/"],
    ["unreadable", "secret.txt"],
    ["unreadable", "locked/"],
  ]);
  expect(problemsOfAdd("")).toEqual([]);
});

test("a full disk of ours differs from work that cannot be read", () => {
  expect(isOurDiskAtFault("error: a.txt: failed to insert into database\n")).toBe(true);
  expect(isOurDiskAtFault("error: unable to write file objects/ab: No space left on device")).toBe(true);
  expect(isOurDiskAtFault('error: open("a.txt"): Permission denied')).toBe(false);
});

test("only a fatal message about an encoding is one, and it names the file", () => {
  expect(problemOfEncoding("fatal: failed to encode 'a.u16' from UTF-16 to UTF-8\n")).toEqual({
    kind: "unreadable",
    path: "a.u16",
    message: "failed to encode 'a.u16' from UTF-16 to UTF-8",
  });
  expect(problemOfEncoding("fatal: not a git repository")).toBeNull();
});
