import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { startCli } from "../rig/cli.ts";
import { readJournal, type JournalEvent } from "../rig/follow.ts";
import { openPane, whyNoTmux } from "../rig/pane.ts";
import { createRig } from "../rig/rig.ts";
import { planningEvents } from "../rig/planning.ts";

interface Scene {
  readonly events: readonly JournalEvent[];
  readonly planned: readonly JournalEvent[];
  readonly killed: { readonly pid: number; readonly signal: string };
  readonly asked: readonly { readonly task: string }[];
  readonly git: (...args: readonly string[]) => string;
}

const { storyOf } = (await import(resolve("demo/story.mjs"))) as {
  readonly storyOf: (scene: Scene) => Readonly<Record<string, boolean | undefined>>;
};

/** It plans, runs, is killed and waits for a limit: a minute where nothing else is done, more on a busy machine. */
const timeout = 300_000;

test(
  "The demo ends with 0, everything expected happened, and it would notice if it had not.",
  { timeout },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "stint-demo-test-"));
    try {
      const env = { PATH: process.env["PATH"] ?? "", HOME: folder, TMPDIR: folder };
      const ended = await startCli(["demo"], { cwd: folder, env, gitDir: folder, outside: folder }).ended;

      expect(ended.code, ended.stdout + ended.stderr).toBe(0);
      const held = ended.stdout.match(/^ {2}yes {2}.*$/gm) ?? [];
      expect(held).toHaveLength(24);
      expect(ended.stdout).not.toContain("warning:");

      const [name = ""] = readdirSync(folder).filter((entry) => entry.startsWith("stint-demo-"));
      const scene = sceneOf(join(folder, name, "invoice"), ended.stdout);
      expect(unmet(storyOf(scene))).toEqual([]);
      for (const [lacking, text] of Object.entries(without)) {
        const events = scene.events.filter(
          (event) => !`${event.type} ${String(event["task"] ?? event["id"])}`.includes(lacking),
        );
        expect(unmet(storyOf({ ...scene, events })), lacking).toContain(text);
      }
      for (const [lacking, text] of Object.entries(withoutPlanned)) {
        const planned = scene.planned.filter(({ type }) => type !== lacking);
        expect(unmet(storyOf({ ...scene, planned })), lacking).toContain(text);
      }
      expect(unmet(storyOf({ ...scene, asked: [] }))).toHaveLength(1);
      expect(unmet(storyOf({ ...scene, git: () => "" })).length).toBeGreaterThan(1);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

test("The short demo ends with 0 and waits for nobody without a terminal.", { timeout }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "stint-demo-test-"));
  try {
    const env = { PATH: process.env["PATH"] ?? "", HOME: folder, TMPDIR: folder };
    const ended = await startCli(["demo", "--short"], { cwd: folder, env, gitDir: folder, outside: folder }).ended;
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    expect(ended.stdout.match(/^ {2}yes {2}.*$/gm)).toHaveLength(5);
    expect(ended.stdout).not.toContain("Enter for the next chapter");
    expect(ended.stdout.split("\n").length).toBeLessThan(80);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.skipIf(whyNoTmux !== undefined)(
  "In a terminal the demo breaks no word and waits for Enter before the next chapter, and q quits; --no-pause waits for nobody.",
  { timeout },
  async () => {
    await using rig = await createRig({});
    const env = { TMPDIR: rig.outside };
    await using pane = await openPane(rig, "demo --short", { env, rows: 60 });
    await pane.until("Enter for the next chapter, q and Enter to quit:");
    expect(await pane.text()).toContain("Scripted, without any\nmodel: the agent.\n");
    expect(await pane.text()).not.toContain("== 2.");
    await pane.press("Enter");
    await pane.until(/== 2\.[^]*Enter for the next chapter, q and Enter to quit:/);
    await pane.press("q", "Enter");
    expect(await pane.until("EXIT=0")).not.toContain("== 3.");
    await using through = await openPane(rig, "demo --short --no-pause", { env, rows: 90 });
    expect(await through.until("EXIT=0", 240)).not.toContain("Enter for the next chapter");
  },
);

/** An expectation that fails where the journal lacks some events. */
const without = {
  "agent-started 01-discount": "01-discount and 02-delivery: two agents worked in parallel",
  "verdict 01-discount": "01-discount: the wrong first attempt failed its check",
  "verdict 02-delivery": "02-delivery: passes alone, fails together: a conflict with 01-discount",
  "verdict 03-vat": "03-vat: the edited test was caught by the guard",
  "task-blocked": "04-due-date: the agent asked instead of guessing, and `stint status` showed the question",
  answered: "04-due-date: once answered, it passed",
  "task-taken": "07-readme: done by hand, without an agent, and verified like the others",
  resumed: "another process resumed the run",
  "agent-started 05-csv": "05-csv: the session that was killed did not count as an attempt",
  parked: "06-command: at the usage limit the run waited, then continued by itself",
  "agent-started 06-command": "06-command: the limit did not count as an attempt",
  "run-finished": "the run is finished",
};

/** The same of the planning session's journal. */
const withoutPlanned = {
  "questions-answered": "the planner asked two questions; both answers were assumed (--headless), and plan.md says so",
  "draft-assessed": "a check of 05-csv that passed before any work went back to the planner",
  "session-ended": "a critic reviewed the draft, and the plan was written",
  "handed-over": "a critic reviewed the draft, and the plan was written",
};

/** As the demo has it, read from what it left behind and printed. */
function sceneOf(project: string, printed: string): Scene {
  const pid = Number(/^\$ kill -9 (\d+)$/m.exec(printed)?.[1]);
  return {
    events: readJournal(join(project, ".git")),
    planned: planningEvents({ gitDir: join(project, ".git") }),
    killed: { pid, signal: "SIGKILL" },
    asked: [{ task: "04-due-date" }],
    git: (...args) => execFileSync("git", args, { cwd: project, encoding: "utf8" }).trimEnd(),
  };
}

function unmet(story: Readonly<Record<string, boolean | undefined>>): readonly string[] {
  return Object.keys(story).filter((text) => story[text] !== true);
}
