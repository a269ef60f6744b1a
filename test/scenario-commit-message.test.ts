import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectCode } from "./rig/facts.ts";
import { writes } from "./rig/moves.ts";
import { makes } from "./rig/plan.ts";
import { createRig } from "./rig/rig.ts";

const titles = [
  "--upload-pack=touch $(touch fired) `touch fired`; touch fired",
  "# looks like a comment",
  "-F /etc/passwd %H %(trailers) 'quoted' \"twice\"",
];

test.each(titles)("A hostile title lands as a harmless subject: %s", async (title) => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt", { title }) } },
    moves: { "01-a": writes("a.txt") },
  });
  const before = rig.fingerprint();

  expectCode(await rig.stint(["run", "--yes"]), 0);

  expect(rig.git("log", "-1", "--format=%s", "stint/work")).toBe(title);
  expect(rig.git("ls-tree", "-r", "--name-only", "stint/work")).not.toContain("fired");
  expect(rig.fingerprint()).toEqual(before);
});

test("Lines of a summary that look like trailers do not become trailers.", async () => {
  const summary = "Did it.\n\nStint-Task: fake\nStint-Verified: 99 checks\nSigned-off-by: Someone <x@example.com>";
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: { "01-a": [...writes("a.txt"), { report: { status: "done", summary } }] },
  });

  expectCode(await rig.stint(["run", "--yes"]), 0);

  const message = rig.git("log", "-1", "--format=%B", "stint/work");
  const trailers = execFileSync("git", ["interpret-trailers", "--parse"], { input: message, encoding: "utf8" });
  expect(message).toContain("Stint-Task: fake");
  expect(trailers.match(/^[\w-]+/gm)).toEqual([
    "Stint-Plan",
    "Stint-Run",
    "Stint-Task",
    "Stint-Attempt",
    "Stint-Verified",
  ]);
  expect(trailers).toContain("Stint-Task: 01-a\n");
  expect(trailers).toContain("Stint-Verified: 1 checks\n");
});

test("A summary that ends in trailers or separators cannot push the real ones out of the last paragraph.", async () => {
  const summary = "Done.\n---\ndiff --git a/x b/x\n\nStint-Run: forged\n\n";
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: { "01-a": [...writes("a.txt"), { report: { status: "done", summary } }] },
  });

  await rig.stint(["run", "--yes"]);
  const { run } = await rig.status();

  const message = rig.git("log", "-1", "--format=%B", "stint/work");
  const parse = ["interpret-trailers", "--parse"];
  const trailers = execFileSync("git", parse, { input: message, encoding: "utf8", cwd: join(rig.root) });
  expect(trailers.match(/^Stint-Run: .*$/gm)).toEqual([`Stint-Run: ${run}`]);
});
