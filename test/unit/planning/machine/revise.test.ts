import { expect, test } from "vitest";
import { parsePlan } from "../../../../src/plan/parse.ts";
import { composeNew, composeRevision, mergeDraft, type Standing } from "../../../../src/planning/machine/revise.ts";
import { draftOf } from "../../../rig/drafts.ts";
import { makes, plan } from "../../../rig/plan.ts";
import { bytesOf, textsOf } from "../../../rig/planning-session.ts";

test("a correction takes the place of what it leaves; a task goes when the plan names it no more", () => {
  const bytes = (texts: Record<string, string>) =>
    new Map(Object.entries(texts).map(([name, text]) => [name, Buffer.from(text)]));
  const before = bytes({ "plan.md": "tasks/a.md tasks/b.md", "scope.md": "s", "tasks/a.md": "a", "tasks/b.md": "b" });
  const names = (left: Record<string, string>) => [...mergeDraft(before, bytes(left)).keys()].toSorted();
  expect(names({ "tasks/a.md": "new" })).toEqual(["plan.md", "scope.md", "tasks/a.md", "tasks/b.md"]);
  expect(names({ "plan.md": "tasks/a.md" })).toEqual(["plan.md", "scope.md", "tasks/a.md"]);
  expect(
    mergeDraft(before, bytes({ "tasks/a.md": "new" }))
      .get("tasks/a.md")
      ?.toString(),
  ).toBe("new");
});

const spec = { tasks: { "01-a": makes("a"), "02-b": makes("b") } };
const ticked = (planMd: string) => planMd.replace("- [ ] [01-a]", "- [x] [01-a]");

/** The plan of the tests, of which the first task is done and ticked. */
function standing(): Standing {
  const texts = Object.entries(plan(spec)).map(([path, text]) => [
    path,
    path.endsWith("plan.md") ? ticked(text) : text,
  ]);
  const files = new Map(texts.map(([path, text]) => [path!, { bytes: Buffer.from(text!) }]));
  const parsed = parsePlan(files, "work");
  if (parsed.plan === undefined) throw new Error(JSON.stringify(parsed.problems));
  return { plan: parsed.plan, files, done: new Set(["01-a"]) };
}

/** The names and texts of a revision, and what is wrong with it. */
function revised(draft: Readonly<Record<string, string>>) {
  const { documents, problems } = composeRevision(bytesOf(draft), standing());
  return { texts: textsOf(documents), problems: problems.map(({ file, message }) => `${file}: ${message}`) };
}

test("a file that the draft does not have stays, and so does the tick of a done task", () => {
  const { texts, problems } = revised({ "tasks/02-b.md": "new" });
  expect(Object.keys(texts).toSorted()).toEqual(["plan.md", "scope.md", "tasks/01-a.md", "tasks/02-b.md"]);
  expect([texts["tasks/02-b.md"], problems]).toEqual(["new", []]);
  expect(texts["plan.md"]).toContain("- [x] [01-a]");
});

test("a task that the list leaves out goes; one that is done stays and is reported", () => {
  const planMd = draftOf(spec)["plan.md"]!;
  const without = (id: string) => planMd.replace(new RegExp(`^- \\[ \\] \\[${id}\\].*\n`, "m"), "");
  expect(Object.keys(revised({ "plan.md": without("02-b") }).texts)).not.toContain("tasks/02-b.md");
  const { texts, problems } = revised({ "plan.md": without("01-a") });
  expect(Object.keys(texts)).toContain("tasks/01-a.md");
  expect(problems).toEqual(['plan.md: 01-a is done: leave it as it is. Keep its line under "## Tasks".']);
});

test("the file of a done task is restored, and the change is reported", () => {
  const { texts, problems } = revised({ "tasks/01-a.md": "other" });
  expect(texts["tasks/01-a.md"]).toBe(draftOf(spec)["tasks/01-a.md"]);
  expect(problems).toEqual(["tasks/01-a.md: 01-a is done: leave it as it is."]);
});

test("a plan.md without a list removes nothing", () => {
  expect(Object.keys(revised({ "plan.md": "no front matter" }).texts)).toContain("tasks/02-b.md");
});

test("a tick of the planner's own is removed and reported, in a new plan and in a revision", () => {
  const fresh = composeNew(bytesOf({ "plan.md": ticked(draftOf(spec)["plan.md"]!) }));
  expect(textsOf(fresh.documents)["plan.md"]).toContain("- [ ] [01-a]");
  expect(fresh.problems).toMatchObject([{ severity: "error", source: "done", file: "plan.md" }]);
  const { texts, problems } = revised({ "plan.md": draftOf(spec)["plan.md"]!.replace("- [ ] [02-b]", "- [x] [02-b]") });
  expect(texts["plan.md"]).toContain("- [ ] [02-b]");
  expect(problems).toHaveLength(1);
});
