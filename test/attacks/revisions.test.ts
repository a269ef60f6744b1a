import { expect, test } from "vitest";
import { approvalLimits } from "../../src/approval/limits.ts";
import { expectCode } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { content, createReplanRig, drafts } from "../rig/replanning.ts";

test("A revision cannot hide a changed command behind any length of prose: all that is new is shown, and all that runs stands last.", async () => {
  const prose = "It is as it was.\n".repeat(20_000);
  const [final, command] = ["test -e final.txt", "grep -q ready a.txt && true hidden"];
  const revised = { tasks: { "01-a": makes("a.txt", { checks: [command] }) }, checks: [final] };
  const scope = `# Scope\n\n## Understanding\n\n${prose}\n## Goals\n\nOne.\n\n## Gaps\n\nNone.\n`;
  await using rig = await createReplanRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    run: { replan: "ask" },
    moves: {
      "01-a": { 1: [{ write: "a.txt", text: "never\n" }], "*": writes("a.txt") },
      draft: [...drafts(revised), { leave: "scope.md", text: scope }],
      ...content,
    },
  });
  expectCode(await rig.stint(["run", "--yes"]), 3);
  const { commit } = rig.events("replan-proposed")[0] as unknown as { commit: string };

  const shown = await rig.stint(["approve", "--yes"]);

  expectCode(shown, 0);
  expect(shown.stdout).toContain(`+  - ${command}`);
  const last = shown.stdout.split("\n").slice(-20).join("\n");
  expect(last).toContain(`runs: ${command}`);
  expect(last).toMatch(/On the final tip:\n +runs: test -e final\.txt/);
  expect(last).toContain("may create: a.txt");

  // The control: the beginning of the same difference, as other pages show it, says nothing of that command.
  const whole = rig.controlGit("show", commit);
  expect(whole).toContain(command);
  expect(whole.slice(0, approvalLimits.diffShownBytesMax)).not.toContain(command);
});
