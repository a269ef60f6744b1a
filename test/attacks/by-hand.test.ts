import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectCode, verdictsOf } from "../rig/facts.ts";
import { makes } from "../rig/plan.ts";
import { createRig } from "../rig/rig.ts";
import { taken } from "../rig/taken.ts";

test("Hooks, filters and settings planted in a taken workspace are not honoured at submit, and its guards hold.", async () => {
  await using rig = await createRig({ plan: { tasks: { "01-a": makes("a.txt") } } });
  expectCode(await rig.stint(["approve", "--yes"]), 0);
  const path = await taken(rig, "01-a");
  const [fired, evil] = [join(rig.outside, "fired"), join(rig.outside, "evil.sh")];
  writeFileSync(evil, `#!/bin/sh\ntouch '${fired}'\ncat\n`);
  chmodSync(evil, 0o755);
  mkdirSync(join(path, ".git", "hooks"), { recursive: true });
  for (const hook of ["pre-commit", "post-index-change", "reference-transaction"])
    writeFileSync(join(path, ".git", "hooks", hook), `#!/bin/sh\ntouch '${fired}'\n`, { mode: 0o755 });
  rig.git("-C", path, "config", "core.fsmonitor", evil);
  rig.git("-C", path, "config", "filter.evil.clean", evil);
  writeFileSync(join(path, ".git", "info", "attributes"), "* filter=evil\n");
  writeFileSync(join(path, "a.txt"), "ready\n");
  rig.git("-C", path, "add", "a.txt");
  expect(existsSync(fired)).toBe(true);
  rmSync(fired);

  writeFileSync(join(path, "README.md"), "not mine to change\n");
  expectCode(await rig.stint(["submit", "01-a"]), 3);
  expect(verdictsOf(rig, "01-a")).toMatchObject([{ result: "failed", reason: "guard", guards: ["scope README.md"] }]);
  writeFileSync(join(path, "README.md"), "A repo of the tests.\n");
  expectCode(await rig.stint(["submit", "01-a"]), 0);

  expect(existsSync(fired)).toBe(false);
  expect(rig.git("show", "stint/work:a.txt")).toBe("ready");
});
