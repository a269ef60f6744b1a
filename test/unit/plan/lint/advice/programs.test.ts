import { expect, test } from "vitest";
import type { AdviceInput } from "../../../../../src/plan/lint/advice/advise.ts";
import { adviceOn, adviceOnTask } from "../../../../rig/advice.ts";

const installed = new Set(["node", "npm", "pnpm", "yarn", "bun", "npx", "timeout", "env", "sh", "make", "pnpm"]);
const hasProgram = (name: string): boolean => installed.has(name);
const repoFiles = new Set(["check.sh", "scripts/ci.sh", "sub/run.sh", "gradlew"]);
const at = { line: 5, column: 3 };
const setup = (command: string): Pick<AdviceInput, "setup"> => ({ setup: { command, file: ".stint/config.yaml", at } });

const programs = (run: unknown, more: Partial<AdviceInput> = {}): string[] =>
  adviceOnTask({ files: ["README.md"], checks: [run] }, { hasProgram, repoFiles, ...more });

test("a program that PATH does not find is reported at the check, with what to do", () => {
  expect(programs("vitest run")).toEqual([
    "a:6:5: missing-program: The program vitest is not found on this machine's PATH. Install it, call it through its package manager (npx, or a path such as node_modules/.bin), or correct the command.",
  ]);
});

test("one program is reported once for the whole plan, also of prerequisites, rules and set-up", () => {
  const tasks = { a: { checks: ["pytest a"] }, b: { checks: ["pytest b"] } };
  const front = { prerequisites: [{ text: "Rust", check: "cargo --version" }], checks: ["pytest"] };
  const rules = "---\nchecks:\n  - ruff check\n---\n";
  const all = adviceOn({ tasks, front, rules }, { hasProgram, ...setup("npm ci --no-audit") });
  expect(all.map((line) => line.split(". ")[0])).toEqual([
    ".stint/rules:3:5: missing-program: The program ruff is not found on this machine's PATH",
    "plan:5:5: missing-program: The program cargo is not found on this machine's PATH",
    "a:6:5: missing-program: The program pytest is not found on this machine's PATH (also in 2 more commands of the plan)",
  ]);
});

test.each([
  ["uv sync", "uv, which is not on this machine's PATH"],
  ["FORCE=1 pdm install --dev", "pdm, which is not on this machine's PATH"],
  ["cd sub && pip install -r x.txt", "pip, which is not on this machine's PATH"],
  ["timeout 60 uv sync && npm ci", "uv, which is not on this machine's PATH"],
  ["npm ci && uv sync", "uv, which is not on this machine's PATH"],
  ["cd sub && npm ci --no-audit; uv sync", "uv, which is not on this machine's PATH"],
  ["npm ci && pnpm install && uv sync", "uv, which is not on this machine's PATH"],
  ["exec uv sync", "uv, which is not on this machine's PATH"],
  ["npm ci && exec uv sync", "uv, which is not on this machine's PATH"],
])("set-up that cannot start is reported where it is set: %s", (command, what) => {
  expect(adviceOn({ tasks: { a: {} } }, { hasProgram, repoFiles, ...setup(command) })).toEqual([
    `.stint/config.yaml:5:3: missing-program: workspace.setup runs ${what}. Install it, or correct workspace.setup.`,
  ]);
});

test("a set-up script that is not at HEAD is to be committed, not installed", () => {
  const [warning, ...others] = adviceOn(
    { tasks: { a: {} } },
    { hasProgram, repoFiles, ...setup("npm ci && ./setup.sh") },
  );
  expect(others).toEqual([]);
  expect(warning).toBe(
    ".stint/config.yaml:5:3: missing-program: workspace.setup runs ./setup.sh, which is not at HEAD. Commit it, or correct workspace.setup.",
  );
});

