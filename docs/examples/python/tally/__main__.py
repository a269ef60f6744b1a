"""python3 -m tally <entries.csv>: prints the total."""

import sys

from tally.entries import parse


def main(arguments):
    if len(arguments) != 1:
        print("usage: python3 -m tally <entries.csv>", file=sys.stderr)
        return 2
    with open(arguments[0], encoding="utf-8", newline="") as file:
        entries = parse(file)
    print(f"Total: {sum(entry.cents for entry in entries) / 100:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
