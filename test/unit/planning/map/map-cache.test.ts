import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { FileFacts } from "../../../../src/planning/map/facts.ts";
import { cacheKey, openMapCache } from "../../../../src/planning/map/map-cache.ts";

const facts: FileFacts = {
  symbols: [{ name: "f", isOpen: true, line: 1, depth: 0, signature: "function f(é\t😀)" }],
  words: "f é",
  imports: ["./a.ts"],
  isMade: false,
};

test("What one map keeps is what the next one finds; a text-free blob is known as such, and others are unknown.", async () => {
  using folder = scratch();
  await (
    await openMapCache(folder.path)
  ).replace(
    new Map([
      ["a.ts", facts],
      ["b.bin", null],
    ]),
  );

  const next = await openMapCache(folder.path);

  expect([next.get("a.ts"), next.get("b.bin"), next.get("c.ts")]).toEqual([facts, null, undefined]);
  expect(statSync(join(folder.path, "map", "facts.jsonl")).mode & 0o777).toBe(0o600);
});

test("What a map does not need any more is gone after it, and no temporary file stays.", async () => {
  using folder = scratch();
  const cache = await openMapCache(folder.path);
  await cache.replace(new Map([["old.ts", facts]]));
  await cache.replace(new Map([["new.ts", facts]]));

  expect((await openMapCache(folder.path)).get("old.ts")).toBeUndefined();
  expect(readdirSync(join(folder.path, "map"))).toEqual(["facts.jsonl"]);
});

test("A line that somebody appended makes all of it unknown.", async () => {
  using folder = scratch();
  await (await openMapCache(folder.path)).replace(new Map([["a.ts", facts]]));
  appendFileSync(join(folder.path, "map", "facts.jsonl"), `b.ts\t${JSON.stringify(facts)}\n`);

  const next = await openMapCache(folder.path);

  expect([next.get("a.ts"), next.get("b.ts")]).toEqual([undefined, undefined]);
});

test("The key has the kind of the name, in lower case: other rules read the same bytes under another one.", () => {
  expect(cacheKey("0a", "src/A.TS")).toBe("0a.ts");
  expect(cacheKey("0a", "Makefile")).toBe("0a");
  expect(cacheKey("0a", "a.md")).not.toBe(cacheKey("0a", "a.txt"));
});

function scratch(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), "stint-map-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}
