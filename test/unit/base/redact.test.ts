import { execFileSync } from "node:child_process";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { redactor } from "../../../src/base/redact.ts";

const canary = 'cnry-7Kq2/x+V"9zé~Wm4';
const { text, value, stream } = redactor([{ name: "CANARY", value: canary }]);

const bytes = Buffer.from(canary);
const spellings: Readonly<Record<string, string>> = {
  plain: canary,
  json: JSON.stringify({ key: canary }),
  "json within json": JSON.stringify(JSON.stringify({ key: canary })),
  "json in ASCII": String.raw`"cnry-7Kq2/x+V\"9z\u00e9~Wm4"`,
  "json with escaped slashes": String.raw`"cnry-7Kq2\/x+V\"9zé~Wm4"`,
  query: encodeURIComponent(canary),
  "query in small letters": encodeURIComponent(canary).replace(/%../g, (digits) => digits.toLowerCase()),
  path: "cnry-7Kq2/x%2BV%229z%C3%A9~Wm4",
  "small hex": bytes.toString("hex"),
  "capital hex": bytes.toString("hex").toUpperCase(),
  base64: bytes.toString("base64"),
  base64url: bytes.toString("base64url"),
  "base64 after one byte": Buffer.from(`k${canary}\n`).toString("base64"),
  "base64 after two bytes": Buffer.from(`k=${canary}\n`).toString("base64"),
  "base64url after one byte": Buffer.from(`k${canary}, and on`).toString("base64url"),
  "base64url after two bytes": Buffer.from(`k=${canary}, and on`).toString("base64url"),
};

test.each(Object.entries(spellings))("a secret is struck out: %s", (_name, spelling) => {
  const shown = text(`before ${spelling} after`);
  expect(shown).toMatch(/^before .{0,12}\[secret CANARY\].{0,16} after$/);
  // What is left of the spelling around the mark are quotes, names and neighbours, never a run of the secret.
  for (let at = 0; at + 8 <= canary.length; at += 1) expect(shown).not.toContain(canary.slice(at, at + 8));
});

test("what is encoded alone is struck out whole", () => {
  for (const encoding of ["base64", "base64url", "hex"] as const) {
    expect(text(`<${bytes.toString(encoding)}>`)).toBe("<[secret CANARY]>");
  }
});

test("every encoded secret that programs break into lines is struck out, wherever the lines end", () => {
  const long = "sk-Lq8vT2mZr5Yw1Xc9Ub3Nd7Ka4Hs6Jf0GpQeRtWiOoPlMnBvCxZaSdFgHjKkLqWe".repeat(2);
  const redact = redactor([{ name: "LONG", value: long }]);
  const bare = Buffer.from(long).toString("base64").length;
  expect(execFileSync("base64", { input: long }).toString()).toBe(
    `${wrap(Buffer.from(long).toString("base64"), 76)}\n`,
  );
  for (let before = 0; before < 76; before += 1) {
    const around = `${"-".repeat(before)}${long}\n`;
    const encoded = [wrap(Buffer.from(around).toString("base64"), 76), wrap(Buffer.from(around).toString("hex"), 60)];
    for (const wrapped of encoded) {
      for (const written of [wrapped, JSON.stringify(wrapped), JSON.stringify(JSON.stringify(wrapped))]) {
        expect(redact.text(written).match(/\[secret LONG\]/g)).toHaveLength(1);
        expect(redact.text(written).length).toBeLessThan(written.length - bare + 30);
      }
    }
  }
});

function wrap(encoded: string, columns: number): string {
  return encoded.replace(new RegExp(`.{${columns}}(?=.)`, "g"), "$&\n");
}

test("a value is struck out at any depth, in names of fields as well", () => {
  const event = { type: "x", list: [{ [canary]: [`a ${canary}`] }], n: 1, none: null, yes: true };
  expect(value(event)).toEqual({
    type: "x",
    list: [{ "[secret CANARY]": ["a [secret CANARY]"] }],
    n: 1,
    none: null,
    yes: true,
  });
});

