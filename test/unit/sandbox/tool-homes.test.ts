import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { toolchainHomes, toolFolders, toolHomes, toolLogins } from "../../../src/sandbox/tool-homes.ts";

let HOME: string;

beforeEach(() => {
  HOME = mkdtempSync(join(tmpdir(), "tool-homes-"));
});

afterEach(() => rmSync(HOME, { recursive: true }));

test("a tool's home is where its variable says, else where it is usually found below HOME", () => {
  for (const name of [".rustup", ".cargo", "go"]) mkdirSync(join(HOME, name));
  writeFileSync(join(HOME, ".nvm"), "not a folder");
  expect(toolHomes({ HOME, RUSTUP_HOME: "/opt/rustup" })).toEqual({
    RUSTUP_HOME: "/opt/rustup",
    CARGO_HOME: join(HOME, ".cargo"),
    GOPATH: join(HOME, "go"),
  });
});

test("a relative variable is not believed, and without HOME nothing is guessed", () => {
  expect(toolHomes({ HOME, PYENV_ROOT: "pyenv" })).toEqual({});
  expect(toolHomes({})).toEqual({});
  expect(toolHomes({ HOME: "" })).toEqual({});
});

test("an agent gets toolchains and not the download caches of the user", () => {
  for (const name of [".rustup", ".cargo"]) mkdirSync(join(HOME, name));
  expect(toolchainHomes({ HOME })).toEqual({ RUSTUP_HOME: join(HOME, ".rustup") });
});

test("of a Go workspace only the module cache is shown, because its sources are the user's own", () => {
  mkdirSync(join(HOME, "go/pkg/mod"), { recursive: true });
  const folders = toolFolders({ HOME, JAVA_HOME: "/opt/java" });
  expect(folders).toEqual(expect.arrayContaining([join(HOME, "go/pkg/mod"), join(HOME, ".deno"), "/opt/java"]));
  expect(folders).not.toContain(join(HOME, "go"));
});

test("the files in which cargo keeps its login are named, wherever its home is", () => {
  expect(toolLogins({ HOME })).toEqual([]);
  expect(toolLogins({ HOME, CARGO_HOME: "/c" })).toEqual(["/c/credentials", "/c/credentials.toml"]);
});
