import { expect, test } from "vitest";
import { lay } from "../../../../src/cli/text-layout.ts";
import { revisionItems } from "../../../../src/cli/approval-page/task-changes.ts";
import { plain } from "../../../../src/cli/paint.ts";

const look = { width: 80, paint: plain, isUnicode: true };

test("A revision is as long as what differs; a file that differs much is cut where a bound is given, and only there.", () => {
  const before = bytesOf({ "plan.md": "same\n", "tasks/01-a.md": "old\n", "tasks/02-b.md": "gone\n" });
  const long = Array.from({ length: 100 }, (_, at) => `line ${at}\n`).join("");
  const after = bytesOf({ "plan.md": "same\n", "tasks/01-a.md": "new\n", "tasks/03-c.md": long });
  const changes = [
    { id: "01-a", change: "changed" },
    { id: "03-c", change: "added" },
    { id: "02-b", change: "removed" },
  ] as const;

  const lines = lay(revisionItems({ plan: "work", changes, before, after }, { linesMax: 5 }), look);

  expect(lines.slice(0, 16)).toEqual([
    "Revision of plan work: 1 task added, 1 task changed, 1 task removed",
    "  ~ 01-a changed",
    "  + 03-c added",
    "  - 02-b removed",
    "",
    "tasks/01-a.md",
    "  @@ -1,1 +1,1 @@",
    "  -old",
    "  +new",
    "",
    "tasks/03-c.md",
    "  @@ -0,0 +1,100 @@",
    "  +line 0",
    "  +line 1",
    "  +line 2",
    "  +line 3",
  ]);
  expect(lines).toContain("  (96 more lines of tasks/03-c.md)");
  expect(lines).toContain("tasks/02-b.md (removed)");
  expect(lines.join("\n")).not.toContain("plan.md");
  expect(lay(revisionItems({ plan: "work", changes, before, after }, { linesMax: 101 }), look)).toContain("  +line 99");
});

function bytesOf(files: Readonly<Record<string, string>>): Map<string, Uint8Array> {
  return new Map(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)]));
}
