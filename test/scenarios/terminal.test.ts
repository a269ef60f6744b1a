import { closeSync, constants, openSync, readFileSync, readlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { writes } from "../rig/moves.ts";
import { openPane, openShell, stintWords, whyNoTmux } from "../rig/pane.ts";
import { makes } from "../rig/plan.ts";
import { createRig, type RigOptions } from "../rig/rig.ts";

const two: RigOptions = {
  plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt", { depends: ["01-a"] }) } },
  moves: { "01-a": [{ print: "I look at a.txt\n" }, { hold: "mid" }, ...writes("a.txt")], "02-b": writes("b.txt") },
};

describe.skipIf(whyNoTmux !== undefined)("terminals that are slow, gone, in other hands, or know little", () => {
  test("A terminal that takes nothing, as over a frozen connection, holds up nothing but its own picture.", async () => {
    await using rig = await createRig(two);
    await using pane = await openPane(rig, "run --yes");
    await pane.until("I look at a.txt");
    const driver = rig.processes().find(({ command }) => command.endsWith("cli.js run --yes "))?.pid ?? 0;
    const server = parentOf(parentOf(driver));
    process.kill(server, "SIGSTOP");
    try {
      fillUp(readlinkSync(`/proc/${driver}/fd/1`));
      rig.release("mid");
      await expect.poll(() => rig.events("run-finished"), { timeout: 60_000 }).toHaveLength(1);
    } finally {
      process.kill(server, "SIGCONT");
    }
    expect(await pane.until("EXIT=0")).toMatch(/run \S+: finished/);
    expect(await pane.modes()).toEqual({ alternate: false, cursor: true });
  });

  test("A terminal that is closed ends the run in order, with 130, also where nobody passes the signal on.", async () => {
    await using rig = await createRig(two);
    const ended = join(rig.outside, "ended");
    const told = `trap '' HUP; ${stintWords} run --yes; echo $? >'${ended}.new'; mv '${ended}.new' '${ended}'`;
    {
      await using pane = await openShell(rig, ["sh", "-c", told]);
      await pane.until("I look at a.txt");
    }
    await expect.poll(() => rig.isMarked("ended"), { timeout: 60_000 }).toBe(true);
    expect(readFileSync(ended, "utf8")).toBe("130\n");
    expect(rig.events("stopped")).toMatchObject([{ why: "interrupted" }]);
  });

  test("A job in the background leaves the terminal to the shell and continues as lines.", async () => {
    await using rig = await createRig(two);
    await using pane = await openShell(rig, ["bash", "--norc", "--noprofile", "-i"], { columns: 120 });
    await pane.press(`${stintWords} run --yes & wait; echo EXIT=$?`, "Enter");
    await pane.until("01-a #1 agent started");
    expect(await pane.modes()).toEqual({ alternate: false, cursor: true });
    rig.release("mid");
    await pane.until(/run \S+: finished[^]*EXIT=0/);
  });

  test("A terminal that does not know its size gets a picture of 80 columns; one without Unicode one of ASCII.", async () => {
    await using rig = await createRig(two);
    const words = `stty cols 0 rows 0; LC_ALL=C ${stintWords} run --yes; exec cat`;
    await using pane = await openShell(rig, ["sh", "-c", words]);
    const shown = await pane.until(/01-a #1 +working[^]*I look at a\.txt/);
    expect(shown).toMatch(/^ -+ {2}0 of 2 tasks$/m);
    expect(shown).toContain("p pause   ^v select   Enter log   q close   ? keys");
  });

  test("Where TERM is empty there is no view, as where it is not set.", async () => {
    await using rig = await createRig(two);
    await using pane = await openShell(rig, ["sh", "-c", `TERM= ${stintWords} run --yes; exec cat`], { columns: 120 });
    await pane.until("01-a #1 agent started");
    expect(await pane.modes()).toEqual({ alternate: false, cursor: true });
  });
});

/** Writes until the terminal takes nothing more, which nobody reads meanwhile. */
function fillUp(terminal: string): void {
  const fd = openSync(terminal, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  try {
    for (;;) writeSync(fd, "\0");
  } catch (error) {
    expect(error).toMatchObject({ code: "EAGAIN" });
  } finally {
    closeSync(fd);
  }
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
}
