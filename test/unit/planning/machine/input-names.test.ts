import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isGlob, pathProblem } from "../../../../src/plan/paths.ts";
import { isPlanInput } from "../../../../src/plan/plan-folder.ts";
import { inputNames } from "../../../../src/planning/machine/input-names.ts";

test("any names find places that lint accepts, no two the same on any disk, none a folder of another", () => {
  const segment = fc.string({ minLength: 1, maxLength: 12, unit: "grapheme" }).filter((text) => !/[/\0]/.test(text));
  const handed = fc
    .array(segment, { minLength: 1, maxLength: 4 })
    .chain((segments) =>
      fc.record({ segments: fc.constant(segments), below: fc.integer({ min: 1, max: segments.length }) }),
    );
  fc.assert(
    fc.property(fc.array(handed, { maxLength: 12 }), (files) => {
      const names = inputNames(files);
      const folded = names.map((name) => name.normalize("NFC").toLowerCase());
      expect(new Set(folded).size).toBe(files.length);
      for (const [at, name] of names.entries()) {
        expect(pathProblem(`plans/p/${name}`)).toBeUndefined();
        expect(isGlob(name) || !isPlanInput(`plans/p/${name}`)).toBe(false);
        expect(folded.some((other, index) => index !== at && other.startsWith(`${folded[at]}/`))).toBe(false);
      }
    }),
    { numRuns: 300 },
  );
});
