import { expect, test } from "vitest";
import type { PlanFile } from "../../../src/plan/types.ts";
import { builtInPrompts, promptNames } from "../../../src/prompts/built-in.ts";
import { choosePrompts, defaultPrompts, promptFiles } from "../../../src/prompts/overrides.ts";
import { renderTemplate } from "../../../src/prompts/template.ts";

const file = (text: string): PlanFile => ({ bytes: new TextEncoder().encode(text) });

function chosen(project: Record<string, PlanFile>, user: Record<string, PlanFile> = {}) {
  const { prompts, problems } = choosePrompts({
    project: { folder: ".stint/prompts", files: new Map(Object.entries(project)) },
    user: { folder: "/u/prompts", files: new Map(Object.entries(user)) },
  });
  return { prompts, problems: problems.map(({ file, line, column, code }) => `${file}:${line}:${column} ${code}`) };
}

test("the project's file wins over the user's, and that over the built-in one, file by file", () => {
  const { prompts, problems } = chosen(
    {
      ".stint/prompts/executor.md": file("Project."),
      ".stint/prompts/judge.md": file("{{question}} {{diff}}"),
      ".stint/rules.md": file("no prompt"),
    },
    { "/u/prompts/executor.md": file("User."), "/u/prompts/task.md": file("Do {{task}}") },
  );
  expect(prompts).toEqual({
    ...defaultPrompts,
    judge: { text: "{{question}} {{diff}}", file: ".stint/prompts/judge.md" },
    executor: { text: "Project.", file: ".stint/prompts/executor.md" },
    task: { text: "Do {{task}}", file: "/u/prompts/task.md" },
  });
  expect(problems).toEqual([]);
  expect(chosen({}).prompts).toEqual(defaultPrompts);
});

test("files that override nothing, or that are wrong, are found and not used", () => {
  const { prompts, problems } = chosen(
    {
      ".stint/prompts/exectuor.md": file("x"),
      ".stint/prompts/judge.md": file("Judge {{verdict}} with {{question}}"),
      ".stint/prompts/notes.txt": file("x"),
    },
    { "/u/prompts/task.md": file("Do {{tsak}}"), "/u/prompts/executor.md": { bytes: Uint8Array.of(0xff) } },
  );
  expect(prompts).toEqual(defaultPrompts);
  expect(problems).toEqual([
    "/u/prompts/task.md:1:4 unknown-variable",
    "/u/prompts/task.md:1:1 missing-variable",
    "/u/prompts/executor.md:1:1 not-utf8",
    ".stint/prompts/exectuor.md:1:1 unknown-prompt",
    ".stint/prompts/judge.md:1:7 unknown-variable",
    ".stint/prompts/judge.md:1:1 missing-variable",
  ]);
});

test("what is dumped can be put back as an override, and says the same", () => {
  const dumped = [...promptFiles()].map(([name, text]) => [`.stint/prompts/${name}`, file(text)] as const);
  const { prompts, problems } = chosen(Object.fromEntries(dumped));
  expect(problems).toEqual([]);
  for (const name of promptNames) {
    const { variables } = builtInPrompts[name];
    const values = Object.fromEntries(Object.keys(variables).map((variable) => [variable, `<${variable}>`]));
    expect(prompts[name].file).toBe(`.stint/prompts/${name}.md`);
    expect(renderTemplate(prompts[name].text, values)).toBe(renderTemplate(defaultPrompts[name].text, values));
  }
});
