import { expect, test } from "vitest";
import { rank } from "../../../../src/planning/map/rank.ts";
import { filesOf, order, shop } from "../../../rig/map-files.ts";

test("The file that the others import comes first, and in it the name they use.", async () => {
  const [first] = rank(await filesOf(shop), "");

  expect(first?.file.path).toBe("src/money.ts");
  expect(first?.lines.map(({ name }) => name)).toEqual(["money", "unused"]);
});

test("What the goal names comes before what is used as much, by path and by names, whatever their form.", async () => {
  expect((await order(shop, "Let people log in: the login needs a password")).indexOf("src/c-login.ts")).toBeLessThan(
    2,
  );
  expect((await order(shop, "sign-ins")).indexOf("src/c-login.ts")).toBeLessThan(2);
  expect((await order(shop, "carts")).indexOf("src/b-cart.ts")).toBeLessThan(2);
  expect(await order(shop)).toEqual(["src/money.ts", "src/a-page.ts", "src/b-cart.ts", "src/c-login.ts"]);
});

test("Names count within a family of languages, not across.", async () => {
  const texts = {
    "a.py": "def total(): pass\n",
    "b.go": "package b\nfunc x() { total() }\n",
    "c.rb": "def other\nend\n",
  };

  expect((await order(texts)).indexOf("a.py")).toBe(0);
  expect(await order({ ...texts, "d.rb": "other\nother\n" })).toEqual(["c.rb", "a.py", "b.go", "d.rb"]);
});
