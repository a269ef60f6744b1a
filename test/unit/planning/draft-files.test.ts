import { existsSync, mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import {
  currentDocuments,
  filesOfOutput,
  hasUnheardEdit,
  keepDocuments,
  readFolder,
  showDraft,
  writeFolder,
} from "../../../src/planning/draft-files.ts";
import type { AssessedDraft } from "../../../src/planning/machine/assessment.ts";
import { assessed, begun, drafted, inquiry } from "../../rig/planning-events.ts";
import { bytesOf, scriptedPlanning, textsOf } from "../../rig/planning-session.ts";

const empty = { rules: null, questions: [], findings: null, problems: [] };

test("a folder has exactly the files that were written last, for its owner only, and nothing is left beside it", async () => {
  using scripted = scriptedPlanning();
  const folder = join(scripted.planning.paths.dir, "draft");
  await writeFolder(folder, bytesOf({ "plan.md": "1", "tasks/a.md": "a" }));
  await writeFolder(folder, bytesOf({ "plan.md": "2", "tasks/b.md": "b" }));
  expect(textsOf(await readFolder(folder))).toEqual({ "plan.md": "2", "tasks/b.md": "b" });
  expect(statSync(join(folder, "plan.md")).mode & 0o777).toBe(0o600);
  expect(readdirSync(dirname(folder))).toEqual(["draft"]);
});

test("a kill between the two renames leaves the new documents, not the old ones", async () => {
  using scripted = scriptedPlanning([begun, ...drafted(1)]);
  const { planning } = scripted;
  const folder = join(planning.paths.session(1, "draft").dir, "draft");
  await writeFolder(folder, bytesOf({ "plan.md": "old" }));
  renameSync(folder, `${folder}.old`);
  mkdirSync(`${folder}.new`);
  writeFileSync(join(`${folder}.new`, "plan.md"), "new");
  expect(textsOf((await currentDocuments(planning)).draft)).toEqual({ "plan.md": "new" });
});

test("a session's documents are added to the current ones, and rules stay until others are proposed", async () => {
  using scripted = scriptedPlanning([begun, ...drafted(1)]);
  const { planning } = scripted;
  const first = { ...empty, draft: bytesOf({ "plan.md": "tasks/a.md", "tasks/a.md": "1" }), rules: Buffer.from("r") };
  await keepDocuments(planning, { at: { session: 1, phase: "draft" }, output: first });
  const second = { ...empty, draft: bytesOf({ "tasks/a.md": "2" }) };
  await keepDocuments(planning, { at: { session: 1, phase: "draft" }, output: second });
  const { draft, rules } = await currentDocuments(planning);
  expect(textsOf(draft)).toEqual({ "plan.md": "tasks/a.md", "tasks/a.md": "2" });
  expect(Buffer.from(rules ?? []).toString()).toBe("r");
});

test("before any session there are no documents", async () => {
  using scripted = scriptedPlanning();
  expect(await currentDocuments(scripted.planning)).toEqual({ draft: new Map(), rules: null });
});

test("an edit counts once the draft was shown and assessed; inputs are not shown, and a folder without plan.md is no edit", async () => {
  const paths = bytesOf({ "plans/work/plan.md": "p", "plans/work/inputs/x.md": "x" });
  const draft = { documents: paths } as unknown as AssessedDraft;
  using early = scriptedPlanning([begun, ...drafted(1)]);
  await showDraft(early.planning, draft);
  expect(textsOf(await readFolder(early.planning.paths.draft))).toEqual({ "plan.md": "p" });
  writeFileSync(join(early.planning.paths.draft, "plan.md"), "mine");
  expect(await hasUnheardEdit(early.planning, draft)).toBe(false);

  using shown = scriptedPlanning([begun, ...drafted(1), assessed(1)]);
  await showDraft(shown.planning, draft);
  expect(await hasUnheardEdit(shown.planning, draft)).toBe(false);
  writeFileSync(join(shown.planning.paths.draft, "plan.md"), "mine");
  expect(await hasUnheardEdit(shown.planning, draft)).toBe(true);
  renameSync(join(shown.planning.paths.draft, "plan.md"), join(shown.planning.paths.draft, "scope.md"));
  expect(await hasUnheardEdit(shown.planning, draft)).toBe(false);
});

test("all that a session left is listed as files, and what it did not leave is no file", () => {
  const whole = { ...empty, draft: bytesOf({ "plan.md": "p" }), rules: Buffer.from("r") };
  expect([...filesOfOutput({ ...whole, questions: [inquiry("a")], findings: [] }).keys()]).toEqual([
    ...["plan.md", "rules.md", "questions.json", "findings.json"],
  ]);
  expect([...filesOfOutput({ ...empty, draft: new Map() }).keys()]).toEqual([]);
});

test("a folder that is not there has no files", async () => {
  using scripted = scriptedPlanning();
  const gone = join(scripted.planning.paths.dir, "gone");
  expect(existsSync(gone)).toBe(false);
  expect(await readFolder(gone)).toEqual(new Map());
});
