import { expect, test } from "vitest";
import { commitsOf, expectCode, sessionsOf } from "../rig/facts.ts";
import { writes, type Move, type Moves } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig, type Rig } from "../rig/rig.ts";

/** One task that makes a.txt, whose moves need more than its files. */
async function rigWith(policy: string, moves: Moves): Promise<Rig> {
  const plan = { tasks: { "01-a": makes("a.txt") } };
  return createRig({ plan, config: { run: { scope_requests: policy, attempts: 2 } }, moves });
}

const both = [...writes("a.txt"), ...writes("src/x.txt")];
const done: Move = { report: { status: "done", summary: "Wrote both.", need_files: ["src/x.txt"] } };

test("ask: the run waits with 3 and says what to type; the answer lets the same candidate land.", async () => {
  await using rig = await rigWith("ask", { "01-a": [...both, done] });

  const run = await rig.stint(["run", "--yes"]);

  expectCode(run, 3);
  const question = 'May it also create or change src/x.txt? It says: "Wrote both."';
  expect(run.stdout).toContain(
    `01-a asks: ${question}\n    stint answer 01-a.1 grant\n    stint answer 01-a.1 refuse\n`,
  );
  expect(run.stderr).toContain("Answer the open questions (`stint status` shows the commands), then `stint resume ");
  expect(await rig.status()).toMatchObject({
    state: "waiting",
    tasks: [{ id: "01-a", state: "asking" }],
    questions: [
      {
        ...{ id: "01-a.1", task: "01-a", about: "scope", question },
        ...{ options: ["grant", "refuse"], files: ["src/x.txt"] },
      },
    ],
  });
  const wrong = await rig.stint(["answer", "01-a.1", "maybe"]);
  expectCode(wrong, 2);
  expect(wrong.stderr).toContain("grant, refuse");
  expectCode(await rig.stint(["answer", "01-a.1", "grant"]), 0);
  expectCode(await rig.stint(["resume"]), 0);
  expect(sessionsOf(rig)).toEqual(["01-a 1"]);
  expect(commitsOf(rig)).toEqual(["01-a"]);
});

test("What blocks a task is a question: an answer of several lines reaches the next prompt and inbox.", async () => {
  const stuck: Move = { report: { status: "blocked", reason: "Which colour?" } };
  const looks: Move = { shell: 'grep -q "^Or green" "$STINT_INBOX/answers.md"' };
  await using rig = await rigWith("ask", {
    "01-a": { 1: [stuck], 2: [{ save: "second" }, looks, ...writes("a.txt")] },
  });
  const run = await rig.stint(["run", "--yes"]);
  expectCode(run, 3);
  expect(run.stdout).toContain('01-a asks: Which colour?\n    stint answer 01-a "…"\n');

  expectCode(await rig.stint(["answer", "01-a", "Blue.\nOr green, if blue is gone."]), 0);
  expectCode(await rig.stint(["resume"]), 0);

  expect(rig.saved("second").prompt).toContain("> Which colour?\n\nBlue.\nOr green, if blue is gone.\n");
});
