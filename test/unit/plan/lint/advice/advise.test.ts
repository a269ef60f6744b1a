import { describe, expect, test } from "vitest";
import { adviceOn, adviceOnTask, type AdvisedTask } from "../../../../rig/advice.ts";

test("a task that says what, how it is tested and what runs it needs no advice", () => {
  expect(adviceOnTask({ estimate: "30m" })).toEqual([]);
});

describe("estimate", () => {
  test("outside 15m to 60m is told at its key, with which way to go", () => {
    expect(adviceOnTask({ estimate: "5m" })).toEqual([
      "a:7:1: estimate: The estimate of 5m is outside 15m to 60m. Merge the task with a neighbour.",
    ]);
    expect(adviceOnTask({ estimate: "90m" })).toEqual([
      "a:7:1: estimate: The estimate of 1h 30m is outside 15m to 60m. Split the task.",
    ]);
    expect(["15m", "60m", "1h"].flatMap((estimate) => adviceOnTask({ estimate }))).toEqual([]);
  });
});

describe("vague-title", () => {
  const vague = (title: string): string[] => adviceOnTask({ title }).map((line) => line.split(" ")[1] ?? "");

  test("is told with an example of a better one", () => {
    expect(adviceOnTask({ title: "Fix stuff" })).toEqual([
      'a:2:1: vague-title: The title "Fix stuff" does not say what changes. Write it so that a search finds the commit, such as "Round VAT half up".',
    ]);
  });

  test.each(
    "Fix stuff|Update code|Misc|Misc.|Improvements|Various fixes|Refactor|Auth|Logging|Clean up|Clean-up the code|Add tests|Fix bugs|More work|WIP|Do it|Final changes|Minor tweaks and fixes|…".split(
      "|",
    ),
  )("%s", (title) => {
    expect(vague(title)).toEqual(["vague-title:"]);
  });

  test.each(
    "Fix login|Round VAT half up|Update dependencies|Add tests of the parser|Do 01-a|Refactor auth.ts|README.md|Datenbankmigration vorbereiten|添加用户登录|Войти|Warenkorbberechnung|Delete users|Support IPv6|#1234|Fix #12".split(
      "|",
    ),
  )("honest: %s", (title) => {
    expect(vague(title)).toEqual([]);
  });
});

describe("weak-checks", () => {
  const said =
    "weak-checks: No check of this task runs the code it writes: they only look at files, print, or ask a judge. Add a run check that fails while the behaviour is missing, such as its tests.";
  const contains = { contains: { file: "src/a.ts", text: "x" } };

  test("is told at the checks", () => {
    expect(adviceOnTask({ checks: [{ exists: "src/a.ts" }] })).toEqual([`a:5:1: ${said}`]);
  });

  test.each([
    [[{ exists: "src/a.ts" }, contains, { absent: "src/old.ts" }]],
    [["test -f src/a.ts"]],
    [["true"]],
    [["echo done && ls src | grep a.ts"]],
    [["! grep -q TODO src/a.ts"]],
    [["[ -s src/a.ts ] || exit 1"]],
    [['test "$(cat src/a.ts | wc -l)" -gt 3']],
    [[contains, { judge: "Is it good?" }]],
    [["cd src && grep -q a a.ts"]],
    [["if test -e src/a.ts; then true; else exit 1; fi"]],
  ])("%j", (checks) => {
    expect(adviceOnTask({ checks }).map((line) => line.split(" ")[1])).toEqual(["weak-checks:"]);
  });

  test.each<readonly [string, AdvisedTask]>([
    ["one of them runs something", { checks: [{ exists: "src/a.ts" }, "node --test"] }],
    ["what is looked at was made by running the code", { checks: ["node src/a.ts | grep -x 25.69"] }],
    ["the same within quotes", { checks: ['test "$(node src/a.ts)" = 42'] }],
    ["the same in backticks", { checks: ['test "`node src/a.ts`" = 42'] }],
    ["a regression check runs it", { checks: [contains, { run: "npm test", red: false }] }],
    ["prose has no behaviour", { files: ["README.md", "docs/**"], checks: [contains] }],
    ["nor has a picture or a translation", { files: ["logo.svg", "locales/**"], checks: [contains] }],
    ["what is deleted is absent", { files: { delete: ["src/old.ts"] }, checks: [{ absent: "src/old.ts" }] }],
    ["a script of the repo may do anything", { checks: ["./check.sh"] }],
  ])("honest: %s", (_, task) => {
    expect(adviceOnTask(task)).toEqual([]);
  });
});

describe("nothing-red", () => {
  test("is told once, at the checks, and not as weak besides", () => {
    const checks = [{ run: "npm test", red: false }, { exists: "src/a.ts", red: false }, { judge: "Is it good?" }];
    expect(adviceOnTask({ checks })).toEqual([
      "a:5:1: nothing-red: No check of this task has to fail before the work: each is marked red: false or is a question for a judge, so a run would consider the task done without doing it. Remove red: false from a check that only the work makes pass, or add such a check.",
    ]);
  });

  test("honest: one check that has to be red is enough", () => {
    expect(adviceOnTask({ checks: [{ run: "npm test", red: false }, "node --test a"] })).toEqual([]);
  });
});

