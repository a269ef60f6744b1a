import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { expectCode } from "../../rig/facts.ts";
import { newestJournal } from "../../rig/follow.ts";
import { writes } from "../../rig/moves.ts";
import { makes } from "../../rig/plan.ts";
import { createRig } from "../../rig/rig.ts";

test("The journal is a hash chain as docs/formats/files.md describes it, and run --json prints its very lines.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: { "01-a": [{ print: '","hash":"\u2028\uFFFD"\n' }, ...writes("a.txt")] },
  });

  const run = await rig.stint(["run", "--yes", "--json"]);

  expectCode(run, 0);
  const text = readFileSync(newestJournal(rig.gitDir) ?? "", "utf8");
  expect(run.stdout).toBe(text);
  let prev = "0".repeat(64);
  for (const [index, line] of text.trimEnd().split("\n").entries()) {
    const tail = /,"hash":"([0-9a-f]{64})"\}$/.exec(line);
    const hashed = `${line.slice(0, tail?.index)}}`;
    expect(JSON.parse(line)).toMatchObject({ v: 1, seq: index + 1, prev });
    expect(tail?.[1]).toBe(createHash("sha256").update(hashed).digest("hex"));
    prev = tail?.[1] ?? "";
  }
});
