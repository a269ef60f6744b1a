import { expect, test } from "vitest";
import { prose } from "../src/report/markdown.ts";
import { renderMarkdown } from "../src/report/render-markdown.ts";
import { reportOf } from "../src/report/report-of.ts";
import { factsOf, journaled } from "./rig/report.ts";
import { spec, World } from "./rig/world.ts";

const world = new World([spec("a")]);
world.events.push({ type: "attempt-started", task: "a", attempt: 1, base: "base", role: "executor" });
world.events.push({ type: "task-blocked", task: "a", attempt: 1, kind: "exhausted", why: "it crashed: exit 1" });
const entries = journaled(world.events);
const report = reportOf(entries, factsOf(entries));

test("why a task is blocked is a sentence of its own, before what to do", () => {
  expect(renderMarkdown(report)).toContain(
    "- Task a is blocked: it crashed: exit 1. See the evidence; then give it new attempts, or do it by hand.\n",
  );
});

test("a moment without a driver is no wait; a second is, and so is whatever a person or a limit caused", () => {
  const undriven = { kind: "undriven", why: "no process drove the run", from: 0 };
  const waits = [
    { ...undriven, to: 999 },
    { ...undriven, to: 1000 },
    { kind: "limit", why: "the usage limit", from: 0, to: 10 },
    { kind: "paused", why: "paused by a person", from: 0, to: 20 },
  ];
  const lines = renderMarkdown({ ...report, waits }).split("\n");
  const at = lines.indexOf("## Waits");
  expect(lines.slice(at + 2, at + 6).map((line) => line.replace(/`.*?` [\d.]+ s/, "when"))).toEqual([
    "- when: no process drove the run",
    "- when: limit: the usage limit",
    "- when: paused by a person",
    "",
  ]);
  expect(renderMarkdown({ ...report, waits: waits.slice(0, 1) })).not.toContain("## Waits");
});

test("a number is escaped only where it would begin a list", () => {
  expect(["0.02 USD", "1. one", "2)", "3) x"].map((text) => prose(text))).toEqual([
    "0.02 USD",
    "1\\. one",
    "2\\)",
    "3\\) x",
  ]);
});
