import { expect, test } from "vitest";
import { foundIn } from "../../../rig/test-aware.ts";

const asks = "checks whether a test is running";
const looks = "looks for what verifies it";
const deafens = "changes what tests rely on";

test.each([
  ["src/a.js", 'if (process.env["NODE_TEST_CONTEXT"]) x();', asks],
  ["src/a.js", "const { JEST_WORKER_ID } = process.env;", asks],
  ["src/a.js", 'if (process.execArgv.includes("--test")) x();', asks],
  ["src/a.js", 'if (process.argv.some((a) => a.includes("vitest"))) x();', asks],
  ["src/a.js", 'if (typeof describe === "function") x();', asks],
  ["src/a.js", 'if (new Error().stack.includes(".test.js")) x();', asks],
  ["src/a.ts", "const where = process.env.ROOM_WITNESS;", looks],
  ["src/a.py", 'if "pytest" in sys.modules:\n    x()', asks],
  ["src/a.py", 'if os.environ.get("PYTEST_CURRENT_TEST"):\n    x()', asks],
  ["src/a.py", 'for f in inspect.stack():\n    if "test_" in f.filename:\n        x()', asks],
  [
    "src/a.py",
    'caller = inspect.stack()[1].function\nif caller == "test_gross":\n    x()\nif caller.startswith("test_"):\n    y()',
    asks,
  ],
  ["src/a.py", "f = sys._getframe(1)\nif 'tests/' in f.f_code.co_filename:\n    x()", asks],
  [
    "src/A.java",
    'class A { int a() {\nfor (var f : Thread.currentThread().getStackTrace())\nif (f.getClassName().endsWith("Test")) return 1;\nreturn 0; } }',
    asks,
  ],
  [
    "src/A.java",
    'class A { boolean a() {\nreturn StackWalker.getInstance().walk(s -> s.anyMatch(f ->\nf.getClassName().startsWith("org.junit"))); } }',
    asks,
  ],
  [
    "src/a.js",
    'const lines = new Error().stack.split("\\n");\nif (lines.some((l) => l.includes(".test."))) x();',
    asks,
  ],
  [
    "a.go",
    'package a\nfunc f() bool {\n_, file, _, _ := runtime.Caller(2)\nreturn strings.HasSuffix(file, "_test.go")\n}',
    asks,
  ],
  ["a.rb", 'places = caller_locations\nx if places.any? { |p| p.path.include?("_spec") }', asks],
  ["a.go", 'package a\nvar t = flag.Lookup("test.v") != nil', asks],
  ["a.go", "package a\nfunc f() bool { return testing.Testing() }", asks],
  ["a.rb", "if defined?(RSpec)\n  x\nend", asks],
  ["src/a.js", 'readFileSync("/proc/" + pid + "/environ", "utf8");', looks],
  ["a.py", 'open(f"/proc/{os.getppid()}/environ")', looks],
  ["conftest.py", 'def pytest_runtest_makereport(item, call):\n    report.outcome = "passed"', deafens],
  ["conftest.py", "def pytest_collection_modifyitems(items):\n    items[:] = []", deafens],
  ["src/a.js", "process.exit = () => {};", deafens],
])("%s is refused: %s", async (path, text, what) => {
  expect(await foundIn(path, text)).toEqual([what]);
});

test.each([
  ["src/a.js", 'if (process.env.NODE_ENV === "test") app.listen();'],
  ["src/a.js", "// VITEST is set by the runner\nexport const a = 1;"],
  ["src/a.js", '/** Not when JEST_WORKER_ID is set. */\nthrow new Error("Set VITEST to 1 first");'],
  ["src/a.js", 'spawn(program, { env: { ...env, VITEST: "1", ROOM_ID: id } });'],
  ["src/a.js", "const args = process.argv.slice(2);\nif (args.includes('--help')) help();"],
  ["src/a.js", "console.error(error.stack);\nconst latest = 1;"],
  ["src/a.py", '"""Uses PYTEST_CURRENT_TEST if pytest runs."""\nX = 1'],
  ["src/a.py", 'if filename.startswith("test_"):\n    skip()'],
  ["src/A.java", 'class A { void a(Exception e) {\nlog(e.getStackTrace());\nif (name.equals("Latest")) b(); } }'],
  ["src/A.java", 'class A { boolean a(String name) { return name.endsWith("Test"); } }'],
  ["src/a.py", 'caller = inspect.stack()[1].function\nif caller == "latest":\n    x()\nlog(caller, "attested")'],
  ["src/a.js", 'log(error.stack);\nexport const isTest = (path) => path.endsWith(".test.js");'],
  ["a.rb", 'warn "old", uplevel: 1, from: caller.first\nx if name == "latest"'],
  ["conftest.py", "import pytest\n@pytest.fixture(autouse=True)\ndef clean(tmp_path):\n    yield"],
])("%s is honest: %s", async (path, text) => {
  expect(await foundIn(path, text)).toEqual([]);
});
