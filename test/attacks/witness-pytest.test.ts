import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { scene } from "../rig/heard.ts";

const hasPytest = spawnSync("python3", ["-m", "pytest", "--version"]).status === 0;
const python = spawnSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" });
const pytest = `${python.stdout.trim()} -m pytest`;
const suite = `
import os, unittest, pytest
from calc import add
@pytest.mark.parametrize("n", [1, 2, 3])
def test_case(n): assert add(n, 0) == n
@pytest.mark.skip
def test_later(): pass
@pytest.mark.xfail
def test_known(): assert False
class TestOld(unittest.TestCase):
    def test_environment(self): self.assertNotIn("ROOM_WITNESS", os.environ)
`;
const files = { "calc.py": "def add(a, b): return a + b\n", "tests/test_calc.py": suite };
const ofSuite = { runner: "pytest", run: 4, skipped: 2, groups: { "tests/test_calc.py": 4 } };
const brokenOff = { code: 0, unended: ["pytest"] };

test.skipIf(!hasPytest)("tests of pytest are heard, and nothing printed changes (needs pytest)", async () => {
  const { hear, plainly } = scene(files);
  const heard = await hear(pytest);
  expect(heard).toMatchObject({ code: 0, tests: [ofSuite], unended: [] });
  expect(times(heard.output)).toBe(times(plainly(pytest).output));
  expect(await hear(`${pytest} -k case`)).toMatchObject({
    code: 0,
    tests: [{ run: 3 }],
    unended: [],
  });
  expect(await hear(`${pytest} --collect-only`)).toMatchObject({ code: 0, tests: [] });
});

function times(output: string): string {
  return output.replaceAll(/in [\d.]+s =*/g, "");
}

test.skipIf(!hasPytest)(
  "code that ends pytest while it is loaded leaves it without an end (needs pytest)",
  async () => {
    const { hear, plainly } = scene({ ...files, "calc.py": "import os\nos._exit(0)\n" });
    expect(plainly(pytest).code).toBe(0);
    expect(await hear(pytest)).toMatchObject({ ...brokenOff, tests: [{ run: 0 }] });
    const shadowed = scene({ ...files, "pytest/__init__.py": "", "pytest/__main__.py": "" });
    expect(await shadowed.hear(pytest)).toMatchObject(brokenOff);
  },
);

const fails = "def test_it(): assert False\n";
const forgeries = {
  "another outcome": `import pytest
@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    outcome.get_result().outcome = "passed"
`,
  "another exit code": "def pytest_sessionfinish(session): session.exitstatus = 0\n",
};

test.skipIf(!hasPytest).each(Object.entries(forgeries))(
  "failures that a conftest.py turns into success are heard: %s (needs pytest)",
  async (_, conftest) => {
    const { hear, plainly } = scene({ "conftest.py": conftest, "test_it.py": fails });
    expect(plainly(pytest).code).toBe(0);
    expect(await hear(pytest)).toMatchObject({ code: 0, failed: 1, unended: [] });
  },
);

test.skipIf(!hasPytest)(
  "a conftest.py that asks pytest to stop with success is no end of it (needs pytest)",
  async () => {
    const conftest = "import pytest\ndef pytest_runtest_setup(item): pytest.exit('done', returncode=0)\n";
    const { hear, plainly } = scene({ "conftest.py": conftest, "test_it.py": fails });
    expect(plainly(pytest).code).toBe(0);
    expect(await hear(pytest)).toMatchObject(brokenOff);
  },
);
