import unittest
from datetime import date

from tally.entries import Entry, parse


class ParseTest(unittest.TestCase):
    def test_reads_day_category_and_cents(self):
        self.assertEqual(parse(["2026-01-30,books,12.5"]), [Entry(date(2026, 1, 30), "books", 1250)])

    def test_names_the_line_that_is_no_entry(self):
        with self.assertRaisesRegex(ValueError, "line 2 is no entry: yesterday,books,1"):
            parse(["2026-01-30,books,1", "yesterday,books,1"])


if __name__ == "__main__":
    unittest.main()
