import { expect, test } from "vitest";
import { lossesOf } from "../../../rig/strength.ts";

const isbn = (rows: string) => `import pytest
from isbn import is_isbn10


@pytest.mark.parametrize("text", [${rows}])
def test_valid(text):
    assert is_isbn10(text)
`;
const was =
  'from isbn import is_isbn10\n\n\ndef test_valid():\n    assert is_isbn10("0-306-40615-2")\n\n\ndef test_x():\n    assert is_isbn10("0-8044-2957-X")\n';
const rows = (text: string) => lossesOf({ "tests/test_isbn.py": [was, isbn(text)] });

test.each([
  '"0-306-40615-2", "0306406152", pytest.param("0-8044-2957-X", marks=pytest.mark.xfail(reason="no X"))',
  '"0-306-40615-2", "0306406152", pytest.param("0-8044-2957-X", marks=[pytest.mark.xfail(strict=False)])',
  '"0-306-40615-2", "0306406152", pytest.param("0-8044-2957-X", marks=pytest.mark.skip)',
])("A value that was tested may not be marked away in a table: %s", async (text) => {
  expect(await rows(text)).toEqual([
    "tests/test_isbn.py was changed, but values that were tested are marked to be skipped or to fail",
  ]);
});

test.each([
  '"0-306-40615-2", "0-8044-2957-X", "080442957X"',
  '"0-306-40615-2", "0-8044-2957-X", pytest.param("978-3-16-148410-0", marks=pytest.mark.xfail(reason="ISBN-13"))',
  '"0-306-40615-2", "0-8044-2957-X", pytest.param("0-8044-2957-X", marks=pytest.mark.skipif(sys.platform == "win32", reason="slow"))',
])("A table of all values, and more, is honest: %s", async (text) => {
  expect(await rows(text)).toEqual([]);
});
