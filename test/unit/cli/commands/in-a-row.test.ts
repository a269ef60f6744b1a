import { expect, test } from "vitest";
import { inARow } from "../../../../src/cli/commands/in-a-row.ts";
import { recordedIo } from "../../../rig/io.ts";

async function row(codes: Readonly<Record<string, number | Error>>, quiet = false) {
  const { io, out, err } = recordedIo();
  const begun: string[] = [];
  const drive = async (name: string) => {
    begun.push(name);
    const end = codes[name] ?? 0;
    if (end instanceof Error) throw end;
    return end;
  };
  const code = await inARow(io, { names: Object.keys(codes), drive, quiet });
  return { code, begun, out, err };
}

test.each([
  [{ a: 0, b: 0 }, 0, ["a", "b"]],
  [{ a: 3, b: 0, c: 4 }, 3, ["a", "b", "c"]],
  [{ a: 0, b: 4, c: 3 }, 4, ["a", "b", "c"]],
  [{ a: 1, b: 0 }, 1, ["a", "b"]],
  [{ a: 3, b: 2, c: 0 }, 3, ["a", "b", "c"]],
  [{ a: 0, b: 5, c: 0 }, 5, ["a", "b"]],
  [{ a: 75, b: 0 }, 75, ["a"]],
  [{ a: 130, b: 0 }, 130, ["a"]],
])("of %j the exit code is %i and %j are started", async (codes, code, begun) => {
  expect(await row(codes)).toMatchObject({ code, begun });
});

test("one that throws is reported and does not stop the next", async () => {
  const { code, begun, out, err } = await row({ a: new Error("no space"), b: 0 });
  expect([code, begun, err]).toEqual([1, ["a", "b"], ["stint: no space"]]);
  expect(out).toEqual(["", "a: failed (exit code 1)", "b: done (exit code 0)"]);
});

test("the end says how each one stands, also those that were not started; with journal lines only, it says nothing", async () => {
  expect((await row({ a: 0, b: 3, c: 5, d: 0 })).out).toEqual([
    "",
    "a: done (exit code 0)",
    "b: waits for a person (exit code 3)",
    "c: budget reached (exit code 5)",
    "d: not started",
  ]);
  expect((await row({ a: 0, b: 3 }, true)).out).toEqual([]);
});
