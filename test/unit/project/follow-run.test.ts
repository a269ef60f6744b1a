import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { followRun, newEntries } from "../../../src/project/follow-run.ts";
import { pathsOf, runPaths } from "../../../src/project/paths.ts";
import { tempDir } from "../../rig/git.ts";
import { layRun } from "../../rig/project.ts";

function recordedRun() {
  const root = tempDir();
  const paths = pathsOf(root, { HOME: root });
  const run = layRun(paths, "question");
  const own = runPaths(paths, run);
  const lines = readFileSync(own.journal, "utf8").split(/(?<=\n)/);
  return { paths, run, own, lines };
}

const never = new AbortController().signal;

test("a run without a driver is read to its end, and only what is new is shown", async () => {
  const { paths, run, lines } = recordedRun();
  const seen: number[] = [];
  const state = await followRun(
    { paths },
    { run, plan: "work" },
    { after: 10, observe: ({ seq }) => seen.push(seq), isEnough: () => false, signal: never },
  );
  expect(seen).toEqual(Array.from({ length: lines.length - 10 }, (_, index) => index + 11));
  expect(state).toMatchObject({ ok: true, value: { run } });
});

test("what is added while it is followed arrives once, and the follower ends when the state is as wished", async () => {
  const { paths, run, own, lines } = recordedRun();
  writeFileSync(own.journal, lines.slice(0, 5).join(""));
  const seen: number[] = [];
  const state = await followRun(
    { paths },
    { run, plan: "work" },
    {
      after: 0,
      observe: ({ seq }) => {
        seen.push(seq);
        if (seq === 5) appendFileSync(own.journal, lines.slice(5).join(""));
      },
      isEnough: ({ finished }) => finished !== null,
      signal: never,
      waitAlone: true,
    },
  );
  expect(seen).toEqual(lines.map((_, index) => index + 1));
  expect(state.ok && state.value?.finished).not.toBeNull();
});

test("an abort ends a follower that waits, and a damaged journal is a failure", async () => {
  const { own, lines } = recordedRun();
  const abort = new AbortController();
  const batches: number[] = [];
  for await (const batch of newEntries(own, { isLast: () => false, signal: abort.signal })) {
    batches.push(batch.ok ? batch.value.length : -1);
    abort.abort();
  }
  expect(batches).toEqual([lines.length]);
  writeFileSync(own.journal, "no journal\n{}\n");
  for await (const batch of newEntries(own, { isLast: () => true, signal: never })) expect(batch.ok).toBe(false);
});
