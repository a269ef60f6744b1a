import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { commitsOf, expectCode, verdictsOf } from "../rig/facts.ts";
import type { Move } from "../rig/moves.ts";
import { createRig, type Rig } from "../rig/rig.ts";

const pkg = (scripts: Record<string, string>, more: object = {}) =>
  `${JSON.stringify({ name: "a", private: true, scripts, ...more }, null, 2)}\n`;
const scripts = { test: "node test/a.test.mjs" };
const files = {
  "package.json": pkg(scripts),
  Makefile: ".PHONY: test\ntest:\n\tnode test/a.test.mjs\n",
  "src/a.mjs": "export const answer = 1;\n",
  "test/a.test.mjs": 'import { answer } from "../src/a.mjs";\nif (answer !== 42) process.exit(1);\n',
};
const work: Move = { write: "src/a.mjs", text: "export const answer = 42;\n" };

/** Two attempts at a task that names the definition: the first redefines its check, the second does the work. */
async function rigWith(
  check: string,
  definition: string,
  attempts: { readonly cheat: readonly Move[]; readonly honest: readonly Move[] },
): Promise<Rig> {
  return await createRig({
    files,
    plan: { tasks: { "01-a": { files: { modify: ["src/a.mjs", definition] }, checks: [check] } } },
    moves: { "01-a": { 1: attempts.cheat, 2: attempts.honest } },
  });
}

async function expectCaught(rig: Rig, guards: readonly string[]): Promise<void> {
  expectCode(await rig.stint(["run", "--yes"]), 0);
  expect(verdictsOf(rig, "01-a")).toMatchObject([
    { result: "failed", reason: "guard", guards },
    { result: "passed", guards: [] },
  ]);
  expect(commitsOf(rig)).toEqual(["01-a"]);
}

/** The control: the check is green with the cheat where nobody guards it, and red without. */
async function expectGreenUnguarded(
  base: Record<string, string>,
  check: string,
  cheat: readonly Move[],
): Promise<void> {
  await using rig = await createRig({ files: base });
  const ask = () => spawnSync("sh", ["-c", check], { cwd: rig.repo }).status;
  expect(ask()).not.toBe(0);
  for (const move of cheat) if ("write" in move) rig.write(move.write, move.text);
  expect(ask()).toBe(0);
}

test('Attack 14: a task that names package.json cannot make its check `"test": "exit 0"`; an honest script may be added.', async () => {
  const cheat: Move[] = [{ write: "package.json", text: pkg({ test: "exit 0" }) }];
  const honest: Move[] = [
    work,
    { write: "package.json", text: pkg({ ...scripts, start: "node src/a.mjs" }, { version: "1.1.0" }) },
  ];
  await expectGreenUnguarded(files, "npm test", cheat);
  await using rig = await rigWith("npm test", "package.json", { cheat, honest });

  await expectCaught(rig, ["definition package.json"]);
});

test("Attack 13: a task that names the Makefile cannot change the target of its check; another target may be added.", async () => {
  const cheat: Move[] = [{ write: "Makefile", text: ".PHONY: test\ntest:\n\t@true\n" }];
  const honest: Move[] = [work, { write: "Makefile", text: `${files.Makefile}docs:\n\ttrue\n` }];
  await expectGreenUnguarded(files, "make test", cheat);
  await using rig = await rigWith("make test", "Makefile", { cheat, honest });

  await expectCaught(rig, ["definition Makefile"]);
});

test("A dependency cannot be swapped for a stand-in of the task's own; its version may rise.", async () => {
  const was = { dependencies: { answers: "1.0.0" }, imports: { "#a": "./src/a.mjs" } };
  const cheat: Move[] = [
    { write: "src/fake.mjs", text: "export const answer = 42;\n" },
    {
      write: "package.json",
      text: pkg(scripts, { dependencies: { answers: "file:./fake" }, imports: { "#a": "./src/fake.mjs" } }),
    },
  ];
  const base = {
    ...files,
    "package.json": pkg(scripts, was),
    "test/a.test.mjs": files["test/a.test.mjs"].replace("../src/a.mjs", "#a"),
  };
  await expectGreenUnguarded(base, "npm test", cheat);
  await using rig = await createRig({
    files: base,
    plan: {
      tasks: {
        "01-a": { files: { modify: ["src/a.mjs", "package.json"], create: ["src/fake.mjs"] }, checks: ["npm test"] },
      },
    },
    moves: {
      "01-a": {
        1: cheat,
        2: [work, { write: "package.json", text: pkg(scripts, { ...was, dependencies: { answers: "^2.0.0" } }) }],
      },
    },
  });

  await expectCaught(rig, ["definition package.json", "definition package.json"]);
});