test.each([
  "npm ci",
  "npm ci && npm run build",
  "npm ci || uv sync",
  "npm install --global uv && uv sync",
  "npm ci && node install-uv.js && uv sync",
  "npm ci && ./check.sh",
  "exec 2>&1; npm ci",
  "exec >log",
  "exec npm ci",
  "exec -a name npm ci",
  "./check.sh",
  "corepack() { :; }; corepack",
  "test -f x || uv sync",
  "[ -e x ] || uv sync",
  "cd sub && ./run.sh",
])("honest set-up: %s", (command) => {
  expect(adviceOn({ tasks: { a: {} } }, { hasProgram, repoFiles, ...setup(command) })).toEqual([]);
});

test("a path that neither HEAD nor the plan has is reported", () => {
  expect(programs("./scripts/test.sh")).toEqual([
    "a:6:5: missing-program: The program scripts/test.sh is neither at HEAD nor in the files of the task or a dependency. Correct the path, or have workspace.setup create it.",
  ]);
  expect(programs("node_modules/.bin/vitest run")).toHaveLength(1);
  expect(programs({ run: "./run.sh", cwd: "." })[0]).toContain("The program ./run.sh is neither at HEAD ");
});

test("a file of the repo without its folder is not found by a shell", () => {
  expect(programs("gradlew test")).toEqual([
    "a:6:5: missing-program: The program gradlew is not found on this machine's PATH. Write ./gradlew if you mean the file in the repo.",
  ]);
});

test.each([
  "timeout 5 pytest",
  "exec pytest",
  "env CI=1 pytest",
  "CI=1 pytest",
  "! pytest",
  "cd sub && pytest",
  "if pytest; then true; fi",
  "pytest | cat",
  "sh -c 'pytest -q'",
  "python -m pytest",
  "uv run pytest",
])("missing: %s", (run) => {
  expect(programs(run)).toHaveLength(1);
});

test.each([
  "npx vitest run",
  "npm exec vitest",
  "timeout 5 npx vitest",
  "node --test",
  "test -f x && true",
  "[ -e x ]",
  "for f in a b; do node $f; done",
  "command -v pytest",
  "type pytest",
  "$TOOL check",
  "~/bin/tool",
  "PATH=node_modules/.bin:$PATH vitest run",
  "export PATH=$PWD/bin:$PATH; tool",
  "run() { node x; }; run",
  ". .venv/bin/activate && pytest",
  "npm run build && ./dist/cli.js",
  "./check.sh",
  "scripts/ci.sh --fast",
  "cd sub && ./run.sh",
  { run: "./run.sh", cwd: "sub" },
  { run: "vitest run", env: { PATH: "/opt/bin" } },
  "/opt/tool/bin/x",
  "../elsewhere/x",
  "# nothing",
  "cat <<E\npytest\nE",
])("honest: %j", (run) => {
  expect(programs(run)).toEqual([]);
});

test("honest: a program that the task itself or one before it makes", () => {
  const tasks = {
    a: { files: ["bin/a.sh"], checks: ["bin/a.sh"] },
    b: { files: ["src/b.ts"], depends: ["a"], checks: ["./bin/a.sh b"] },
    c: { files: ["tools/**"], checks: ["./tools/x"] },
  };
  expect(adviceOn({ tasks }, { hasProgram, repoFiles })).toEqual([]);
  const { a, b } = tasks;
  expect(adviceOn({ tasks: { a, b: { ...b, depends: [] } } }, { hasProgram, repoFiles })).toHaveLength(1);
});

test("honest: what set-up may bring; but npm ci puts nothing on PATH", () => {
  expect(programs("node_modules/.bin/vitest", setup("npm ci"))).toEqual([]);
  expect(programs("pytest", setup("scripts/ci.sh"))).toEqual([]);
  expect(programs("vitest", setup("npm install --global vitest"))).toEqual([]);
  expect(programs("vitest", setup("npm ci"))).toHaveLength(1);
});

test("honest: where nobody knows the machine, nothing is said of it", () => {
  expect(adviceOnTask({ checks: ["pytest"] })).toEqual([]);
});
