import { expect, test } from "vitest";
import { withCure } from "../../../src/run/opened-run.ts";

const run = { run: "20261116-103103-work-ab12", plan: "work", number: 2 };

test("an error that says how to resume stays as it is, and one without a cure gets it", () => {
  expect(withCure("Fix it, then run `stint resume other#1`.", run)).toBe("Fix it, then run `stint resume other#1`.");
  expect(withCure("It broke.\n", run)).toBe(
    "It broke.\nNothing in the journal is lost. Fix that, then run `stint resume work#2`.",
  );
});
