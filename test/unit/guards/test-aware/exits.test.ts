import { expect, test } from "vitest";
import { foundIn } from "../../../rig/test-aware.ts";

test.each([
  ["src/a.js", "export const a = 1;\nprocess.exit(0);"],
  ["src/a.js", "module.exports = {};\nsetTimeout(() => process.exit(0), 1);"],
  ["src/a.js", 'exports.a = 1;\nprocess.on("exit", () => { process.exitCode = 0 });'],
  ["src/a.js", "export const a = 1;\n(() => { process.exit(); })();"],
  ["a.py", "import os\ndef f():\n    return 1\nos._exit(0)"],
  ["a.py", "import sys\nX = 1\nif X:\n    sys.exit(0)"],
  ["a.go", "package a\nfunc init() { os.Exit(0) }"],
  ["src/A.java", "class A {\n  static { System.exit(0); }\n}"],
])("A module that ends the program while it is loaded is refused, %s: %s", async (path, text) => {
  expect(await foundIn(path, text)).toEqual(["ends the program with success as soon as it is loaded"]);
});

test.each([
  ["src/a.js", "export function fail() { process.exit(0); }"],
  ["src/a.js", "export const a = 1;\nprocess.exit(1);"],
  [
    "src/a.js",
    "export const main = () => 1;\nif (import.meta.url === pathToFileURL(process.argv[1]).href) process.exit(0);",
  ],
  ["src/a.js", "module.exports = main;\nif (require.main === module) { main(); process.exit(0); }"],
  ["bin/tool.js", "export const a = 1;\nprocess.exit(0);"],
  ["src/tool.js", "#!/usr/bin/env node\nexport const a = 1;\nprocess.exit(0);"],
  ["src/once.js", "run().then(() => process.exit(0));"],
  ["src/a.py", 'def main():\n    sys.exit(0)\nif __name__ == "__main__":\n    sys.exit(0)'],
  ["src/a.py", "print('one')\nsys.exit(0)"],
  ["a.go", "package main\nfunc main() { os.Exit(0) }"],
  ["src/A.java", "class A {\n  public static void main(String[] a) { System.exit(0); }\n}"],
  ["src/A.java", "class A {\n  static { if (!ok()) System.exit(1); }\n}"],
])("An end that nobody meets by loading the file is honest, %s: %s", async (path, text) => {
  expect(await foundIn(path, text)).toEqual([]);
});
