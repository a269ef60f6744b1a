import * as fc from "fast-check";
import { expect, test } from "vitest";
import { nextToAsk, type Answer } from "../../../src/checks/next-commit.ts";

/** Searches commits whose truth is known, and counts what was asked. */
function search(truth: readonly Answer[]) {
  const answers = new Map<number, Answer>([
    [0, "green"],
    [truth.length - 1, "red"],
  ]);
  const asked: number[] = [];
  for (;;) {
    const next = nextToAsk(answers);
    if (next.kind === "ended") return { ...next, asked };
    asked.push(next.at);
    answers.set(next.at, truth[next.at] ?? "unknown");
    if (asked.length > truth.length) throw new Error("the search does not end");
  }
}

const middle = (answers: readonly Answer[]) =>
  fc.array(fc.constantFrom(...answers), { maxLength: 60 }).map((some): Answer[] => ["green", ...some, "red"]);

test("the first of two commits is to blame without a question", () => {
  expect(search(["green", "red"])).toEqual({ kind: "ended", green: 0, red: 1, asked: [] });
});

test("a check that turned red once is traced in as many questions as the range can be halved", () => {
  fc.assert(
    fc.property(fc.nat(100), fc.nat(100), (before, after) => {
      const truth: Answer[] = [
        "green",
        ...Array<Answer>(before).fill("green"),
        ...Array<Answer>(after).fill("red"),
        "red",
      ];
      const { green, red, asked } = search(truth);
      expect([green, red]).toEqual([before, before + 1]);
      expect(asked.length).toBeLessThanOrEqual(Math.ceil(Math.log2(truth.length - 1)));
    }),
  );
});

test("however often a check changed, a found pair are neighbours of which the first is green and the second red", () => {
  fc.assert(
    fc.property(middle(["green", "red"]), (truth) => {
      const { green, red } = search(truth);
      expect(red).toBe(green + 1);
      expect([truth[green], truth[red]]).toEqual(["green", "red"]);
    }),
  );
});

test("commits that cannot be asked are passed over; no commit is asked twice; between the ends nothing is left to ask", () => {
  fc.assert(
    fc.property(middle(["green", "red", "unknown"]), (truth) => {
      const { green, red, asked } = search(truth);
      expect(new Set(asked).size).toBe(asked.length);
      expect([truth[green], truth[red]]).toEqual(["green", "red"]);
      expect(truth.slice(green + 1, red).every((answer) => answer === "unknown")).toBe(true);
    }),
  );
});

test("a search without a green commit before a red one is a mistake of its caller", () => {
  expect(() => nextToAsk(new Map([[3, "red"]]))).toThrow("Internal error");
  expect(() =>
    nextToAsk(
      new Map([
        [1, "red"],
        [2, "green"],
      ]),
    ),
  ).toThrow("Internal error");
});
