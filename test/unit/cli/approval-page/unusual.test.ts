import { expect, test } from "vitest";
import { pageFor } from "../../../rig/page.ts";
import { plain } from "../../../../src/cli/paint.ts";
import { renderPage } from "../../../../src/cli/approval-page/render.ts";
import { makes, plan } from "../../../rig/plan.ts";

test("Settings that let a planner change the plan are noted with how often; those that ask are not.", () => {
  const told = (run: string) =>
    pageFor({ files: { ...plan({ tasks: { "01-a": makes("a.txt") } }), ".stint/config.yaml": `run: ${run}\n` } });
  const auto = told("{ replan: auto, replan_max: 3 }");
  const word = "the planner may change the plan without asking you, up to 3 times";
  expect(auto).toMatchObject({ replan: { mode: "auto", max: 3 }, unusual: expect.arrayContaining([word]) });
  expect(told("{ replan: ask }").unusual.join()).not.toContain("change the plan");
});

const look = { width: 80, paint: plain, isUnicode: true };

test("A machine without a sandbox is noted with the consequence and the cure; one with a sandbox is not.", () => {
  const files = plan({ tasks: { "01-a": makes("a.txt") } });
  const noSandbox = "bwrap is not installed; install bubblewrap with apt, dnf, pacman or zypper";
  const page = pageFor({ files, noSandbox });
  const word = `no sandbox on this machine: agents and checks have your files and network; ${noSandbox}`;
  expect(page.unusual).toContain(word);
  expect(renderPage(page, look).join("\n").replace(/\s+/g, " ")).toContain(
    `Sandbox: none. Set-up, agents and checks can use your files and network: ${noSandbox}.`,
  );
  expect(pageFor({ files }).unusual.join()).not.toContain("sandbox");
});
