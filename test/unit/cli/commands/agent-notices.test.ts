import { expect, test } from "vitest";
import { agentNotices } from "../../../../src/cli/commands/agent-notices.ts";
import { cliLimits } from "../../../../src/cli/limits.ts";

const key = { task: "01-a", attempt: 2 };

test("notices and retries of agents are printed with their attempt, neutralised; other events are not", () => {
  const lines: string[] = [];
  const hear = agentNotices((line) => void lines.push(line));
  hear(key, { type: "notice", text: "waits\u{7}" });
  hear(key, { type: "retry", delayMs: 1_600, why: "overloaded" });
  hear(key, { type: "retry", delayMs: null, why: "overloaded" });
  hear(key, { type: "text", text: "I look at the code." });
  expect(lines.map((line) => line.replace(/^\d\d:\d\d:\d\d {2}/, ""))).toEqual([
    "01-a #2 waits\\u{7}",
    "01-a #2 agent retries in 2 s: overloaded",
    "01-a #2 agent retries: overloaded",
  ]);
});

test("a flood of notices ends with a line that says so", () => {
  const lines: string[] = [];
  const hear = agentNotices((line) => void lines.push(line));
  const { agentNoticesShownMax: most } = cliLimits;
  for (let at = 0; at < most + 50; at += 1) hear(key, { type: "notice", text: `n${at}` });
  expect(lines).toHaveLength(most);
  expect(lines.at(-1)).toMatch(new RegExp(`n${most - 1} \\(further notices from agents are not shown\\)$`));
});