describe("no-test-plan", () => {
  test("a missing one is told at the files, an empty one at its heading", () => {
    const cure = "Say which cases its tests cover, and in which files.";
    expect(adviceOnTask({ body: "## Goal\n\nIt is rounded." })).toEqual([
      `a:3:1: no-test-plan: The task writes code and has no "## Test plan". ${cure}`,
    ]);
    expect(adviceOnTask({ body: "## Goal\n\nx\n\n## Test Plan\n<!-- later -->\n\n## Steps\n\nx" })).toEqual([
      `a:13:1: no-test-plan: The section "## Test Plan" is empty. ${cure}`,
    ]);
  });

  test.each<readonly [string, AdvisedTask]>([
    ["prose needs none", { files: ["README.md"], checks: [{ exists: "README.md" }] }],
    ["nor do settings", { files: ["tsconfig.json", "deploy.yaml", "Makefile"] }],
    ["nor does what is deleted", { files: { delete: ["src/a.ts"] } }],
    ["nor do the tests themselves", { files: { create: ["test/a.test.ts", "src/b.spec.tsx"] } }],
    ["another heading about tests does as well", { body: "## Goal\n\nx\n\n## Tests\n\nHalf a cent." }],
    ["and so does a list in a fence", { body: "## Goal\n\nx\n\n## Test plan\n\n```\nhalf a cent\n```" }],
  ])("honest: %s", (_, { body = "## Goal\n\nx", ...task }) => {
    expect(adviceOnTask({ body, ...task })).toEqual([]);
  });
});

describe("long-task and many-files", () => {
  const body = (lines: number): string => `## Goal\n\nx\n\n## Test plan\n\n${"x\n".repeat(lines)}`;
  const paths = (count: number): string[] => Array.from({ length: count }, (_, at) => `src/${at}.ts`);

  test("a task of more than 300 lines is told where it gets too long", () => {
    expect(adviceOnTask({ body: body(300) })).toEqual([
      "a:301:1: long-task: The task has 314 lines; an agent reads up to 300 with care. Split the task, or move what it quotes into source_docs.",
    ]);
    expect(adviceOnTask({ body: body(286) })).toEqual([]);
  });

  test("more than 12 files are told at the files, however they are written", () => {
    const said = (count: number): string =>
      `a:3:1: many-files: The task names ${count} files; more than 12 usually mean several tasks. Split it, or name a folder if one change affects all of it.`;
    expect(adviceOnTask({ files: paths(13) })).toEqual([said(13)]);
    expect(adviceOnTask({ files: { create: paths(10), modify: ["lib/{a,b,c,d}.ts"] } })).toEqual([said(14)]);
    expect(adviceOnTask({ files: paths(12) })).toEqual([]);
    expect(adviceOnTask({ files: ["src/**"] })).toEqual([]);
  });
});

describe("leans-on-task", () => {
  const adviceOfB = (goal: string): string[] => {
    const body = `## Goal\n\n${goal}\n\n## Test plan\n\nHalf a cent.`;
    return adviceOn({
      tasks: { "01-model": {}, auth: { depends: ["01-model"] }, "02-b": { body, depends: ["auth"] } },
    });
  };

  test("is told where it stands, in its words", () => {
    expect(adviceOfB("Users log in.\nValidate as in task 01-model, please.")).toEqual([
      '02-b:14:10: leans-on-task: "as in task 01-model" sends the executor elsewhere, but this file is all it gets. Write here what it needs to know.',
    ]);
  });

  test.each([
    "As in task 01-model.",
    "See `01-model` for the fields.",
    "Do the same as the previous task, for orders.",
    "See the previous task.",
    "Like above, for orders.",
    "The fields are described in tasks/01-model.md.",
    "Follow [the model](../tasks/01-model.md).",
    "Errors are handled like task auth does.",
  ])("%s", (goal) => {
    expect(adviceOfB(goal).map((line) => line.split(" ")[1])).toEqual(["leans-on-task:"]);
  });

  test.each([
    "`User`, which 01-model creates in src/user.ts, has the fields id and email.",
    "The previous task made `User`; it has the fields id and email.",
    "Read src/auth.ts first.",
    "See auth for how names are folded.",
    "As in 02-b's own test, round half up.",
    "Errors look like 404-not-found.",
    "Follow the style of src/user.ts.",
    "Round half up.\nAs above, but for negative amounts.",
    "Round half up.\n\n## Out of scope\n\nThe command: see 01-model. What the next task does.",
    "```\nsee task 01-model\n```",
    "See tasks/02-b.md.",
    "See tasks/99-unknown.md.",
  ])("honest: %s", (goal) => {
    expect(adviceOfB(goal)).toEqual([]);
  });
});

describe("model-name", () => {
  const said = (name: string): string =>
    `model-name: "${name}" is the name of a model. Name the role instead (planner, executor, reviewer, judge, escalation); .stint/config.yaml sets its model. If the code itself is about that model, put its name in backticks.`;

  test("is told in the plan, the rules and the tasks, where it stands", () => {
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
});

test("what is ticked is done, and not advised on", () => {
  const bad = { title: "Fix stuff", checks: ["true"], body: "## Goal\n\nx", estimate: "5m" };
  expect(adviceOn({ tasks: { a: bad }, ticked: ["a"] })).toEqual([]);
  expect(adviceOn({ tasks: { a: bad } })).toHaveLength(4);
});

test("of one kind the first twenty are told, and how many more there are", () => {
  const tasks = Object.fromEntries(Array.from({ length: 23 }, (_, at) => [`t${at + 10}`, { estimate: "5m" }]));
  const advice = adviceOn({ tasks });
  expect(advice).toHaveLength(20);
  expect(advice.at(-1)).toBe(
    "t29:7:1: estimate: The estimate of 5m is outside 15m to 60m. Merge the task with a neighbour. (and 3 more warnings of this kind)",
  );
});
