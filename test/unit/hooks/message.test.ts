import { expect, test } from "vitest";
import type { RunEvent } from "../../../src/engine/events.ts";
import { matchedName, messageOf } from "../../../src/hooks/message.ts";
import { entry, run } from "../../rig/hooked.ts";

const ofTask = { task: "01-a", attempt: 1 };
const blocked = (kind: string) => ({ type: "task-blocked", kind, why: "", ...ofTask }) as RunEvent;

test("a hook that asks twice for the same event gets it once, under the name it wrote first", () => {
  expect(matchedName({ on: ["limit", "task-blocked", "blocked"] }, blocked("exhausted"))).toBe("task-blocked");
});

test("a message has the journal's line; of one that is too long, the long fields are left out and named", () => {
  const line = entry(7, { type: "task-integrated", commit: "c", ...ofTask });
  const about = { run, plan: "work", name: "task-integrated" };
  expect(messageOf(line, about)).toEqual({
    seq: 7,
    id: `${run}/7`,
    name: "task-integrated",
    body: JSON.stringify({ run, plan: "work", hook: "task-integrated", event: line }),
  });

  const long = entry(8, { type: "stopped", why: "x".repeat(300_000) });
  const { why: _, ...rest } = long as typeof long & { why: string };
  expect(JSON.parse(messageOf(long, { ...about, name: "stopped" }).body)).toEqual({
    run,
    plan: "work",
    hook: "stopped",
    event: rest,
    cut: ["why"],
  });
});
