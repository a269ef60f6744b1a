import { expect, test } from "vitest";
import { plain } from "../../../../src/cli/paint.ts";
import { renderPage } from "../../../../src/cli/approval-page/render.ts";
import { pageFor } from "../../../rig/page.ts";
import { planDocument } from "../../../rig/page-plans.ts";
import { makes, plan } from "../../../rig/plan.ts";

const look = { width: 80, paint: plain, isUnicode: true };

test("an open decision is shown as one, with its line", () => {
  const decisions = [{ id: "colour", question: "Which colour?", options: ["red", "blue"], recommend: "red" }];
  const open = planDocument({ title: "T", decisions, tasks: ["01-a"] });
  const files = { ...plan({ tasks: { "01-a": makes("a.txt") } }), "plans/work/plan.md": open };
  const lines = renderPage(pageFor({ files }), look);
  const at = lines.indexOf("Decisions:");
  expect(lines.slice(at, at + 5)).toEqual([
    "Decisions:",
    "  colour: Which colour?",
    "    open: write an answer at plans/work/plan.md:5",
    "    options: red, blue",
    "    recommended: red",
  ]);
});
