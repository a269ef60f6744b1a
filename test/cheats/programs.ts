import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { toolHomes } from "../../src/sandbox/tool-homes.ts";
import { absoluteSearchPath } from "../../src/base/search-path.ts";
import type { Case } from "./case.ts";

const root = join(import.meta.dirname, "..", "..");

/** Packages of this repository, which cases written for Vitest use as theirs. */
export const ownPackages = join(root, "node_modules");

/** The programs a case needs and this machine lacks, or keeps in the home of somebody else, which rooms do not show. */
export function missingPrograms({ needs = [] }: Pick<Case, "needs">): string[] {
  return needs.filter((name) => (name === "vitest" ? !existsSync(join(ownPackages, "vitest")) : !isUsable(name)));
}

function isUsable(name: string): boolean {
  const folders = absoluteSearchPath(process.env["PATH"]).split(delimiter);
  const program = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  if (program === undefined) return false;
  return !/^\/(?:root|home)\//.test(program) || program.startsWith(`${homedir()}/`);
}

/** Tools keep what they compiled here from case to case; what is in it is found by content, so that cases cannot mix. */
export const caches = join(root, ".cache", "cheats", "go");

/** Names that agents and checks get besides their usual environment. */
export const letThrough = ["GOCACHE", "GOTOOLCHAIN", "GOTELEMETRY"];

/** Nothing of the machine but its PATH and its toolchains. */
export function environmentIn(folder: string): Record<string, string> {
  mkdirSync(caches, { recursive: true });
  return {
    ...toolHomes(process.env),
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    HOME: join(folder, "home"),
    XDG_STATE_HOME: join(folder, "state"),
    XDG_CONFIG_HOME: join(folder, "config"),
    TMPDIR: join(folder, "tmp"),
    LANG: "C.UTF-8",
    TERM: "dumb",
    TZ: "UTC",
    GIT_CONFIG_NOSYSTEM: "1",
    GOCACHE: caches,
    GOTOOLCHAIN: "local",
    GOTELEMETRY: "off",
  };
}
