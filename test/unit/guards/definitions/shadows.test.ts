import { expect, test } from "vitest";
import { guardDefinitions } from "../../../../src/guards/definitions/guard.ts";
import { judged, type Edit, type Given } from "../../../rig/contents.ts";

const whys = async (edits: Record<string, Edit>, more: Partial<Given> = {}) =>
  (await judged(guardDefinitions, { checks: ["pytest"], edits, ...more })).map(({ path, why }) => `${path} ${why}`);

test("A new file that is obeyed instead of the one that was is refused.", async () => {
  expect(
    await whys(
      { GNUmakefile: [null, "test:\n\tnode a.js\n"] },
      { checks: ["make test"], base: { Makefile: "test:\n\tnode --test\n" } },
    ),
  ).toEqual([
    "GNUmakefile was created, but `make test` would use it instead of Makefile, with which the check was approved. Delete it.",
  ]);
  const pytest = (pyproject: string) =>
    whys({ "pytest.ini": [null, "[pytest]\n"] }, { base: { "pyproject.toml": pyproject } });
  expect(await pytest("[tool.pytest.ini_options]\naddopts = '-q'\n")).toHaveLength(1);
  expect(await pytest("[project]\nname = 'a'\n")).toEqual([]);
  expect(await whys({ Makefile: [null, "test:\n\tnode --test\n"] }, { checks: ["make test"] })).toEqual([]);
});
