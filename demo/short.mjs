// The demo in seconds: one task of the ready-made plan. The scripted agent cheats, is caught, and then does the work.
import { layOut, scriptedSettings } from "./project.mjs";
import { createStage, ownHome, say } from "./stage.mjs";
import { shortStoryOf, showExpectations } from "./story.mjs";

/** Returns 1 if anything did not happen as expected, otherwise 0. */
export async function playShort({ cli, folder, pauses }) {
  const stage = createStage({ cli, folder, env: ownHome(folder), pauses });
  say(`A small invoice library with real tests and a plan has been set up in ${folder}.
Real: the project, its tests, git and every command below. Scripted, without any model: the agent.`);
  layOut({ ...stage, settings: () => scriptedSettings(folder) });

  await stage.chapter("You approve the plan", "The page shows every file and command; here is its end.");
  await stage.stintEnd(14, "approve", "--yes");

  await stage.chapter(
    "An agent does a task",
    "It edits the test instead of the code. A guard rejects that; the next attempt knows why.",
  );
  await stage.driveToEnd("run", "--task", "03-vat");
  await stage.recall();

  await stage.chapter("The branch", "One verified commit, which also ticks its checkbox in plan.md.");
  await stage.shell("git show --stat stint/invoices");
  return showExpectations(shortStoryOf({ events: stage.journal(), git: stage.git })) === 0 ? 0 : 1;
}
