import { expect, test } from "vitest";
import { pageFor } from "../../../rig/page.ts";
import { makes, plan } from "../../../rig/plan.ts";

test("Settings that let a planner change the plan are noted with how often; those that ask are not.", () => {
  const told = (run: string) =>
    pageFor({ files: { ...plan({ tasks: { "01-a": makes("a.txt") } }), ".stint/config.yaml": `run: ${run}\n` } });
  const auto = told("{ replan: auto, replan_max: 3 }");
  const word = "the planner may change the plan without asking you, up to 3 times";
  expect(auto).toMatchObject({ replan: { mode: "auto", max: 3 }, unusual: expect.arrayContaining([word]) });
  expect(told("{ replan: ask }").unusual.join()).not.toContain("change the plan");
});
