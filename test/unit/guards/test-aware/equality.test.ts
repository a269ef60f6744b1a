import { expect, test } from "vitest";
import { foundIn } from "../../../rig/test-aware.ts";

test.each([
  ["a.py", "class A:\n    def __eq__(self, other):\n        return True"],
  ["a.py", "class A:\n    __eq__ = lambda self, other: 1"],
  ["a.py", "class A:\n    def __eq__(self, other):\n        return not None"],
  ["A.java", "class A { public boolean equals(Object o) { return true; } }"],
  ["a.py", "class A(str):\n    def __eq__(self, other):\n        return isinstance(other, str)"],
  ["a.py", 'class A:\n    def __ne__(self, other):\n        """Never."""\n        return False'],
  ["A.java", "class A { public boolean equals(Object o) { return o != null; } }"],
  ["a.go", "package a\nfunc (a A) Equal(b A) bool { return true }"],
  ["src/a.rs", "impl PartialEq for A {\n    fn eq(&self, _: &A) -> bool { true }\n}"],
  ["a.rb", "class A\n  def ==(other)\n    true\n  end\nend"],
  ["src/a.js", "export class A { asymmetricMatch() { return true; } }"],
])("An object that equals everything is refused, %s: %s", async (path, text) => {
  expect(await foundIn(path, text)).toEqual(["makes objects that equal everything"]);
});

test.each([
  ["src/a.py", "class A:\n    def __eq__(self, other):\n        return True if self.x == other.x else False"],
  ["src/b.py", "class A:\n    def __eq__(self, other):\n        return self.x == other.x"],
  ["src/c.py", "class A:\n    def __eq__(self, other):\n        return (\n            self.x == other.x\n        )"],
  ["src/d.py", "class A:\n    def __eq__(self, other):\n        return NotImplemented"],
  ["src/e.py", "class A:\n    __eq__ = lambda self, other: self.x == other.x"],
  ["src/a.js", "export class A { equals(other) { return other.id === this.id; } }"],
  ["a.py", "class Nothing:\n    def __eq__(self, other):\n        return isinstance(other, Nothing)"],
  ["a.py", "class A:\n    def __eq__(self, other):\n        return False"],
  ["A.java", "class A { public boolean equals(Object o) { return o instanceof A; } }"],
  ["a.go", "package a\nfunc (a A) Equal(b A) bool { return a.x == b.x }"],
  ["src/a.rs", "impl PartialEq for A {\n    fn eq(&self, o: &A) -> bool { self.x == o.x }\n}"],
])("An honest equality passes, %s: %s", async (path, text) => {
  expect(await foundIn(path, text)).toEqual([]);
});
