import { chmodSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commitsOf, expectCode, verdictsOf } from "../rig/facts.ts";
import { writes, type Move } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig, type Rig, type RigOptions } from "../rig/rig.ts";

/** Two attempts at one task: the first makes a move too many, the second is honest. */
async function rigWith(
  options: Pick<RigOptions, "files" | "rules"> & { readonly scope: unknown },
  attempts: { readonly first: readonly Move[]; readonly honest?: readonly Move[] },
): Promise<Rig> {
  const { scope, ...rest } = options;
  const honest = [...writes("a.txt"), ...(attempts.honest ?? [])];
  return createRig({
    ...rest,
    plan: { tasks: { "01-a": { files: scope, checks: ["grep -q ready a.txt"] } } },
    moves: { "01-a": { 1: [...honest, ...attempts.first], 2: honest } },
  });
}

async function expectRefused(rig: Rig, ...guards: readonly string[]): Promise<void> {
  expectCode(await rig.stint(["run", "--yes"]), 0);
  expect(verdictsOf(rig, "01-a")).toMatchObject([
    { result: "failed", reason: "guard", guards },
    { result: "passed", guards: [] },
  ]);
  expect(commitsOf(rig)).toEqual(["01-a"]);
}

test("A line separator in a file's name does not take it past what the rules forbid.", async () => {
  await using rig = await rigWith(
    { rules: { forbid: ["vault/**"] }, scope: ["a.txt", "**/*.yml"] },
    {
      first: [
        { write: "vault/k\u2028.yml", text: "x\n" },
        { write: "cfg/k\n.yml", text: "x\n" },
      ],
      honest: [{ write: "cfg/naïve name.yml", text: "x\n" }],
    },
  );

  await expectRefused(rig, "forbidden cfg/k\n.yml", "forbidden vault/k\u2028.yml");
});

test("Attributes that would change the bytes of a checkout must be named; .gitignore need not.", async () => {
  const attributes: Move = { write: "src/.gitattributes", text: "* text eol=crlf\n" };
  const ignore: Move = { write: "src/.gitignore", text: "*.log\n" };
  await using refused = await rigWith({ scope: ["**"] }, { first: [attributes], honest: [ignore] });
  await using named = await rigWith({ scope: ["**", "src/.gitattributes"] }, { first: [attributes] });

  await expectRefused(refused, "protected src/.gitattributes");
  expectCode(await named.stint(["run", "--yes"]), 0);
  expect(verdictsOf(named, "01-a")).toMatchObject([{ result: "passed" }]);
});

const goTest = `package pkg
import "testing"
func TestAdd(t *testing.T) {
	if Add(1, 2) != 3 {
		t.Fatal("wrong")
	}
}
`;
const jsTest = 'test("adds", () => expect(add(1, 2)).toBe(3));\n';

test("A new test that shares a process with others must be named; one that is run apart need not.", async () => {
  const exit: Move = { write: "pkg/zz_test.go", text: goTest };
  const apart: Move = { write: "web/a.test.js", text: jsTest };
  await using refused = await rigWith({ scope: ["**"] }, { first: [exit], honest: [apart] });
  await using named = await rigWith({ scope: ["**", "pkg/*_test.go"] }, { first: [exit] });

  await expectRefused(refused, "protected pkg/zz_test.go");
  expectCode(await named.stint(["run", "--yes"]), 0);
  expect(verdictsOf(named, "01-a")).toMatchObject([{ result: "passed" }]);
});

test("A glob over tests does not name the runner's settings and lockfiles among them.", async () => {
  await using rig = await rigWith(
    {
      files: { "tests/helper.py": "old\n", "tests/conftest.py": "old\n", "tests/package-lock.json": "{}\n" },
      scope: ["a.txt", "tests/**"],
    },
    {
      first: [
        { write: "tests/conftest.py", text: "new\n" },
        { write: "tests/package-lock.json", text: "[]\n" },
      ],
      honest: [{ write: "tests/helper.py", text: "new\n" }],
    },
  );

  await expectRefused(rig, "protected tests/conftest.py", "protected tests/package-lock.json");
});

test("A file name with brackets is that file and no other.", async () => {
  await using rig = await rigWith(
    { files: { "pages/[id].js": "old\n", "pages/d.js": "old\n" }, scope: ["a.txt", "pages/[id].js"] },
    { first: [{ write: "pages/d.js", text: "new\n" }], honest: [{ write: "pages/[id].js", text: "new\n" }] },
  );

  await expectRefused(rig, "scope pages/d.js");
});

async function approvedRig(): Promise<Rig> {
  const rig = await createRig({
    files: { "plans/work/look.sh": "exit 0\n" },
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: { "01-a": writes("a.txt") },
  });
  expectCode(await rig.stint(["approve", "--yes"]), 0);
  return rig;
}

test("Making a script of the plan executable asks for a new approval; a script of the project does not.", async () => {
  await using rig = await approvedRig();
  rig.write("build.sh", "exit 0\n");
  chmodSync(join(rig.repo, "build.sh"), 0o755);
  rig.commit("Add a script");
  expectCode(await rig.stint(["run", "--dry-run"]), 0);
  chmodSync(join(rig.repo, "plans/work/look.sh"), 0o755);
  rig.commit("Make it executable");

  const run = await rig.stint(["run"]);

  expectCode(run, 3);
  expect(`${run.stdout}${run.stderr}`).toContain("new mode 100755");
  expectCode(await rig.stint(["approve", "--yes"]), 0);
  expectCode(await rig.stint(["run"]), 0);
});

test("A file of the plan whose name is not UTF-8 is an error, not a file that nobody approved.", async () => {
  await using rig = await approvedRig();
  writeFileSync(Buffer.concat([Buffer.from(`${rig.repo}/plans/work/`), Buffer.from([0xff]), Buffer.from(".sh")]), "x");
  rig.commit("Add a file");

  for (const command of [["run"], ["approve", "--yes"], ["lint"]]) {
    const ended = await rig.stint(command);
    expectCode(ended, 2);
    expect(`${ended.stdout}${ended.stderr}`).toContain("its name is not valid UTF-8");
  }
  expect(rig.journal()).toEqual([]);
});

test("Settings that are committed as a link are an error, not an absence of rules.", async () => {
  await using rig = await createRig({ plan: { tasks: { "01-a": makes("a.txt") } } });
  rig.git("mv", ".stint", "elsewhere");
  symlinkSync("elsewhere", join(rig.repo, ".stint"));
  rig.commit("Link the settings");

  const approve = await rig.stint(["approve", "--yes"]);

  expectCode(approve, 2);
  expect(approve.stderr).toContain(".stint:1:1: error: is not a folder");
});

test("A run's branch must be its own: the rules cannot make it main.", async () => {
  await using rig = await createRig({ rules: { branch: "main" }, plan: { tasks: { "01-a": makes("a.txt") } } });
  await using own = await createRig({ rules: { branch: "ai/{plan}" }, plan: { tasks: { "01-a": makes("a.txt") } } });

  const lint = await rig.stint(["lint"]);

  expectCode(lint, 2);
  expect(`${lint.stdout}${lint.stderr}`).toContain(
    ".stint/rules.md:2:1: error: branch must be a branch that only runs use",
  );
  expectCode(await own.stint(["lint"]), 0);
});