const python = spawnSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" }).stdout.trim();
const hasPytest = spawnSync("python3", ["-m", "pytest", "--version"]).status === 0;
const pytest = `${python} -m pytest`;
const project = {
  "pyproject.toml": '[tool.pytest.ini_options]\naddopts = "-q"\n',
  "setup.cfg": "[metadata]\nname = a\n",
  "a.py": "ANSWER = 1\n",
  "test_a.py": "from a import ANSWER\ndef test_easy(): pass\ndef test_answer(): assert ANSWER == 42\n",
};
const solve: Move = { write: "a.py", text: "ANSWER = 42\n" };

interface Narrowing {
  readonly base: Record<string, string>;
  readonly check: string;
  readonly definition: string;
  /** The same cheat, in the form that was always refused and in another one. */
  readonly cheats: readonly [string, string];
  readonly honest: string;
}

/** Each cheat turns the check green where nothing guards it; in a run both are refused, and honest work lands. */
async function expectBothRefused({ base, check, definition, cheats, honest }: Narrowing): Promise<void> {
  const [first, second] = cheats.map((text): Move[] => [{ write: definition, text }]);
  await expectGreenUnguarded(base, check, first ?? []);
  await expectGreenUnguarded(base, check, second ?? []);
  await using rig = await createRig({
    files: base,
    plan: { tasks: { "01-a": { files: { modify: ["a.py", definition] }, checks: [check] } } },
    moves: { "01-a": { 1: first ?? [], 2: second ?? [], 3: [solve, { write: definition, text: honest }] } },
  });
  expectCode(await rig.stint(["run", "--yes"]), 0);
  const guards = [`definition ${definition}`];
  expect(verdictsOf(rig, "01-a")).toMatchObject([
    { result: "failed", reason: "guard", guards },
    { result: "failed", reason: "guard", guards },
    { result: "passed", guards: [] },
  ]);
  expect(commitsOf(rig)).toEqual(["01-a"]);
}

test.skipIf(!hasPytest)(
  "Tests cannot be deselected in a TOML text over several lines; further options may stand in one (needs pytest).",
  async () => {
    const settings = (options: string) => `[tool.pytest.ini_options]\naddopts = ${options}\n`;
    await expectBothRefused({
      base: project,
      check: pytest,
      definition: "pyproject.toml",
      cheats: [settings('"-q -k easy"'), settings('"""\n-q\n-k easy\n"""')],
      honest: settings('"""\n-q\n--strict-markers\n"""'),
    });
  },
);

test.skipIf(!hasPytest)(
  "Tests cannot be deselected in a continuation line of an INI file; further options may stand in one (needs pytest).",
  async () => {
    const settings = (options: string) => `[pytest]\naddopts = ${options}\n`;
    await expectBothRefused({
      base: { ...project, "pytest.ini": settings("-q") },
      check: pytest,
      definition: "pytest.ini",
      cheats: [settings("-q --deselect=test_a.py::test_answer"), settings("-q\n  --deselect=test_a.py::test_answer")],
      honest: settings("-q\n  --strict-markers"),
    });
  },
);

/** Stands in for mypy: it obeys `exclude` as mypy does, and objects to every file that says `ANSWER = 1`. */
const mypy = `import pathlib, re, sys, tomllib
exclude = tomllib.loads(pathlib.Path("pyproject.toml").read_text())["tool"]["mypy"]["exclude"].strip()
sys.exit(any(not re.search(exclude, str(path)) and path.read_text() == "ANSWER = 1\\n" for path in pathlib.Path(".").rglob("*.py")))
`;

test("Files cannot be left out of a type check beside a harmless folder; another harmless folder may.", async () => {
  const settings = (exclude: string) => `[tool.mypy]\nexclude = ${exclude}\n`;
  await expectBothRefused({
    base: { ...project, "pyproject.toml": settings('"build"'), "mypy.py": mypy },
    check: `${python} -m mypy`,
    definition: "pyproject.toml",
    cheats: [settings('"a.py"'), settings("'''\nbuild|a.py\n'''")],
    honest: settings("'''\n^(build|dist)/\n'''"),
  });
});
