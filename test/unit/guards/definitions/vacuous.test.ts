import { expect, test } from "vitest";
import { isIdle, isTidying, whyVacuous } from "../../../../src/guards/definitions/vacuous.ts";

test.each([
  ["node --test || true", "ends with `true`, whatever came before"],
  ["pytest; :", "ends with `:`, whatever came before"],
  ["pytest & exit 0", "ends with `exit 0`, whatever came before"],
  ["make check | tee log.txt", "ends with `tee log.txt`, whatever came before"],
  ["(npm test || exit 0) && npm run lint", "continues where a command fails"],
  ["mvn verify -DskipTests", "has `-DskipTests`"],
  ["npm run build --if-present", "has `--if-present`"],
  ["python3 -c 'pass' && echo ok", "runs nothing that can fail"],
  ["node --version", "runs nothing that can fail"],
])("`%s` %s.", (line, why) => {
  expect(whyVacuous(line)).toBe(why);
});

test.each([
  "npm test && echo ok",
  "npm test || exit 1",
  "! grep -r TODO src",
  "test -f dist/a.js",
  "echo start; npm test",
  "node -e 'require(\"./a\")'",
  "exit 1",
])("`%s` can be red.", (line) => {
  expect(whyVacuous(line)).toBeUndefined();
});

test("Removing what may not be there is tidying, and hides no failure.", () => {
  expect(isTidying("rm -rf dist || true")).toBe(true);
  expect(isTidying("rm -rf dist && npm test")).toBe(false);
  expect(isTidying("")).toBe(false);
  expect(whyVacuous("rm -rf dist || true")).toBeUndefined();
});

test("A call is idle where it cannot fail; a condition and a failing exit are not.", () => {
  expect([["echo", "a"], ["exit", "0"], ["exit"], ["python3", "-c", "import sys; sys.exit(0)"]].map(isIdle)).toEqual(
    Array(4).fill(true),
  );
  expect(
    [
      ["exit", "1"],
      ["test", "-f", "a"],
      ["[", "a", "]"],
      ["node", "a.js"],
    ].map(isIdle),
  ).toEqual(Array(4).fill(false));
});
