import { expect, test } from "vitest";
import { defaultConfig } from "../../../../src/config/defaults.ts";
import { fail, ok } from "../../../../src/base/result.ts";
import { diagnoseRepository } from "../../../../src/upkeep/doctor/diagnose.ts";
import { examineRepository, type RepositoryFacts } from "../../../../src/upkeep/doctor/repository.ts";
import { bytesOf, rig } from "../../../rig/git.ts";

const sound: RepositoryFacts = {
  identity: ok({ name: "Ann", email: "ann@example.com" }),
  isShallow: false,
  submodules: [],
  commands: [],
  flaws: [],
};

const of = (facts: Partial<RepositoryFacts>) =>
  diagnoseRepository({ ...sound, ...facts }).map(({ about, state, says, cure }) =>
    [state, about, says, ...(cure === null ? [] : [cure])].join(" | "),
  );

const submodule = {
  path: "lib",
  commit: "a".repeat(40),
  name: "lib",
  objects: "/o",
  isMissing: false,
  isBehind: false,
};

test("a sound repository has an author and nothing to cure", () => {
  expect(of({})).toEqual(["ok | author | Ann <ann@example.com>"]);
  expect(of({ isShallow: true, commands: ["npm ci", "npm test"], submodules: [submodule] })).toEqual([
    "ok | author | Ann <ann@example.com>",
    "ok | clone | shallow: runs work, and agents see no older commits",
    "ok | submodules | in every checkout: lib",
    "ok | commands | set-up and rules: npm ci, npm test",
  ]);
});

test("what keeps every run from working is bad", () => {
  const [author] = of({ identity: fail("no-identity", "Run `git config …`.") });
  expect(author).toBe("bad | author | Run `git config …`.");
  const [, behind] = of({ submodules: [submodule, { ...submodule, path: "other", isBehind: true }] });
  expect(behind).toMatch(
    /^bad \| submodules \| submodule other does not have its commit aaaaaaaaaaaa here\. Run `git submodule /,
  );
});

test("a submodule that the user switched off is a warning; one that is only missing keeps a run from starting", () => {
  const [, found] = of({ submodules: [submodule, { ...submodule, path: "docs/theme", objects: null }] });
  expect(found).toBe(
    "warn | submodules | in every checkout: lib; empty: docs/theme | If checks need them: `git submodule update --init --recursive`.",
  );
  const [, missing] = of({ submodules: [{ ...submodule, objects: null, isMissing: true }] });
  expect(missing).toMatch(
    /^bad \| submodules \| submodule lib is empty here, .* `git config submodule\.lib\.active false`\.$/,
  );
});

test("programs of set-up and rules are looked for on PATH and at HEAD, and nothing is written", async () => {
  const files = (rules: string) => new Map([[".stint/rules.md", { bytes: Buffer.from(`---\n${rules}\n---\n`) }]]);
  const r = await rig({ "check.sh": "", "a.txt": "a" });
  const before = bytesOf(r.user);
  const examined = async (setup: string, rules: string) => {
    const config = { ...defaultConfig, workspace: { ...defaultConfig.workspace, setup } };
    const { flaws } = await examineRepository(r.repo, {
      config,
      files: files(rules),
      env: { PATH: process.env["PATH"] },
    });
    return flaws.map(({ file, message }) => `${file}: ${message.split(". ")[0]}`);
  };
  expect(await examined("no-such-tool sync", "checks: [./missing.sh, no-such-linter]")).toEqual([
    ".stint/config.yaml: workspace.setup runs no-such-tool, which is not on this machine's PATH",
  ]);
  expect(await examined("npm ci", "checks: [./check.sh, no-such-linter .]")).toEqual([
    ".stint/rules.md: The program no-such-linter is not found on this machine's PATH",
  ]);
  expect(await examined("sh check.sh", "checks: [./check.sh]")).toEqual([]);
  expect((await examined("sh check.sh", "chekcs: []"))[0]).toContain('.stint/rules.md: unknown key "chekcs"');
  expect(bytesOf(r.user)).toEqual(before);
});
