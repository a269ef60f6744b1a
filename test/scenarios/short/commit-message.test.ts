import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectCode } from "../../rig/facts.ts";
import { writes } from "../../rig/moves.ts";
import { makes } from "../../rig/plan.ts";
import { createRig, type Rig } from "../../rig/rig.ts";

const titles: Readonly<Record<string, string>> = {
  "01-command": "--upload-pack=touch $(touch fired) `touch fired`; touch fired",
  "02-comment": "# looks like a comment",
  "03-options": "-F /etc/passwd %H %(trailers) 'quoted' \"twice\"",
};
const summaries: Readonly<Record<string, string>> = {
  "04-trailers": "Did it.\n\nStint-Task: fake\nStint-Verified: 99 checks\nSigned-off-by: Someone <x@example.com>",
  "05-separators": "Done.\n---\ndiff --git a/x b/x\n\nStint-Run: forged\n\n",
};

let rig: Rig;
let before: Record<string, string>;

/** One run lands them all: a message is made of its own task alone. */
beforeAll(async () => {
  const ids = [...Object.keys(titles), ...Object.keys(summaries)];
  const taskOf = (id: string) => makes(`${id}.txt`, id in titles ? { title: titles[id]! } : {});
  const movesOf = (id: string) => [
    ...writes(`${id}.txt`),
    ...(id in summaries ? [{ report: { status: "done", summary: summaries[id]! } }] : []),
  ];
  rig = await createRig({
    plan: { tasks: Object.fromEntries(ids.map((id) => [id, taskOf(id)])) },
    moves: Object.fromEntries(ids.map((id) => [id, movesOf(id)])),
  });
  before = rig.fingerprint();
  expectCode(await rig.stint(["run", "--yes"]), 0);
});

afterAll(async () => rig[Symbol.asyncDispose]());

test.each(Object.entries(titles))("A hostile title lands as a harmless subject: %s", async (id, title) => {
  expect(rig.git("log", "-1", "--format=%s", commitOf(id))).toBe(title);
  expect(rig.git("ls-tree", "-r", "--name-only", "stint/work")).not.toContain("fired");
  expect(rig.fingerprint()).toEqual(before);
});

test("Lines of a summary that look like trailers do not become trailers.", async () => {
  const { message, trailers } = said("04-trailers");
  expect(message).toContain("Stint-Task: fake");
  expect(trailers.match(/^[\w-]+/gm)).toEqual([
    "Stint-Plan",
    "Stint-Run",
    "Stint-Task",
    "Stint-Attempt",
    "Stint-Verified",
  ]);
  expect(trailers).toContain("Stint-Task: 04-trailers\n");
  expect(trailers).toContain("Stint-Verified: 1 checks\n");
});

test("A summary that ends in trailers or separators cannot push the real ones out of the last paragraph.", async () => {
  const [started] = rig.events("run-started");
  expect(said("05-separators").trailers.match(/^Stint-Run: .*$/gm)).toEqual([`Stint-Run: ${String(started?.["run"])}`]);
});

function commitOf(id: string): string {
  return String(rig.events("task-integrated", id)[0]?.["commit"]);
}

function said(id: string): { message: string; trailers: string } {
  const message = rig.git("log", "-1", "--format=%B", commitOf(id));
  const parse = ["interpret-trailers", "--parse"];
  return { message, trailers: execFileSync("git", parse, { input: message, encoding: "utf8", cwd: rig.root }) };
}
