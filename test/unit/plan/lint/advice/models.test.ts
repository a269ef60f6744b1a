import { expect, test } from "vitest";
import { adviceOn, adviceOnTask } from "../../../../rig/advice.ts";

const said = (name: string): string =>
  `model-name: "${name}" is the name of a model. Name the role instead (planner, executor, reviewer, judge, escalation); .stint/config.yaml sets its model. If the code itself is about that model, put its name in backticks.`;

test("the name of a model is reported in the plan, the rules and the tasks, where it stands", () => {
  const tasks = { a: { title: "Let gpt-4o round VAT", body: "## Goal\n\nUse Sonnet 4.5.\n\n## Test plan\n\nx" } };
  const front = { goal: "Let Claude Opus plan" };
  const rules = "---\npush: never\n---\nAsk the haiku model first.\n";
  expect(adviceOn({ tasks, front, rules, overview: "By Gemini 2.5 Pro." })).toEqual([
    `.stint/rules:4:9: ${said("haiku model")}`,
    `plan:4:1: ${said("Claude Opus")}`,
    `plan:9:4: ${said("Gemini 2.5")}`,
    `a:2:1: ${said("gpt-4o")}`,
    `a:11:5: ${said("Sonnet 4.5")}`,
  ]);
});

const inGoal = (goal: string): string[] => adviceOnTask({ body: `## Goal\n\n${goal}\n\n## Test plan\n\nx` });

test.each(
  "GPT-5|gpt4|claude-3-5-sonnet|Claude 4|opus 4|Llama 3.1|llama3|Qwen2.5-coder|deepseek-v3|DeepSeek R1|o3-mini|grok 4|the opus model|Mixtral 8x7B".split(
    "|",
  ),
)("Use %s.", (name) => {
  expect(inGoal(`Use ${name}.`).map((line) => line.split(" ")[1])).toEqual(["model-name:"]);
});

test.each([
  "Encode with Opus 1.3 at 48 kHz.",
  "Print a haiku, then a sonnet.",
  "Runs with claude, codex or gemini.",
  "Send `gpt-4o` as the value of `model`.",
  '```json\n{ "model": "gpt-4o" }\n```',
  "The user model has an id.",
  "GPT partitions are read.",
  "Grok patterns parse the log.",
  "Set o1 to the first offset.",
])("honest: %s", (goal) => {
  expect(inGoal(goal)).toEqual([]);
});
