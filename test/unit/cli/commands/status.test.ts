import { expect, test } from "vitest";
import { renderStatus } from "../../../../src/cli/commands/status.ts";
import { summarise } from "../../../../src/engine/summary.ts";
import { honest, spec, World } from "../../../rig/world.ts";

test("each task has a mark, its effort and its commit; one that cannot start says why", () => {
  const world = new World([spec("01-a"), spec("02-bb", ["01-a"]), spec("03-c", ["02-bb"])]);
  world.go(honest((task) => (task === "02-bb" ? { kind: "crashed", detail: "exit 1" } : { kind: "ok" })));
  const lines = renderStatus({ ...summarise(world.state, false), published: false });
  expect(lines.map((line) => line.slice(0, 12))).toEqual(
    expect.arrayContaining(["  [x] 01-a  ", "  [!] 02-bb ", "  [ ] 03-c  "]),
  );
  expect(lines[0]).toMatch(/^run r: /);
  expect(lines.find((line) => line.includes("[!] 02-bb"))).toMatch(/3 attempts/);
  expect(lines[lines.findIndex((line) => line.includes("[ ] 03-c")) + 1]).toMatch(/^ {13}\S.*02-bb/);
  expect(lines).toContain(`branch stint/p is not at the run's tip ${world.state.tip.slice(0, 12)}`);
});

test("before a task has landed there is no branch to look at", () => {
  const { state } = new World([spec("01-a")]);
  expect(renderStatus(summarise(state, true))).toContain("nothing on branch stint/p yet");
});
