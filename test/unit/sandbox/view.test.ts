import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  hide,
  machineView,
  reveal,
  revealMount,
  revealProgram,
  revealSearchFolder,
  sightOf,
  type View,
} from "../../../src/sandbox/view.ts";

let home: string;
let view: View;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "view-")));
  view = new Map([["/", { kind: "shown" }]]);
  hide(view, home);
});

afterEach(() => rmSync(home, { recursive: true }));

test("the nearest path above decides what is seen, and nothing above means hidden", () => {
  view.set(`${home}/tools`, { kind: "shown" });
  expect(seen("", "tools", "tools/bin/x", "toolset", "notes")).toEqual([
    "hidden",
    "shown",
    "shown",
    "hidden",
    "hidden",
  ]);
  expect(sightOf(view, "/usr/bin").kind).toBe("shown");
  expect(sightOf(new Map(), "/usr/bin").kind).toBe("hidden");
});

test("the machine is shown without temporary files, sockets and what the sandbox makes itself", () => {
  const machine = machineView();
  const kinds = ["/usr", "/tmp/x", "/var/tmp/x", "/run/docker.sock", "/proc/1", "/dev/sda"].map(
    (path) => sightOf(machine, path).kind,
  );
  expect(kinds).toEqual(["shown", "private", "private", "hidden", "hidden", "hidden"]);
});

test("a folder is hidden under whatever name it is given, and the root cannot be", () => {
  write("real/secret");
  view.set(`${home}/real`, { kind: "shown" });
  link("name", "real");
  hide(view, `${home}/name`);
  hide(view, "/");
  hide(view, `${home}/gone`);
  expect(seen("real/secret")).toEqual(["hidden"]);
  expect(sightOf(view, "/usr").kind).toBe("shown");
});

test("what is revealed is reached by the links that lead to it, and the whole of what is hidden never is", () => {
  write("data/v2/file");
  link("data/current", "v2");
  link("all", ".");
  reveal(view, `${home}/data/current/file`);
  reveal(view, `${home}/all`);
  expect(view.get(`${home}/data/current`)).toEqual({ kind: "link", target: "v2" });
  expect(seen("data/v2/file", "data/v2", "")).toEqual(["shown", "hidden", "hidden"]);
});

test("links in a circle and names that do not exist reveal nothing", () => {
  link("a", "b");
  link("b", "a");
  reveal(view, `${home}/a`);
  reveal(view, `${home}/gone`);
  expect([...view].filter(([path, { kind }]) => path.startsWith(home) && kind === "shown")).toEqual([]);
});

test("a mount of the settings is shown or writable even where all is hidden, and a missing one is reported", () => {
  write("cache/x");
  expect(revealMount(view, { path: home, writable: false })).toBe(true);
  expect(revealMount(view, { path: `${home}/cache`, writable: true })).toBe(true);
  expect(revealMount(view, { path: `${home}/gone`, writable: true })).toBe(false);
  expect(seen("notes", "cache/x")).toEqual(["shown", "writable"]);
});

test("a program is shown with what lies beside its bin folder, and with no more of the prefix", () => {
  for (const name of ["tool/bin/run", "tool/lib/part", "tool/login"]) write(name);
  revealProgram(view, `${home}/tool/bin/run`);
  expect(seen("tool/bin/run", "tool/lib/part", "tool/login")).toEqual(["shown", "shown", "hidden"]);
});

test("a program of a package is shown with the packages around it", () => {
  for (const name of ["repo/node_modules/cli/bin.js", "repo/node_modules/part/x.js", "repo/secret"]) write(name);
  revealProgram(view, `${home}/repo/node_modules/cli/bin.js`);
  expect(seen("repo/node_modules/part/x.js", "repo/secret")).toEqual(["shown", "hidden"]);
});

test("beside ~/bin and ~/.local/bin nothing is shown but the targets of the links in them", () => {
  for (const name of ["bin/own", "lib/secret", ".local/share/keyrings/login", ".local/share/agent/2"]) write(name);
  link(".local/bin/agent", "../share/agent/2");
  revealSearchFolder(view, `${home}/bin`);
  revealSearchFolder(view, `${home}/.local/bin`);
  revealSearchFolder(view, home);
  expect(seen("bin/own", ".local/share/agent/2")).toEqual(["shown", "shown"]);
  expect(seen("lib/secret", ".local/share/keyrings/login", "")).toEqual(["hidden", "hidden", "hidden"]);
});

function seen(...paths: readonly string[]): string[] {
  return paths.map((path) => sightOf(view, join(home, path)).kind);
}

function write(path: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), "");
}

function link(path: string, target: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  symlinkSync(target, join(home, path));
}
