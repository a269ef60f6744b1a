import { expect, test } from "vitest";
import { systemUser } from "../../../src/base/system-user.ts";
import {
  judgeKey,
  pathsOf,
  planningPaths,
  rescueRef,
  revisionRef,
  runPaths,
  runRef,
  sessionPaths,
  userConfigDir,
  userHome,
} from "../../../src/project/paths.ts";

const paths = pathsOf("/repo/.git", { HOME: "/home/ann" });

test("state is kept in the repository's git folder, and agents work outside of it", () => {
  expect(paths.runs).toBe("/repo/.git/stint/runs");
  expect(paths.scratch).toMatch(/^\/home\/ann\/\.local\/state\/stint\/[0-9a-f]{16}$/);
});

test("two repositories never share a scratch folder", () => {
  expect(pathsOf("/other/.git", { HOME: "/home/ann" }).scratch).not.toBe(paths.scratch);
});

test("folders of the XDG convention are honoured where they are absolute, and ignored where they are not", () => {
  const set = { HOME: "/home/ann", XDG_STATE_HOME: "/state", XDG_CONFIG_HOME: "/config" };
  expect(pathsOf("/repo/.git", set).scratch).toMatch(/^\/state\/stint\//);
  expect(userConfigDir(set)).toBe("/config/stint");
  const relative = { HOME: "/home/ann", XDG_STATE_HOME: "state", XDG_CONFIG_HOME: "" };
  expect(pathsOf("/repo/.git", relative).scratch).toBe(paths.scratch);
  expect(userConfigDir(relative)).toBe("/home/ann/.config/stint");
});

test.each([undefined, "", "relative"])("a HOME of %o is none: the system knows the user's home", (home) => {
  expect(userHome({ HOME: home })).toBe(systemUser().home);
});

test("an attempt, its judges and a judge of the whole plan have folders of their own", () => {
  const run = runPaths(paths, "r");
  const about = { attempt: 2, question: "", session: 3 };
  const keys = [
    { task: "01-a", attempt: 2 },
    judgeKey({ task: "01-a", ...about }),
    judgeKey({ ...about, task: null, attempt: 0 }),
  ];
  expect(keys.map(run.attempt)).toEqual([
    "/repo/.git/stint/runs/r/attempts/01-a.2",
    "/repo/.git/stint/runs/r/attempts/01-a.2/judge-3",
    "/repo/.git/stint/runs/r/attempts/final.0/judge-3",
  ]);
  expect(new Set(keys.map(run.workspace)).size).toBe(3);
  expect(run.workspace(keys[1]!)).toContain("/judges/");
});

test("the tree, inbox and outbox of a session lie side by side, never inside each other", () => {
  const { dir, tree, inbox, outbox } = sessionPaths(runPaths(paths, "r"), { task: "01-a", attempt: 1 });
  expect([tree, inbox, outbox]).toEqual([`${dir}/tree`, `${dir}/inbox`, `${dir}/outbox`]);
});

test("each session of planning has its own folder and clone, and the command that resumes it names the plan", () => {
  const planning = planningPaths(paths, "20261117-100000-work-0000");
  const [first, second] = [planning.session(1, "draft"), planning.session(2, "draft")];
  expect(first.resumeCommand).toBe("stint plan --continue work");
  expect(first.dir).not.toBe(second.dir);
  expect(first.workspace({ task: "", attempt: 0 })).not.toBe(second.workspace({ task: "", attempt: 0 }));
});

test("refs name the run, the attempt and the revision", () => {
  expect(runRef("r")).toBe("refs/stint/runs/r");
  expect(rescueRef("r", { task: "01-a", attempt: 2 })).toBe("refs/stint/rescue/r/01-a/2");
  expect(revisionRef("r", "c0ffee")).toBe("refs/stint/revisions/r/c0ffee");
});
