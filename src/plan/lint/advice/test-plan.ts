import { splitFrontMatter } from "../../front-matter.ts";
import { classifyLines, saysNothing, sectionsOf } from "../../markdown.ts";
import { protectedKind } from "../../protected.ts";
import { taskWarning, warningAt } from "../../problem.ts";
import type { Problem, Task } from "../../types.ts";
import { codeIn } from "./changed-code.ts";

/** An agent that does not know what to test tests whatever it wrote. */
export function adviseTestPlan(task: Task): Problem[] {
  if (!codeIn(task.files).some((path) => protectedKind(path, []) !== "test")) return [];
  const split = splitFrontMatter(task.text);
  const { body, bodyLine } = typeof split === "string" ? { body: "", bodyLine: 1 } : split;
  const sections = sectionsOf(classifyLines(body)).filter(({ heading }) => /\btest(?:s|ing)?\b/i.test(heading));
  if (sections.some((section) => !saysNothing(section))) return [];
  const [empty] = sections;
  const cure = "Say which cases its tests cover, and in which files.";
  if (empty === undefined) {
    const message = `The task writes code and has no section "Test plan". ${cure}`;
    return [taskWarning(task, ["files"], { code: "no-test-plan", message })];
  }
  const message = `The section "${empty.heading}" is empty. ${cure}`;
  return [
    warningAt(
      task.file,
      { line: task.line(bodyLine + empty.number - 1), column: 1 },
      { code: "no-test-plan", message },
    ),
  ];
}
