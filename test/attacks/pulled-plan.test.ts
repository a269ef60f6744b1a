import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { expectCode, verdictsOf } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes, plan } from "../rig/plan.ts";
import { createRig } from "../rig/rig.ts";

/** Lines of the page that go on with one above, put together again. */
function unwrapped(text: string): string {
  return text.replaceAll(/\n +\u21b3 /g, "");
}

/** What a terminal obeys or hides: a title of the window, the clipboard, a link, a line that is overwritten, bidi. */
const dressed =
  "\u001b]0;owned\u0007\u001b]52;c;ZXZpbA==\u0007\u001b]8;;http://evil.invalid\u0007\r\u001b[2K\u202e\u200b";

test("attacks 11, 15 and 30: a plan that arrives by git pull runs nothing before it is approved, and shows all it hides", async () => {
  await using rig = await createRig({
    moves: { "01-a": writes("a.txt") },
    config: { run: { scope_requests: "grant" } },
  });
  const mark = `touch '${rig.outside}/fired'`;
  const title = `--upload-pack=$(${mark})`;
  const check = `${mark}; grep -q ready a.txt # ${dressed}`;
  const other = join(rig.root, "other");
  rig.git("clone", "--quiet", rig.repo, other);
  for (const [path, text] of Object.entries(plan({ tasks: { "01-a": makes("a.txt", { title, checks: [check] }) } })))
    rig.write(`../other/${path}`, text);
  rig.git("-C", other, "add", "--all");
  rig.git("-C", other, "commit", "--quiet", "--message", title);
  rig.git("pull", "--quiet", other, "main");

  const said: string[] = [];
  // Not `check`, which runs the checks of a plan that is being written: that is what it is typed for.
  for (const args of [["lint"], ["status"], ["run"], ["approve"]]) {
    const { stdout, stderr } = await rig.stint(args);
    said.push(stdout, stderr);
    expect(rig.isMarked("fired"), args.join(" ")).toBe(false);
  }

  // eslint-disable-next-line no-control-regex -- these characters are what must not come through.
  expect(said.join("")).not.toMatch(/[\u001b\u0007\r\u202e\u200b]/);
  expect(unwrapped(said.join(""))).toContain("\\u{1b}]52;c;ZXZpbA==\\u{7}");
  // Settings that take the sandbox or the questions away are part of what is approved.
  expect(said.join("")).toContain(
    "\nSandbox: none. Set-up, agents and checks can use your files and network,\n  because run.sandbox says so.\nScope requests: granted. Agents get files outside their task without asking,\n  except those that guard the checks.\n",
  );
  // The controls: shown by `cat` the text is obeyed, and typed at a shell either line runs.
  const cat = execFileSync("cat", [join(rig.repo, "plans/work/tasks/01-a.md")], { encoding: "utf8" });
  expect((parse(cat.split("---")[1] ?? "") as { checks: string[] }).checks[0]).toBe(check);
  for (const line of [`echo ${title}`, check]) {
    spawnSync("sh", ["-c", line], { cwd: rig.repo, stdio: "ignore" });
    expect(rig.isMarked("fired")).toBe(true);
    rmSync(join(rig.outside, "fired"));
  }
  // The honest twin: approved, it is run.
  expectCode(await rig.stint(["run", "--yes"]), 0);
  expect(rig.isMarked("fired")).toBe(true);
});

test("attack 18: ticked boxes and dropped tasks are refused, though whoever reads the plan would believe them", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt", { files: ["**"] }), "02-b": makes("b.txt", { depends: ["01-a"] }) } },
    config: { run: { attempts: 2 } },
    moves: {
      "01-a": {
        1: [...writes("a.txt"), { shell: "sed -i 's/\\[ \\]/[x]/' plans/work/plan.md" }],
        2: [...writes("a.txt"), { shell: "sed -i /02-b/d plans/work/plan.md && rm plans/work/tasks/02-b.md" }],
      },
    },
  });

  expectCode(await rig.stint(["run", "--yes"]), 3);

  expect(verdictsOf(rig, "01-a").map(({ guards }) => guards)).toEqual([
    ["protected plans/work/plan.md"],
    ["protected plans/work/plan.md", "protected plans/work/tasks/02-b.md"],
  ]);
  expect(rig.events("task-integrated")).toEqual([]);
  // The control: what the agent left says that all is done, or that there was nothing else to do.
  const { run } = await rig.status();
  const left = (attempt: number) =>
    rig.controlGit("show", `refs/stint/rescue/${run}/01-a/${attempt}:plans/work/plan.md`);
  expect(left(1).match(/- \[(.)\]/g)).toEqual(["- [x]", "- [x]"]);
  expect(left(2)).not.toContain("02-b");
  expect(readFileSync(join(rig.repo, "plans/work/plan.md"), "utf8").match(/- \[ \]/g)).toHaveLength(2);
});
