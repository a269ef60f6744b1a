import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openPane, whyNoTmux } from "../rig/pane.ts";
import { makes, plan } from "../rig/plan.ts";
import { asks, createPlanningRig, inboxOf, keepsInbox, leavesPlan, planningEvents } from "../rig/planning.ts";
import type { Rig } from "../rig/rig.ts";

const life = { id: "life", question: "How long does a token live?", options: ["15m", "24h"], recommend: "24h" };
const name = { id: "name", question: "What is it called?", options: ["Left", "Right"] };
const place = { id: "place", question: "Where does it go?", recommend: "Below src" };
const tasks = { "01-a": makes("a.txt"), "02-b": makes("b.txt", { depends: ["01-a"] }) };
const good = leavesPlan({ tasks });
const words = "[e]dit <file>, [s]how <file>, re[j]ect:";
const wide = { columns: 110, rows: 100 };

describe.skipIf(whyNoTmux !== undefined)("a planning session in a terminal", () => {
  test("Questions are answered by Enter, a number or words; the draft is shown with its checks' colours, and accepted.", async () => {
    await using rig = await createPlanningRig({ interview: asks(life, name, place), draft: good });
    await using pane = await openPane(rig, `plan 'Make two files'`, wide);

    await pane.until(/Question 1 of 3: life[^]* {2}1\. 15m\n {2}2\. 24h \(recommended\)/);
    await pane.press("Enter");
    await pane.until("Question 2 of 3: name");
    await pane.press("Enter");
    await pane.until("There is no recommendation: type an answer.");
    await pane.press("9", "Enter");
    await pane.until("Type a number from 1 to 2.");
    await pane.press("1", "Enter");
    await pane.until(/Question 3 of 3: place[^]*Recommended: Below src[^]*b goes back/);
    await pane.press("b", "Enter");
    await pane.until(/Question 2 of 3: name[^]*Your answer so far: Left[^]*Enter keeps your answer/);
    await pane.press("b", "Enter");
    await pane.until(/Your answer so far: 24h/);
    await pane.press("Enter");
    await pane.until(/Your answer so far: 24h[^]*Question 2 of 3: name/);
    await pane.press("2", "Enter");
    await pane.until(/Your answer so far: 24h[^]*Question 3 of 3: place/);
    await pane.press("On a shelf", "Enter");

    const review = await pane.until(words);
    expect(review).toContain("Goal: Show one behaviour");
    expect(review).toMatch(/wave 1 {2}── ◆ 01-a[^]*wave 2 {2}── ◆ 02-b/);
    expect(review).toMatch(/life: How long does a token live\?\n +answer: 24h \(answered by a person\)/);
    expect(review).toMatch(
      /Task 02-b: Do 02-b\n {2}wave 2, critical path; 15m; after 01-a\n {2}may create: b\.txt\n {2}red {4}grep -q ready b\.txt/,
    );
    expect(review).toContain("Critique: no findings.");
    expect(review).toMatch(/2 tasks in 2 waves; critical path 01-a > 02-b, 30m in all\n\[a\]ccept/);

    await pane.press("s nothing", "Enter");
    await pane.until("No such file. The draft has: plan.md, scope.md, tasks/01-a.md, tasks/02-b.md");
    await pane.press("s 02-b", "Enter");
    await pane.until(/tasks\/02-b\.md:[^]*depends:[^]*\[a\]ccept/);
    await pane.press("yes", "Enter");
    await pane.until("Type one of these letters");
    await pane.press("a", "Enter");
    await pane.until(/Read and approve it: `stint approve make-two-files`\nEXIT=0 icanon/);
    const planned = readFileSync(join(rig.repo, "plans/make-two-files/plan.md"), "utf8");
    expect(planned).toMatch(/answer: 24h[^]*answer: Right[^]*answer: On a shelf/);
    expect(planned).not.toContain("assumed: true");
  });

  test("A person's words go back to the planner, and the next draft is shown.", async () => {
    const draft = { "1": good, "2": [keepsInbox("second"), ...leavesPlan({ tasks: { "01-a": makes("c.txt") } })] };
    await using rig = await createPlanningRig({ draft });
    await using pane = await openPane(rig, `plan 'Make two files'`, wide);

    await pane.until(words);
    await pane.press("r", "Enter");
    await pane.until("What should change?");
    await pane.press("One file is enough, called c.txt", "Enter");
    await pane.until(/with your request[^]*may create: c\.txt[^]*\[a\]ccept/);
    await pane.press("accept", "Enter");

    await pane.until("EXIT=0");
    expect(inboxOf(rig, "second", "words.md").trim()).toBe("One file is enough, called c.txt");
    expect(inboxOf(rig, "second", "draft/tasks/02-b.md")).toContain("b.txt");
  });

  test("An edit is taken and goes back as a difference; an editor that is not set, fails or changes nothing is said.", async () => {
    const draft = { "1": good, "2": [keepsInbox("second"), { leave: "plan.md", text: planMd("Edited twice") }] };
    await using rig = await createPlanningRig({ draft });
    const editor = program(
      rig,
      `case "$(cat "${rig.outside}/mode" 2>/dev/null)" in
      fail) echo broken >>"$2"; exit 3 ;;
      same) ;;
      *) printf 'New title: '; read -r typed; sed -i "s/Do 01-a/$typed/" "$2" ;;
    esac`,
    );
    {
      await using pane = await openPane(rig, `plan 'Make two files'`, wide);
      await pane.until(words);
      await pane.press("e", "Enter");
      await pane.until("No editor is set.");
      await pane.press("C-d", "");
      await pane.until("EXIT=3");
    }
    await using pane = await openPane(rig, "plan --continue", { ...wide, env: { EDITOR: `${editor} --wait` } });
    await pane.until(words);
    writeFileSync(join(rig.outside, "mode"), "fail");
    await pane.press("e", "Enter");
    await pane.until("The editor exited with 3; the draft is unchanged.");
    writeFileSync(join(rig.outside, "mode"), "same");
    await pane.press("e 01-a", "Enter");
    await pane.until("You changed nothing.");
    writeFileSync(join(rig.outside, "mode"), "edit");
    await pane.press("e 01-a", "Enter");
    await pane.until("New title:");
    await pane.press("Begin with care", "Enter");

    await pane.until(/with your edit[^]*Task 01-a: Begin with care[^]*\[a\]ccept/);
    await pane.press("a", "Enter");
    await pane.until("EXIT=0");
    expect(inboxOf(rig, "second", "words.md")).toMatch(
      /^--- tasks\/01-a\.md\n\+\+\+ tasks\/01-a\.md\n@@ [^]*\n-title: Do 01-a\n\+title: Begin with care\n/,
    );
    expect(inboxOf(rig, "second", "draft/tasks/01-a.md")).toContain("title: Begin with care");
    expect(inboxOf(rig, "second", "draft/plan.md")).not.toContain("broken");
    expect(planningEvents(rig, "draft-judged").map((event) => event["word"])).toEqual(["edit", "accept"]);
    expect(readFileSync(join(rig.repo, "plans/make-two-files/tasks/01-a.md"), "utf8")).toContain("Begin with care");
  });

  test("What a person decides in the editor is theirs, not assumed, and so is what they make of the proposed rules.", async () => {
    const decision = `title: A plan\ndecisions:\n  - { id: life, question: "How long?", answer: 24h }\n  - { id: name, question: "Which?", answer: Left }`;
    const first = [
      ...good,
      { leave: "plan.md", text: planMd("A plan").replace("title: A plan", decision) },
      { leave: "rules.md", text: "---\nstint: 1\n---\n\nBe brief.\n" },
    ];
    await using rig = await createPlanningRig({
      draft: { "1": first, "2": [{ leave: "plan.md", text: planMd("Edited") }] },
    });
    const editor = program(rig, `sed -i -e "s/24h/15m/" -e "s/Be brief/Be kind/" "$@"`);
    await using pane = await openPane(rig, `plan 'Make two files'`, { ...wide, env: { EDITOR: editor } });
    await pane.until(words);
    await pane.press("e plan.md proposed-rules.md", "Enter");

    await pane.until(/with your edit[^]*answer: 15m \(answered by a person\)[^]*\[a\]ccept/);
    await pane.press("a", "Enter");
    await pane.until("EXIT=0");
    const [judged] = planningEvents(rig, "draft-judged");
    expect(judged?.["decided"]).toMatchObject([{ id: "life", answer: "15m", assumed: false }]);
    const planned = readFileSync(join(rig.repo, "plans/make-two-files/plan.md"), "utf8");
    expect(planned).not.toContain("assumed: true");
    const rules = readFileSync(join(rig.repo, "plans/make-two-files/proposed-rules.md"), "utf8");
    expect(rules).toContain("Be kind.");
  });

  test("A draft is rejected only by a second yes; then no plan is written and the planning session is over.", async () => {
    await using rig = await createPlanningRig({ draft: good });
    await using pane = await openPane(rig, `plan 'Make two files'`, wide);

    await pane.until(words);
    await pane.press("j", "Enter");
    await pane.until("The planning session ends, and no plan is written. [y/N]");
    await pane.press("n", "Enter");
    await pane.until(/\[y\/N\] n\n\[a\]ccept/);
    await pane.press("j", "Enter");
    await pane.until(/\[y\/N\] n\n[^]*\[y\/N\]$/m);
    await pane.press("y", "Enter");

    await pane.until(/the draft was rejected, and no plan was written\.[^]*EXIT=3/);
    expect(rig.git("status", "--porcelain")).toBe("");
    expect((await rig.stint(["plan", "--continue"])).code).toBe(2);
  });

  test("Ctrl-C at a yes-or-no question is a no that ends with 130.", async () => {
    await using rig = await createPlanningRig({}, { plan: { tasks } });
    await using pane = await openPane(rig, "approve work", wide);

    await pane.until("Approve this plan? [y/N]");
    await pane.press("C-c", "");

    await pane.until(/not approved\nEXIT=130 icanon/);
  });

  test("Nobody is asked to approve a page that goes to a file: that needs --yes, as without a terminal.", async () => {
    await using rig = await createPlanningRig({}, { plan: { tasks } });
    await using pane = await openPane(rig, "approve work", { ...wide, redirect: `> '${rig.root}/page'` });

    await pane.until(
      /not approved: nobody could read the page on a terminal and\s+answer\.\s+Read the page,[^]*EXIT=3 icanon/,
    );
    expect(readFileSync(join(rig.root, "page"), "utf8")).toContain("runs: grep -q ready b.txt");
  });

  test("The page comes before the question whether to commit the plan; one that a commit hook changes is not approved.", async () => {
    await using rig = await createPlanningRig({}, { plan: { tasks } });
    rig.write("plans/work/notes.md", "a note\n");
    const start = rig.git("rev-parse", "HEAD");
    {
      await using pane = await openPane(rig, "approve work", wide);
      const asked = await pane.until("Commit these files and approve this plan? [y/N]");
      expect(asked).toMatch(/grep -q ready b\.txt[^]*not committed yet:\n {2}plans\/work\/notes\.md\nCommit these/);
      expect(rig.git("rev-parse", "HEAD")).toBe(start);
      await pane.press("n", "Enter");
      await pane.until(/not approved\nEXIT=3/);
      expect(rig.git("rev-parse", "HEAD")).toBe(start);
    }
    {
      await using pane = await openPane(rig, "approve work", wide);
      await pane.until("approve this plan? [y/N]");
      await pane.press("y", "Enter");
      await pane.until(/Approved work at [^]*EXIT=0/);
      expect(rig.git("diff", "--name-only", start, "HEAD")).toBe("plans/work/notes.md");
    }
    rig.write("plans/work/notes.md", "another note\n");
    const hook = join(rig.gitDir, "hooks/pre-commit");
    writeFileSync(hook, "#!/bin/sh\necho more >>plans/work/notes.md\ngit add plans/work/notes.md\n");
    chmodSync(hook, 0o755);
    await using pane = await openPane(rig, "approve work", wide);
    await pane.until("approve this plan? [y/N]");
    await pane.press("y", "Enter");
    await pane.until(/not approved: the commit does not have what the page showed[^]*EXIT=3/);
  });

  test("Whoever leaves at a question or at the draft finds all of it again; keys pressed meanwhile answer nothing.", async () => {
    const draft = [{ hold: "drafting" }, ...good];
    await using rig = await createPlanningRig({ interview: asks(life, place), draft });
    {
      await using pane = await openPane(rig, `plan 'Make two files'`, wide);
      await pane.until("Question 1 of 2: life");
      await pane.press("1", "Enter");
      await pane.until("Question 2 of 2: place");
      await pane.press("C-c", "");
      await pane.until(
        /interrupted; nothing is lost\. Resume: `stint plan --continue make-two-files`\nEXIT=130 icanon/,
      );
    }
    {
      await using pane = await openPane(rig, "plan --continue", wide);
      const asked = await pane.until("Question 2 of 2: place");
      expect(asked).not.toContain("life");
      await pane.press("Enter");
      await pane.until("draft: planner (scripted) started");
      await pane.press("a", "Enter", "a", "Enter");
      rig.release("drafting");
      await pane.until(words);
      await pane.press("C-d", "");
      await pane.until(/the draft is waiting for your review:\s[^]*EXIT=3 icanon/);
    }
    expect(planningEvents(rig, "draft-judged")).toEqual([]);
    await using pane = await openPane(rig, "plan --continue", wide);
    await pane.until(words);
    await pane.press("a", "Enter");
    await pane.until("EXIT=0");
    expect(planningEvents(rig, "session-started")).toHaveLength(4);
    expect(readFileSync(join(rig.repo, "plans/make-two-files/plan.md"), "utf8")).toMatch(
      /answer: 15m[^]*answer: Below src/,
    );
  });

  test("A revision is shown as what becomes of its tasks, not as a whole plan.", async () => {
    const revised = leavesPlan({
      tasks: { "01-a": tasks["01-a"], "02-b": makes("c.txt", { depends: ["01-a"] }), "03-c": makes("d.txt") },
    });
    await using rig = await createPlanningRig({ draft: revised }, { files: plan({ name: "two", tasks }) });
    await using pane = await openPane(rig, `plan --revise 'Call it c.txt' two`, wide);

    const shown = await pane.until(words);

    expect(shown).toMatch(/Revision of plan two: 1 task added, 1 task changed\n {2}~ 02-b changed\n {2}\+ 03-c added/);
    expect(shown).toMatch(/tasks\/02-b\.md\n[^]*- {4}- b\.txt\n {2}\+ {4}- c\.txt/);
    expect(shown).toMatch(/Task 02-b: [^]*?may create: c\.txt\n {2}red {4}grep -q ready c\.txt/);
    expect(shown).not.toContain("tasks/01-a.md\n");
    expect(shown).not.toContain("Goal: Show one behaviour");
    await pane.press("a", "Enter");
    await pane.until(/`stint approve two`\nEXIT=0/);
    expect(rig.git("diff", "--name-only")).toBe("plans/two/plan.md\nplans/two/tasks/02-b.md");
  });
});

function planMd(title: string): string {
  const text = plan({ name: "x", tasks })["plans/x/plan.md"] ?? "";
  return text.replace("title: A plan of the tests", `title: ${title}`);
}

function program(rig: Rig, script: string): string {
  const file = join(rig.outside, "editor");
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}
