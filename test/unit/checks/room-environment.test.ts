import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkEnvironment } from "../../../src/checks/room-environment.ts";

let home: string;

beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), "check-home-"));
});

afterEach(() => fs.rmSync(home, { recursive: true }));

test("a check gets an empty home, a private folder for temporary files, and nothing of Stint or the shell", () => {
  const userEnv = {
    PATH: "./node_modules/.bin:/usr/bin:",
    LANG: "C.UTF-8",
    TZ: "UTC",
    HTTP_PROXY: "http://p",
    HOME: home,
    STINT_RUN: "r",
    NODE_OPTIONS: "--require ./evil.cjs",
    LD_PRELOAD: "./evil.so",
    BASH_ENV: "./evil.sh",
    GIT_DIR: "/elsewhere",
    CI: "true",
    TMPDIR: "/var/tmp",
    DATABASE_URL: "pg://",
    SECRET: "s",
  };
  const extra = ["DATABASE_URL", "STINT_RUN", "HOME", "PATH"];
  expect(checkEnvironment({ userEnv, home: "/room/home", tmp: "/room/tmp", extra })).toEqual({
    PATH: "/usr/bin",
    LANG: "C.UTF-8",
    TZ: "UTC",
    HTTP_PROXY: "http://p",
    DATABASE_URL: "pg://",
    HOME: "/room/home",
    TMPDIR: "/room/tmp",
    npm_config_update_notifier: "false",
  });
});

test("tools installed below the user's home stay reachable by their variables", () => {
  for (const folder of [".cargo", ".local/share/mise", "go/pkg/mod"])
    fs.mkdirSync(path.join(home, folder), { recursive: true });
  fs.writeFileSync(path.join(home, ".nvm"), "a file is no tool home");
  const userEnv = {
    PATH: "/bin",
    HOME: home,
    CARGO_HOME: "/opt/cargo",
    RUSTUP_HOME: "relative",
    JAVA_HOME: "/opt/java",
  };
  expect(checkEnvironment({ userEnv, home: "/room/home", tmp: "/room/tmp", extra: [] })).toEqual({
    PATH: "/bin",
    HOME: "/room/home",
    TMPDIR: "/room/tmp",
    npm_config_update_notifier: "false",
    CARGO_HOME: "/opt/cargo",
    JAVA_HOME: "/opt/java",
    MISE_DATA_DIR: path.join(home, ".local/share/mise"),
    GOPATH: path.join(home, "go"),
    GOMODCACHE: path.join(home, "go/pkg/mod"),
  });
});

test("where no network can be reached, tools are not to try again; what the settings let through is kept", () => {
  const userEnv = { PATH: "/usr/bin", HOME: home, GOPROXY: "https://proxy" };
  const around = { userEnv, home: "/room/home", tmp: "/room/tmp" };
  expect(checkEnvironment({ ...around, extra: [], isOffline: true })).toMatchObject({
    npm_config_fetch_retries: "0",
    PIP_RETRIES: "0",
    CARGO_NET_RETRY: "0",
    GOPROXY: "off",
  });
  expect(checkEnvironment({ ...around, extra: ["GOPROXY"], isOffline: true })).toMatchObject({
    GOPROXY: "https://proxy",
  });
  expect(checkEnvironment({ ...around, extra: [] })).not.toHaveProperty("npm_config_fetch_retries");
});
