import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commitsOf, expectCode } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig } from "../rig/rig.ts";

/** Plants a marker-touching program wherever git in this checkout would run one. */
function poison(marker: string): string {
  const hooks = "post-checkout pre-commit post-commit post-index-change reference-transaction post-update pre-push";
  return [
    `printf '#!/bin/sh\\ntouch "${marker}"\\n' > .git/evil && chmod +x .git/evil`,
    `mkdir -p .git/hooks && for hook in ${hooks}; do cp .git/evil ".git/hooks/$hook"; done`,
    `for key in core.fsmonitor core.sshCommand core.pager core.editor diff.external gpg.program credential.helper uploadpack.packObjectsHook filter.evil.clean filter.evil.smudge; do git config "$key" "$PWD/.git/evil"; done`,
    `echo '* filter=evil diff=evil merge=evil' > .git/info/attributes`,
  ].join(" && ");
}

test("Nothing that an agent plants in the .git of its workspace ever fires.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt", { depends: ["01-a"] }) } },
  });
  const marker = join(rig.outside, "fired");
  rig.moves({ "01-a": [...writes("a.txt"), { shell: poison(marker) }], "02-b": writes("b.txt") });

  expectCode(await rig.stint(["run", "--yes"]), 0);

  expect(rig.isMarked("fired")).toBe(false);
  expect(commitsOf(rig)).toEqual(["01-a", "02-b"]);
});

test("The same poison does fire when git is called in the poisoned checkout without care.", async () => {
  await using rig = await createRig();
  const victim = join(rig.root, "victim");
  mkdirSync(victim);

  const script = `git init -q . && mkdir -p .git/info && ${poison(join(rig.outside, "fired"))} && touch x && git add x`;
  execFileSync("sh", ["-c", script], { cwd: victim, stdio: "ignore" });

  expect(rig.isMarked("fired")).toBe(true);
});

test("A workspace whose .git was deleted or points elsewhere is snapshotted all the same.", async () => {
  await using rig = await createRig({ plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt") } } });
  rig.moves({
    "01-a": [...writes("a.txt"), { delete: ".git" }],
    "02-b": [...writes("b.txt"), { delete: ".git" }, { shell: `echo "gitdir: ${rig.gitDir}" > .git` }],
  });
  const before = rig.fingerprint();

  expectCode(await rig.stint(["run", "--yes"]), 0);
  expect(commitsOf(rig)).toEqual(["01-a", "02-b"]);
  expect(rig.fingerprint()).toEqual(before);
});