test("secrets side by side, over each other and within each other leave nothing", () => {
  const redact = redactor([
    { name: "ONE", value: "abcdefgh1234" },
    { name: "TWO", value: "1234ijklmnop" },
    { name: "OUTER", value: "xx-abcdefgh1234-xx" },
  ]);
  expect(redact.text("abcdefgh12341234ijklmnop")).toBe("[secret ONE][secret TWO]");
  expect(redact.text("<abcdefgh1234ijklmnop>")).toBe("<[secret ONE]>");
  expect(redact.text("<xx-abcdefgh1234-xx>")).toBe("<[secret OUTER]>");
  expect(redact.text("<xx-abcdefgh1234-x>")).toBe("<xx-[secret ONE]-x>");
});

test("text without a secret passes unchanged, byte for byte, however it is cut", () => {
  const almost = fc.constantFrom(
    `${canary.slice(0, -1)}!`,
    `!${canary.slice(1)}`,
    `${bytes.toString("hex").slice(0, -2)}!`,
  );
  const part = fc.oneof(fc.uint8Array({ maxLength: 40 }), almost).map((any) => Buffer.from(any as string));
  fc.assert(
    fc.property(fc.array(part, { maxLength: 10 }), (parts) => {
      const { write, end } = stream();
      const shown = Buffer.concat([...parts.map((chunk) => write(chunk)), end()]);
      return shown.equals(Buffer.concat(parts));
    }),
  );
  fc.assert(
    fc.property(
      fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)) }),
      (plain) => text(plain) === plain,
    ),
  );
});

test("however a text with secrets is cut, the result is the same", () => {
  const pieces = [canary, ...Object.values(spellings), canary.slice(0, 12), "aaaa", "\n", '\\n"', "aaaabbbbccccdddd"];
  const redact = redactor([
    { name: "CANARY", value: canary },
    { name: "RUN", value: "aaaabbbbccccdddd" },
    { name: "OVER", value: "ccccddddaaaabbbb" },
  ]);
  const mixture = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string()), { maxLength: 8 });
  fc.assert(
    fc.property(mixture, fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 30 }), (parts, cuts) => {
      const whole = Buffer.from(parts.join(""));
      const { write, end } = redact.stream();
      const shown: Buffer[] = [];
      for (let at = 0, turn = 0; at < whole.length; turn += 1) {
        const length = turn < cuts.length ? cuts[turn]! : 50;
        shown.push(Buffer.from(write(whole.subarray(at, at + length))));
        at += length;
      }
      expect(Buffer.concat([...shown, end()]).toString()).toBe(redact.text(whole.toString()));
      if (parts.includes(canary)) expect(redact.text(whole.toString())).not.toContain(canary);
    }),
    { numRuns: 500 },
  );
});

test("only what may be the beginning of a secret is held back", () => {
  const { write, end } = stream();
  expect(write(Buffer.from("a line\n")).toString()).toBe("a line\n");
  expect(write(Buffer.from(`a line cnry-7`)).toString()).toBe("a line ");
  expect(write(Buffer.from("x")).toString()).toBe("cnry-7x");
  expect(write(Buffer.from(canary.slice(0, 15))).toString()).toBe("");
  expect(end().toString()).toBe(canary.slice(0, 15));
});

test("a flood of one secret is bounded: what is held back does not grow", () => {
  const redact = redactor([{ name: "RUN", value: "abcdabcdabcd" }]);
  const { write, end } = redact.stream();
  const shown = Array.from({ length: 1000 }, () => write(Buffer.from("abcd".repeat(100))).toString());
  expect(shown.join("") + end().toString()).toBe("[secret RUN]");
});

test("without secrets nothing is changed, copied or held back", () => {
  const { write, end } = redactor([]).stream();
  const chunk = Buffer.from(canary);
  expect(write(chunk)).toBe(chunk);
  expect(end()).toHaveLength(0);
});
