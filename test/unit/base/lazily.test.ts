import { expect, test } from "vitest";
import { lazily } from "../../../src/base/lazily.ts";

interface Thing {
  near: number;
  far: string;
  list: string[];
}

function thing() {
  let asked = 0;
  const whole = lazily<Thing>({ near: 1 }, () => {
    asked += 1;
    return { far: "away", list: ["a"] };
  });
  return { whole, asked: () => asked };
}

test("what is at hand is read without the rest; the rest is fetched once, by whatever needs it", () => {
  const { whole, asked } = thing();
  expect([whole.near, asked()]).toEqual([1, 0]);
  expect([whole.far, whole.list, asked()]).toEqual(["away", ["a"], 1]);
  for (const use of [
    (one: Thing) => Object.keys(one),
    (one: Thing) => "far" in one,
    (one: Thing) => ({ ...one }),
    (one: Thing) => JSON.stringify(one),
    (one: Thing) => Object.getOwnPropertyDescriptor(one, "far"),
    (one: Thing) => (one.near = 2),
    (one: Thing) => Reflect.deleteProperty(one, "far"),
  ]) {
    const fresh = thing();
    use(fresh.whole);
    expect(fresh.asked(), String(use)).toBe(1);
  }
});

test("it is like a plain object with all the fields, also after it was changed", () => {
  const plain = { near: 1, far: "away", list: ["a"] };
  expect(thing().whole).toStrictEqual(plain);
  expect({ ...thing().whole }).toStrictEqual(plain);
  const { whole } = thing();
  whole.far = "here";
  whole.list.push("b");
  Object.assign(whole, { near: 2 });
  expect(whole).toStrictEqual({ near: 2, far: "here", list: ["a", "b"] });
  Reflect.deleteProperty(whole, "far");
  expect(Object.keys(whole)).toEqual(["near", "list"]);
});
