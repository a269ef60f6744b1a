import { expect, test } from "vitest";
import { tellUncommitted, uncommittedLine } from "../../../../src/cli/commands/uncommitted.ts";
import { rig, sh, write } from "../../../rig/git.ts";
import { recordedIo } from "../../../rig/io.ts";

const commit = "0123456789abcdef";
const task = {
  files: { create: ["src/new.ts"], modify: ["src/*.css"], delete: [], touch: [] },
  sourceDocs: ["docs/a.md"],
};

test("A clean checkout is not mentioned; a few files are named, those of tasks first.", () => {
  const line = (...paths: string[]) => uncommittedLine(paths, { name: "this run", tasks: [task], commit });
  expect(line()).toBeUndefined();
  expect(line("a")).toBe(
    "Uncommitted changes (1 file: a) are not part of this run: it starts from HEAD, 0123456789ab.",
  );
  expect(line("a", "b", "c", "src/new.ts", "src/x.css", "docs/a.md")).toBe(
    "Uncommitted changes (6 files: src/new.ts, src/x.css, docs/a.md, …) are not part of this run, though its tasks name src/new.ts, src/x.css, docs/a.md: it starts from HEAD, 0123456789ab.",
  );
});

test("Plans, settings and what was given are left out; everything else that git would list is counted.", async () => {
  const r = await rig({ a: "a", ".gitignore": "ignored\n" });
  write(r.user, { "plans/p/plan.md": "", ".stint/config.yaml": "", "notes/goal.md": "", ignored: "" });
  const { io: plainIo, err } = recordedIo();
  const io = { ...plainIo, cwd: r.user };
  const start = { name: "this plan", given: ["notes"] };
  await tellUncommitted(io, r.repo, start);
  expect(err).toEqual([]);
  write(r.user, { a: "changed", b: "new" });
  await tellUncommitted(io, r.repo, start);
  const head = sh(r.user, "rev-parse", "--short=12", "HEAD");
  await tellUncommitted(io, r.repo, { ...start, dirty: ["a", "b", "a", "notes/x", "plans/p/plan.md"] });
  expect(err[1], "what the caller has looked up").toBe(err[0]);
  await tellUncommitted(io, r.repo, { ...start, dirty: [] });
  expect(err).toHaveLength(2);
  expect(err.slice(1)).toEqual([
    `Uncommitted changes (2 files: a, b) are not part of this plan: it starts from HEAD, ${head}.`,
  ]);
});
