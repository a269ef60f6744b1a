import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { expectCode } from "../rig/facts.ts";
import { canLayer } from "../rig/layers.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig } from "../rig/rig.ts";

const ids = ["01-a", "02-b", "03-c", "04-d"];
const chain = (checks: Record<string, string> = {}) =>
  Object.fromEntries(
    ids.map((id, at) => {
      const own = makes(`${id}.txt`);
      const before = ids[at - 1];
      const depends = before === undefined ? {} : { depends: [before] };
      return [id, { ...own, ...depends, ...(checks[id] === undefined ? {} : { checks: [checks[id]] }) }];
    }),
  );
const work = Object.fromEntries(ids.map((id) => [id, writes(`${id}.txt`)]));

function hasStrace(): boolean {
  try {
    execFileSync("strace", ["-V"]);
    return true;
  } catch {
    process.stdout.write("SKIPPED: checks that are not asked again, because strace is not installed\n");
    return false;
  }
}

describe.skipIf(!canLayer || !hasStrace())("in a chain of tasks", () => {
  test("checks that read nothing of what changed are not asked again, until the end asks all of them", async () => {
    await using rig = await createRig({
      sandbox: "bwrap",
      plan: { tasks: chain({ "02-b": "ls *.txt | grep -q 02-b" }) },
      moves: work,
    });
    expectCode(await rig.stint(["run", "--yes"]), 0);
    const earlier = (task: string) => {
      const [verdict] = rig.events("verdict", task) as unknown as [
        { readonly checks: readonly { readonly of?: string }[] },
      ];
      return verdict.checks.flatMap(({ of }) => of ?? []);
    };
    expect(earlier("02-b")).toEqual([]);
    // What lists the folder may see the new file.
    expect(earlier("03-c")).toEqual(["02-b"]);
    // The third was not watched, because only one task was to come.
    expect(earlier("04-d")).toEqual(["02-b", "03-c"]);
    expect(rig.git("log", "-1", "--format=%(trailers:key=Stint-Verified,valueonly)", "stint/work").trim()).toBe(
      "3 checks",
    );
    const [final] = rig.events("final-verified") as unknown as [
      { readonly checks: readonly { readonly cached?: true }[] },
    ];
    expect(final.checks).toHaveLength(4);
    expect(final.checks.filter(({ cached }) => cached !== true)).toHaveLength(1);
  });

  test("with `reverify: all`, every check is asked of every commit", async () => {
    await using rig = await createRig({
      sandbox: "bwrap",
      config: { run: { reverify: "all" } },
      plan: { tasks: chain() },
      moves: work,
    });
    expectCode(await rig.stint(["run", "--yes"]), 0);
    const counts = rig.events("verdict").map((event) => (event["checks"] as unknown[]).length);
    expect(counts).toEqual([1, 2, 3, 4]);
  });

  test("work that breaks what an earlier check reads is refused, although it is the first to touch that file", async () => {
    await using rig = await createRig({
      files: { "settings.txt": "safe\n" },
      sandbox: "bwrap",
      config: { run: { attempts: 1 } },
      plan: {
        tasks: {
          ...chain({ "01-a": "grep -q safe settings.txt && test -f 01-a.txt" }),
          "03-c": {
            ...makes("03-c.txt"),
            depends: ["02-b"],
            files: { create: ["03-c.txt"], modify: ["settings.txt"] },
          },
        },
      },
      moves: {
        ...work,
        "03-c": [...writes("03-c.txt"), { write: "settings.txt", text: "bad\n" }],
      },
    });
    await rig.stint(["run", "--yes"]);
    expect(rig.events("verdict", "02-b")).toMatchObject([{ result: "passed", checks: [{ state: "green" }] }]);
    expect(rig.events("verdict", "03-c")).toMatchObject([{ result: "failed", reason: "check" }]);
  });
});
