import { evidenceLines } from "../evidence-lines.ts";
import type { Loss } from "./compare.ts";
import { placesOf, type FileSide } from "./places.ts";

/** Finds new test files that look like tests and can never fail. */
export function emptyTests(created: readonly FileSide[], after: readonly FileSide[]): Loss[] {
  const places = placesOf(after, () => false);
  return created.flatMap((side) => {
    const mine = places.filter(({ path }) => path === side.path);
    const heard = mine.filter(({ test }) => test.muted === null);
    if (heard.some(({ weight }) => weight.total > 0) || mine.some(({ test }) => mayAssert(test.calls))) return [];
    const { tests } = side.file;
    if (tests.length === 0) return isNamedTest(side) && isSilent(side) ? [loss(side, "it contains no test")] : [];
    return [loss(side, "none of its tests asserts anything that can fail")];
  });
}

/** A helper in a file that did not change may do the asserting. */
function mayAssert(calls: readonly { readonly name: string }[]): boolean {
  return calls.some(({ name }) => /^_*(?:assert|expect|check|verify|ensure|should|must)./i.test(name));
}

const isNamedTest = ({ path }: FileSide): boolean => /[._-](?:test|spec)\.\w+$/.test(path);

/** Whether a file does nothing but talk; whatever else it calls may be a test runner of its own kind. */
function isSilent({ file }: FileSide): boolean {
  return file.helpers.every(({ calls }) =>
    calls.every(({ name }) => /^(?:log|info|warn|error|print|println)$/.test(name)),
  );
}

function loss({ path, file, lines }: FileSide, why: string): Loss {
  const shown = file.tests.length > 0 ? file.tests.map(({ line }) => line) : [1];
  const evidence = evidenceLines(shown.map((line) => ({ sign: "+", line, text: lines[line - 1] ?? "" })));
  return { path, why, evidence };
}
