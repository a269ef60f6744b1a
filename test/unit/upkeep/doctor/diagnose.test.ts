import { expect, test } from "vitest";
import { isOlder, versionIn } from "../../../../src/base/version.ts";
import { diagnoseMachine, diagnoseSandbox, diagnoseTracer } from "../../../../src/upkeep/doctor/diagnose.ts";
import type { FolderFacts, MachineFacts } from "../../../../src/upkeep/doctor/machine.ts";
import { fail, ok } from "../../../../src/base/result.ts";
import { noSandbox } from "../../../../src/sandbox/sandbox.ts";

const folder: FolderFacts = { about: "state folder", path: "/state", flaw: undefined, freeBytes: 80_000_000_000 };
const healthy: MachineFacts = {
  node: "20.20.2",
  git: "git version 2.39.5",
  tools: [{ name: "flock", path: "/usr/bin/flock" }],
  folders: [folder],
};

test("a healthy machine has nothing to cure", () => {
  expect(diagnoseMachine(healthy)).toEqual([
    { about: "node", state: "ok", says: "20.20.2", cure: null },
    { about: "git", state: "ok", says: "2.39.5", cure: null },
    { about: "flock", state: "ok", says: "/usr/bin/flock", cure: null },
    { about: "state folder", state: "ok", says: "/state, 80.0 GB free", cure: null },
  ]);
});

test("a missing program is bad, and the cure names the package", () => {
  const [, git, flock] = diagnoseMachine({ ...healthy, git: null, tools: [{ name: "flock", path: null }] });
  const gitCure = "Install git 2.39 or newer and put it on PATH.";
  expect(git).toEqual({ about: "git", state: "bad", says: "not found", cure: gitCure });
  expect(flock).toEqual({ about: "flock", state: "bad", says: "not found on PATH", cure: "Install util-linux." });
});

test("git without merge-tree --write-tree is too old; one that was never tried is a warning", () => {
  const states = { "2.37.9": "bad", "2.38.0": "warn", "2.39.0": "ok", "2.39.5 (Apple Git-154)": "ok", "3.0.1": "ok" };
  for (const [version, state] of Object.entries(states)) {
    expect(diagnoseMachine({ ...healthy, git: `git version ${version}` })[1], version).toMatchObject({ state });
  }
  const strange = diagnoseMachine({ ...healthy, git: "git version unknown" })[1];
  expect(strange).toMatchObject({ state: "warn", says: "unknown version: git version unknown" });
});

test("an old node is named with the one to install", () => {
  const cure = "Install Node 20.19 or newer.";
  const [node] = diagnoseMachine({ ...healthy, node: "20.18.9" });
  expect(node).toEqual({ about: "node", state: "bad", says: "20.18.9 is too old", cure });
});

test("little room on a disk is a warning, and none is bad", () => {
  const states = [
    [2_000_000_000, "ok"],
    [1_999_999_999, "warn"],
    [99_999_999, "bad"],
  ] as const;
  for (const [freeBytes, state] of states) {
    expect(diagnoseMachine({ ...healthy, folders: [{ ...folder, freeBytes }] })[3]).toMatchObject({ state });
  }
  const full = diagnoseMachine({ ...healthy, folders: [{ ...folder, freeBytes: 0 }] })[3];
  expect(full).toEqual({
    about: "state folder",
    state: "bad",
    says: "/state, 0.0 GB free",
    cure: "Free some disk space.",
  });
});

test("no sandbox is a warning where it may be missing, and bad where the settings ask for it", () => {
  const word = "Sandbox: none (bwrap is not installed); agents and checks run with your file system and network.";
  const says = "none (bwrap is not installed); agents and checks run with your file system and network.";
  expect(diagnoseSandbox(ok({ sandbox: noSandbox, word }))).toEqual({
    about: "sandbox",
    state: "warn",
    says,
    cure: null,
  });
  const refused = fail("no-sandbox", "run.sandbox is bwrap, but bwrap is not installed.");
  const message = "run.sandbox is bwrap, but bwrap is not installed.";
  expect(diagnoseSandbox(refused)).toEqual({ about: "sandbox", state: "bad", says: message, cure: null });
  const bwrap = { kind: "bwrap", enclose: noSandbox.enclose } as const;
  expect(diagnoseSandbox(ok({ sandbox: bwrap, word: "Sandbox: bwrap; all well." }))).toMatchObject({ state: "ok" });
});

test("a tracer is a matter only where rooms share their files, and never a warning", () => {
  const word = "Sandbox: bwrap; all well.";
  const found = (more: object) => diagnoseTracer(ok({ sandbox: { ...noSandbox, kind: "bwrap", ...more }, word }));
  const layers = { unshare: "/bin/unshare", mount: "/bin/mount" };
  expect(found({})).toEqual([]);
  expect(found({ layers })).toMatchObject([{ about: "strace", optional: true, cure: null }]);
  const tracer = { strace: "/bin/strace", setpriv: "/bin/setpriv" };
  expect(found({ layers, tracer })).toMatchObject([
    { state: "ok", says: "/bin/strace; a check that reads nothing that changed is not repeated" },
  ]);
});

test("versions are compared by number, part by part", () => {
  const older = [
    ["2.9.0", "2.10.0"],
    ["1.99", "2"],
    ["2.1", "2.1.1"],
  ] as const;
  for (const [version, than] of older) {
    expect(isOlder(version, than), `${version} < ${than}`).toBe(true);
    expect(isOlder(than, version), `${than} < ${version}`).toBe(false);
  }
  expect(isOlder("2.1.0", "2.1")).toBe(false);
  expect(isOlder("2.1", "2.1.0")).toBe(false);
  expect(["codex-cli 0.166.0", "2.1.325 (Claude Code)", "v0.61.0-beta", "none"].map(versionIn)).toEqual([
    "0.166.0",
    "2.1.325",
    "0.61.0",
    undefined,
  ]);
});
