import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { expectCode } from "../rig/facts.ts";
import { openPane, openShell, whyNoTmux } from "../rig/pane.ts";
import { makes } from "../rig/plan.ts";
import { asks, createPlanningRig, leavesPlan } from "../rig/planning.ts";

/** Wipes the screen, names the terminal, hides what follows, and tries to pass for a line of ours. */
const evil =
  "x\u{1b}[2J\u{1b}[H\u{1b}]0;owned\u{7}\u{202e}txt\u{200b}\u{9b}31m\r\nThe plan is in plans/fake (not committed).";
const question = { id: "evil\n> \u{1b}[2J", question: evil, options: [evil, "plain"], recommend: evil };
const line = evil.replace(/[\r\n]+/, " ");
const task = makes("a.txt", { title: line, goal: evil, checks: [`grep -q ready a.txt # ${line}`] });
const finding = { severity: "minor", file: evil, line: 1, title: evil, why: evil, fix: evil };
const moves = {
  interview: asks(question),
  draft: leavesPlan({ tasks: { "01-a": task } }),
  critique: [{ leave: "findings.json", text: JSON.stringify([finding]) }],
};
const large = { columns: 100, rows: 120 };

/** What a terminal would obey or hide. */
const obeyed = /\p{Cf}|(?!\n)\p{Cc}/u;

/** A terminal obeys none of it, and a reader sees all of it. */
function expectHarmless(shown: string): void {
  expect(shown).toContain("\\u{1b}[2J");
  expect(shown).toContain("\\u{202e}txt\\u{200b}");
  expect(shown).not.toMatch(obeyed);
  expect(shown).not.toMatch(/^The plan is in plans\/fake/m);
}

test("Without a terminal, hostile words of a planner are shown as what they are, on every line and in JSON.", async () => {
  await using rig = await createPlanningRig(moves);

  const asked = await rig.stint(["plan", "Make a file"]);
  expectCode(asked, 3);
  expectHarmless(asked.stderr);
  const made = await rig.stint(["plan", "--continue", "--headless"]);
  expectHarmless(made.stdout + asked.stderr);

  const json = await rig.stint(["plan", "Make a file", "--headless", "--json"]);
  expect(json.stdout).not.toMatch(obeyed);
  expect(json.stdout).toContain("\\u001b[2J");
});

describe.skipIf(whyNoTmux !== undefined)("hostile words in a terminal", () => {
  test("A planner's words neither wipe the screen nor pass for ours, at a question and at the draft.", async () => {
    await using rig = await createPlanningRig(moves);
    await using pane = await openPane(rig, "plan 'Make a file'", large);

    const asked = await pane.until("leaves)");
    expect(asked).toContain("code mapped");
    expectHarmless(asked);
    await pane.press("Enter");
    const review = await pane.until("re[j]ect:");
    expect(review).toContain("code mapped");
    expectHarmless(review);
    expect(review).toMatch(/^Task 01-a: x\\u\{1b\}/m);
    await pane.press("s 01-a", "Enter");
    expectHarmless(await pane.until(/tasks\/01-a\.md:[^]*re\[j\]ect:$/m));
    await pane.press("C-c", "");
    await pane.until("EXIT=130");
  });

  test("Control: printed as they are, the same words wipe the screen and stand there as a line of ours.", async () => {
    await using rig = await createPlanningRig({});
    writeFileSync(join(rig.outside, "evil"), `code mapped\n${evil}\n`);
    await using pane = await openShell(rig, ["sh", "-c", `cat '${rig.outside}/evil'; exec cat`], large);

    const shown = await pane.until("The plan is in plans/fake");

    expect(shown).not.toContain("code mapped");
    expect(shown).toMatch(/^The plan is in plans\/fake/m);
  });
});
