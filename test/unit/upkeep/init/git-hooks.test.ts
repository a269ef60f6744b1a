import { expect, test } from "vitest";
import { readBack, survey } from "../../../rig/init-survey.ts";

test("Git hooks become comments: those of the repository by command, private ones by name.", () => {
  const husky = readBack(survey({ ".husky/pre-commit": "" }, { hooks: { path: ".husky/_", names: ["pre-commit"] } }));
  expect(husky.checks).toEqual([]);
  expect(husky.text).toContain(
    "  # - sh .husky/pre-commit # a hook may check staged files, and a fresh checkout has none\n",
  );
  const own = readBack(survey({ ".githooks/pre-push": "" }, { hooks: { path: ".githooks", names: ["pre-push"] } }));
  expect(own.text).toContain("  # - sh .githooks/pre-push # ");
  const hidden = readBack(survey({}, { hooks: { path: null, names: ["pre-commit", "pre-push.sample"] } }));
  expect(hidden.text).toContain(
    "  # - … # what your hook pre-commit runs; it is not committed, so no fresh checkout has it\n",
  );
  expect(hidden.text).not.toContain("pre-push");
  const managed = survey({ ".pre-commit-config.yaml": "" }, { hooks: { path: null, names: ["pre-commit"] } });
  expect(readBack(managed).text.match(/pre-commit run --all-files|what your hook/g)).toEqual([
    "pre-commit run --all-files",
  ]);
});
