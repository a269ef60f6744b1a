import { expect, test } from "vitest";
import { adviceOnTask } from "../../../../rig/advice.ts";

const body = (lines: number): string => `## Goal\n\nx\n\n## Test plan\n\n${"x\n".repeat(lines)}`;
const paths = (count: number): string[] => Array.from({ length: count }, (_, at) => `src/${at}.ts`);

test("a task of more than 300 lines is reported where it gets too long", () => {
  expect(adviceOnTask({ body: body(300) })).toEqual([
    "a:301:1: long-task: The task has 314 lines; an agent reads up to 300 with care. Split the task, or move what it quotes into source_docs.",
  ]);
  expect(adviceOnTask({ body: body(286) })).toEqual([]);
});

test("more than 12 files are reported at the files, however they are written", () => {
  const said = (count: number): string =>
    `a:3:1: many-files: The task names ${count} files; more than 12 usually mean several tasks. Split it, or name a folder if one change affects all of it.`;
  expect(adviceOnTask({ files: paths(13) })).toEqual([said(13)]);
  expect(adviceOnTask({ files: { create: paths(10), modify: ["lib/{a,b,c,d}.ts"] } })).toEqual([said(14)]);
  expect(adviceOnTask({ files: paths(12) })).toEqual([]);
  expect(adviceOnTask({ files: ["src/**"] })).toEqual([]);
});
