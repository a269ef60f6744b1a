import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isBehind } from "../../../src/hooks/cursor.ts";
import type { RunEntry } from "../../../src/hooks/run-entry.ts";
import { createHooked, entry, integrated, quick, unhurried } from "../../rig/hooked.ts";
import { createReceiver, type Receiver } from "../../rig/receiver.ts";

const on = ["task-integrated"];
const seqs = ({ received }: Receiver) =>
  received.map(({ headers }) => Number(String(headers["stint-event"]).split("/")[1]));
const other = (seq: number) => entry(seq, { type: "paused", command: "x" });

test("what was journaled and not delivered is delivered by the next driver, and nothing twice", async () => {
  using hooked = createHooked();
  await using receiver = await createReceiver();
  const journal: RunEntry[] = [other(1), integrated(2)];
  const first = hooked.open([{ on, webhook: receiver.url }]);
  journal.forEach((line) => first.hear(line));
  await receiver.until(1);
  await first.end(unhurried);
  // Journaled by a driver that died before it told anybody, and by a command while nobody drove.
  journal.push(integrated(3), other(4), integrated(5));

  const second = hooked.open([{ on, webhook: receiver.url }], { entries: journal });
  second.hear(integrated(6));
  await second.end(unhurried);
  expect(seqs(receiver)).toEqual([2, 3, 5, 6]);

  const third = hooked.open([{ on, webhook: receiver.url }], { entries: [...journal, integrated(6)] });
  await third.end(unhurried);
  expect(seqs(receiver)).toEqual([2, 3, 5, 6]);
});

test("a hook that no driver knew, or that was changed, hears from now on", async () => {
  using hooked = createHooked();
  await using receiver = await createReceiver();
  const entries = [integrated(1), integrated(2)];
  const hooks = hooked.open([{ on: [...on, "done"], webhook: receiver.url }], { entries });
  hooks.hear(integrated(3));
  await hooks.end(unhurried);
  expect(seqs(receiver)).toEqual([3]);
});

test.each(["", "{", '{"x":"y"}', "[1]", "null"])("a cursor that reads %j is begun again", async (text) => {
  using hooked = createHooked();
  await using receiver = await createReceiver();
  writeFileSync(join(hooked.dir, "hooks.json"), text);
  const hooks = hooked.open([{ on, webhook: receiver.url }], { entries: [integrated(1)] });
  hooks.hear(integrated(2));
  await hooks.end(unhurried);
  expect(seqs(receiver)).toEqual([2]);
});

test("whether a run's hooks may have missed something is known without opening it", async () => {
  using hooked = createHooked();
  await using receiver = await createReceiver();
  expect(isBehind(hooked.dir, 9)).toBe(false);
  const hooks = hooked.open([{ on, webhook: receiver.url }], { times: { ...quick, drainMs: 30_000 } });
  hooks.hear(integrated(1));
  hooks.hear(other(2));
  expect(isBehind(hooked.dir, 2)).toBe(true);
  await hooks.end(unhurried);
  expect(isBehind(hooked.dir, 2)).toBe(false);
  expect(isBehind(hooked.dir, 3)).toBe(true);
});

test("without hooks nothing is written, and what earlier ones left is removed", async () => {
  using hooked = createHooked();
  await using receiver = await createReceiver();
  await hooked.open([{ on, webhook: receiver.url }]).end(unhurried);
  expect(readFileSync(join(hooked.dir, "hooks.json"), "utf8")).toMatch(/^\{"[0-9a-f]{16}":0\}\n$/);
  const none = hooked.open([]);
  none.hear(integrated(1));
  await none.end(unhurried);
  expect(existsSync(join(hooked.dir, "hooks.json"))).toBe(false);
  expect(existsSync(join(hooked.dir, "hooks.log"))).toBe(false);
});
