"""Entries of a CSV file."""

import csv
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True)
class Entry:
    day: date
    category: str
    cents: int


def parse(lines):
    """Reads `day,category,amount` lines; a wrong one is a ValueError that names its line."""
    entries = []
    for number, row in enumerate(csv.reader(lines), start=1):
        try:
            day, category, amount = row
            whole, _, fraction = amount.partition(".")
            cents = int(whole) * 100 + int(fraction.ljust(2, "0") or 0)
            entries.append(Entry(date.fromisoformat(day), category, cents))
        except ValueError as error:
            raise ValueError(f"line {number} is no entry: {','.join(row)}") from error
    return entries
