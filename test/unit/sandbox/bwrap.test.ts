import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { bwrapSandbox } from "../../../src/sandbox/bwrap.ts";
import type { RoomSpec } from "../../../src/sandbox/sandbox.ts";
import type { View } from "../../../src/sandbox/view.ts";

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "bwrap-")));
  for (const name of ["tree", "home", "outbox", "inbox"]) mkdirSync(join(root, name));
});

afterEach(() => rmSync(root, { recursive: true }));

test("a room may write to its own folders only, and its inbox is read-only", () => {
  const line = commandLine({ outbox: join(root, "outbox"), inbox: join(root, "inbox") });
  expect(line).toContain(` --bind ${root}/tree /stint/workspace `);
  expect(line).toContain(` --bind ${root}/home /stint/home `);
  expect(line).toMatch(new RegExp(` --bind ${root}/outbox /stint/outbox-[0-9a-f]{12} `));
  expect(line).toContain(` --ro-bind ${root}/inbox /stint/inbox `);
  expect(line.match(/ --bind /g)).toHaveLength(3);
});

test("capabilities are dropped, the sandbox dies with Stint, and the network is there only if it is asked for", () => {
  const fixed = " --unshare-user-try --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try";
  expect(commandLine({ network: false })).toContain(`${fixed} --unshare-net --cap-drop ALL --die-with-parent `);
  expect(commandLine({ network: true })).toContain(`${fixed} --cap-drop ALL --die-with-parent `);
});

test("what is hidden in a folder that is shown is covered, cannot be written, and comes after that folder", () => {
  const view: View = new Map([
    ["/usr/secret", { kind: "hidden" }],
    ["/usr/secret/tool", { kind: "shown" }],
    ["/usr", { kind: "shown" }],
    ["/usr/lib", { kind: "shown" }],
    ["/usr/login", { kind: "emptied" }],
    ["/bin", { kind: "link", target: "usr/bin" }],
    ["/data", { kind: "writable" }],
    ["/nowhere", { kind: "hidden" }],
  ]);
  expect(commandLine({}, view)).toContain(
    " --symlink usr/bin /bin --bind /data /data --ro-bind /usr /usr --dev-bind /dev/null /usr/login" +
      " --tmpfs /usr/secret --ro-bind /usr/secret/tool /usr/secret/tool --remount-ro /usr/secret --bind ",
  );
});

test("the environment of a room is not on the command line, which every user of the machine can read", () => {
  const { enter } = enclose({});
  const { argv, env, cwd } = enter({ argv: ["agent"], cwd: "/stint/workspace", env: { KEY: "secret" } });
  expect(argv.join(" ")).not.toContain("secret");
  expect(env).toEqual({ KEY: "secret", STINT_ROOM: join(root, "tree") });
  expect(cwd).toBe(join(root, "tree"));
  expect(argv.slice(-5)).toEqual(["/stint/workspace", "--unsetenv", "STINT_ROOM", "--", "agent"]);
});

test("a command counts as started only if bwrap reports its exit code, and the report is removed", () => {
  const { enter, entered } = enclose({});
  const status = enter({ argv: ["agent"], cwd: "/", env: {} }).argv[3] ?? "";
  expect(entered()).toBe(false);
  writeFileSync(status, '{ "child-pid": 7 }\n');
  expect(entered()).toBe(false);
  writeFileSync(status, '{ "child-pid": 7 }\n{ "exit-code": 1 }\n');
  expect(entered()).toBe(true);
  expect(existsSync(status)).toBe(false);
});

function enclose(room: Partial<RoomSpec>, view: View = new Map()) {
  const sandbox = bwrapSandbox({ program: "/usr/bin/bwrap", view, bounds: false });
  return sandbox.enclose({
    workspace: join(root, "tree"),
    home: join(root, "home"),
    visible: [],
    network: false,
    ...room,
  });
}

function commandLine(room: Partial<RoomSpec>, view?: View): string {
  return enclose(room, view)
    .enter({ argv: ["agent"], cwd: "/", env: {} })
    .argv.join(" ");
}
