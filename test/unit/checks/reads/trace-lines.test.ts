import { describe, expect, test } from "vitest";
import { readTrace } from "../../../../src/checks/reads/trace-lines.ts";

const at = "/stint/workspace";

function trace(...lines: readonly string[]): string {
  return [
    '10    execve("/bin/sh", ["s"...], 0x7ffd /* 3 vars */) = 0',
    '10    openat(AT_FDCWD</host>, "/host/secret", O_RDONLY) = 3</host/secret>',
    `11    chdir("${at}")         = 0`,
    ...lines,
    "11    +++ exited with 0 +++",
    "10    +++ exited with 0 +++",
    "",
  ].join("\n");
}

function pathsIn(...lines: readonly string[]): string[] | undefined {
  return readTrace(trace(...lines), at)?.names.map(({ path, from }) => (from === undefined ? path : `${from} ${path}`));
}

describe("names", () => {
  test.each([
    ['12    openat(AT_FDCWD</stint/workspace>, "a.txt", O_RDONLY) = -1 ENOENT (No such file)', [`${at} a.txt`]],
    ['12    access("nope/x", F_OK)            = -1 ENOENT (No such file)', ["nope/x"]],
    ['12    newfstatat(5</stint/workspace/d>, "x", {st_mode=S_IFREG|0644, ...}, 0) = 0', [`${at}/d x`]],
    ['12    execve("/usr/bin/ls", ["l"..., "-"...], 0x7ffd /* 3 vars */) = 0', ["/usr/bin/ls"]],
    ['12    readlink("/proc/self/exe", "/"..., 8191) = 13', ["/proc/self/exe"]],
    ['12    rename("a", "b")                  = 0', ["a", "b"]],
    [
      '12    openat(AT_FDCWD</stint/workspace>, "gr\\303\\274n \\"\\74x", O_RDONLY <unfinished ...>',
      [`${at} grün "<x`],
    ],
    ["12    <... openat resumed>)             = 3</stint/workspace/real.txt>", [`/ ${at}/real.txt`]],
  ])("%s", (line, names) => {
    expect(pathsIn(line)).toEqual(names);
  });

  test("the result of an open is where its links led", () => {
    const line = '12    openat(AT_FDCWD</stint/workspace>, "link/x", O_RDONLY) = 3</stint/workspace/dir/x>';
    expect(pathsIn(line)).toEqual([`/ ${at}/dir/x`, `${at} link/x`]);
  });

  test("what the sandbox did before it began is left out", () => {
    expect(pathsIn()).toEqual([]);
  });
});

test("folders that were listed or worked in are found", () => {
  const asked = readTrace(
    trace(
      "12    getdents64(3</stint/workspace/tests>, 0x55 /* 2 entries */, 32768) = 48",
      '12    chdir("src")                      = 0',
      "12    fchdir(4</stint/workspace/lib>)    = 0",
    ),
    at,
  );
  expect([...(asked?.listed ?? [])]).toEqual([`${at}/tests`]);
  expect(asked?.workedIn.map(({ path }) => path)).toEqual([at, "src", `${at}/lib`]);
});

describe("it is not known what was read", () => {
  test.each([
    ["after a mount", '12    mount("src", "tests", NULL, MS_BIND, NULL) = 0'],
    ["in another root", '12    chroot("/stint/workspace/x")        = 0'],
    ["by a file's number", "12    open_by_handle_at(3</stint/workspace>, {...}, O_RDONLY) = 4</stint/workspace/x>"],
    ["through a link into the checkout", '12    symlink("src", "way")             = 0'],
    ["through a link that leaves /tmp", '12    symlink("../stint/workspace", "/tmp/way") = 0'],
    ["if a process hides its memory", "12    openat(AT_FDCWD</stint/workspace>, 0x7ffd1234, O_RDONLY) = 3</x>"],
    ["if a name is cut off", '12    access("very/long"..., F_OK)      = 0'],
  ])("%s", (_, line) => {
    expect(readTrace(trace(line), at)).toBeUndefined();
  });

  test("if the trace ends before its command, or never got to it", () => {
    const whole = trace('12    access("a", F_OK) = 0');
    expect(readTrace(whole, at)).toBeDefined();
    expect(readTrace(whole.replace("10    +++ exited with 0 +++\n", ""), at)).toBeUndefined();
    expect(readTrace(whole, "/stint/workspace/other")).toBeUndefined();
    expect(readTrace("", at)).toBeUndefined();
  });
});

describe("honest twins: these tell as much as before", () => {
  test.each([
    [
      "a mount that was refused",
      '12    mount("src", "tests", NULL, MS_BIND, NULL) = -1 EPERM (Operation not permitted)',
    ],
    ["a link among temporary files", '12    symlink("pytest-0", "/tmp/pytest-of-x/current") = 0'],
    ["a link in HOME", '12    symlinkat("/stint/home/a", AT_FDCWD</stint/home>, "b") = 0'],
    ["a link that was there already", '12    symlink("src", "way")             = -1 EEXIST (File exists)'],
  ])("%s", (_, line) => {
    expect(readTrace(trace(line), at)).toBeDefined();
  });
});
