import { spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scene } from "../rig/heard.ts";

const hasPython = spawnSync("python3", ["--version"]).status === 0;
const suite = `
import os, unittest
from calc import add
class Adds(unittest.TestCase):
    def test_one(self): self.assertEqual(add(1, 2), 3)
    def test_parts(self):
        for n in (1, 2):
            with self.subTest(n=n): self.assertEqual(add(n, 0), n)
    @unittest.skip("later")
    def test_later(self): pass
    @unittest.expectedFailure
    def test_known(self): self.fail()
    def test_environment(self): self.assertFalse({"ROOM_WITNESS", "PYTHONPATH"} & set(os.environ))
if __name__ == "__main__": unittest.main()
`;
const files = { "calc.py": "def add(a, b): return a + b\n", "test_calc.py": suite };
const ofSuite = { runner: "unittest", run: 3, skipped: 2, groups: { "test_calc.py": 3 } };

test.skipIf(!hasPython)(
  "tests of unittest are heard, by module and by file, and nothing printed changes (needs python3)",
  async () => {
    const { hear, plainly } = scene(files);
    for (const command of ["python3 -m unittest", "python3 test_calc.py"]) {
      const heard = await hear(command);
      expect(heard).toMatchObject({ code: 0, tests: [ofSuite], unended: [] });
      expect(times(heard.output)).toBe(times(plainly(command).output));
    }
  },
);

function times(output: string): string {
  return output.replaceAll(/[\d.]+s\b/g, "");
}

test.skipIf(!hasPython)(
  "code that ends the process, a module in the runner's place and failures without their exit code leave unittest without an end (needs python3)",
  async () => {
    const quits = scene({ ...files, "calc.py": "import os\nos._exit(0)\n" });
    expect(quits.plainly("python3 -m unittest").code).toBe(0);
    for (const command of ["python3 -m unittest", "python3 test_calc.py"])
      expect(await quits.hear(command)).toMatchObject({ code: 0, tests: [{ run: 0 }], unended: ["unittest"] });
    const shadowed = scene({ ...files, "unittest/__init__.py": "", "unittest/__main__.py": "" });
    expect(await shadowed.hear("python3 -m unittest")).toMatchObject({ code: 0, unended: ["unittest"] });
    const fails = suite.replace("if __name__", "import atexit; atexit.register(os._exit, 0)\nif __name__");
    const forged = scene({ "calc.py": "def add(a, b): return 0\n", "test_calc.py": fails });
    expect(await forged.hear("python3 -m unittest")).toMatchObject({ code: 0, failed: 2, unended: [] });
  },
);

test.skipIf(!hasPython)(
  "a project's own PYTHONPATH and sitecustomize still count, and the witness with them (needs python3)",
  async () => {
    const { "calc.py": calc, "test_calc.py": text } = files;
    const own = "import builtins\nbuiltins.own = True\n";
    const test = text.replace("from calc", "assert own\nfrom calc").replace(', "PYTHONPATH"', "");
    const { hear } = scene({ "lib/calc.py": calc, "lib/sitecustomize.py": own, "test_calc.py": test });
    const heard = { code: 0, tests: [ofSuite], unended: [] };
    expect(await hear("PYTHONPATH=lib python3 -m unittest")).toMatchObject(heard);
    expect(await hear("python3 -m unittest", { PYTHONPATH: "lib" })).toMatchObject(heard);
  },
);

test.skipIf(!hasPython)(
  "a program that looks for the next python3 in PATH finds it, not the witness (needs python3)",
  async () => {
    const others = 'PATH=$(echo "$PATH" | sed "s#[^:]*/managed:##")';
    const manager = `#!/bin/sh\nnext=$(${others}; command -v python3)\nexec "$next" "$@"\n`;
    const { dir, hear } = scene({ ...files, "managed/python3": manager });
    chmodSync(join(dir, "managed/python3"), 0o755);
    const env = { PATH: `${join(dir, "managed")}:${process.env["PATH"] ?? ""}` };
    expect(await hear("PYTHONPATH=. timeout 20 python3 test_calc.py -k one", env)).toMatchObject({
      code: 0,
      tests: [{ run: 1 }],
    });
  },
);

test.skipIf(!hasPython)("a Python that runs no test is heard by nobody (needs python3)", async () => {
  const { hear } = scene(files);
  expect(await hear("python3 -c 'import unittest; print(1)' && python3 -m unittest --help >/dev/null")).toEqual({
    code: 0,
    output: "1\n",
    tests: [],
    unended: [],
    failed: 0,
    names: { failing: [], others: [] },
  });
});
