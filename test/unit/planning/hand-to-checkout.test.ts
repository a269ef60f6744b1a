import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { handToCheckout, type HandedOver } from "../../../src/planning/hand-to-checkout.ts";
import { projectOf, standing } from "../../rig/drafts.ts";
import { makes, plan } from "../../rig/plan.ts";
import { createRig, type Rig } from "../../rig/rig.ts";

const small = plan({ tasks: { "01-a": makes("a"), "02-b": makes("b") } });
const revised = plan({ tasks: { "01-a": makes("a", { goal: "Something else." }), "03-c": makes("c") } });

async function hand(rig: Rig, texts: Readonly<Record<string, string>>, more: Partial<HandedOver> = {}) {
  const documents = new Map(Object.entries(texts).map(([path, text]) => [path, Buffer.from(text)]));
  const result = await handToCheckout(await projectOf(rig), { plan: "work", documents, replace: false, ...more });
  return result.ok ? result.value : result.failure.message;
}

const inCheckout = (rig: Rig, path: string) => readFileSync(join(rig.repo, path), "utf8");

test("a new plan is written, not committed, and doing it again changes nothing", async () => {
  await using rig = await createRig();
  expect(await hand(rig, small)).toEqual(Object.keys(small).toSorted());
  for (const [path, text] of Object.entries(small)) expect(inCheckout(rig, path)).toBe(text);
  expect(rig.git("status", "--porcelain")).toBe("?? plans/");
  expect(await hand(rig, small)).toEqual([]);
});

test("what a kill left half written is completed, and nothing of it stays aside", async () => {
  await using rig = await createRig();
  rig.write("plans/work/tasks/01-a.md", small["plans/work/tasks/01-a.md"]!);
  rig.write("plans/work/tasks/02-b.md.stint-part", "half");
  rig.write("plans/work/plan.md.stint-part", "half");
  expect(await hand(rig, small)).toEqual(["plans/work/plan.md", "plans/work/scope.md", "plans/work/tasks/02-b.md"]);
  expect(readdirSync(join(rig.repo, "plans/work")).toSorted()).toEqual(["plan.md", "scope.md", "tasks"]);
});

test("another plan of that name is never written over", async () => {
  await using rig = await createRig({ files: small });
  expect(await hand(rig, revised)).toBe(
    'plans/work already exists and is different:\n  plans/work/plan.md\n  plans/work/tasks/01-a.md\n  plans/work/tasks/02-b.md\nNothing was written. Choose another name with `--name`, or change that plan with `stint plan --revise "…" work`.',
  );
  expect(rig.git("status", "--porcelain")).toBe("");
});

test("a revision writes what differs and removes what is gone; files of the user's own stay", async () => {
  await using rig = await createRig({ files: { ...small, "plans/work/tasks/notes.txt": "mine\n" } });
  expect(await hand(rig, revised, { replace: true })).toEqual([
    "plans/work/plan.md",
    "plans/work/tasks/01-a.md",
    "plans/work/tasks/02-b.md",
    "plans/work/tasks/03-c.md",
  ]);
  expect(existsSync(join(rig.repo, "plans/work/tasks/02-b.md"))).toBe(false);
  expect(inCheckout(rig, "plans/work/tasks/notes.txt")).toBe("mine\n");
  expect(await hand(rig, revised, { replace: true })).toEqual([]);
});

test("an edit that is not committed is neither written over nor removed, and nothing else is written", async () => {
  await using rig = await createRig({ files: small });
  rig.write("plans/work/tasks/01-a.md", "my own words\n");
  rig.write("plans/work/tasks/02-b.md", "and mine\n");
  expect(await hand(rig, revised, { replace: true })).toBe(
    "These files have uncommitted changes that the revision would overwrite:\n  plans/work/tasks/01-a.md\n  plans/work/tasks/02-b.md\nNothing was written. Commit or move them, then run `stint plan --continue`.",
  );
  expect(inCheckout(rig, "plans/work/plan.md")).toBe(small["plans/work/plan.md"]);
  rig.commit("Mine");
  expect(await hand(rig, revised, { replace: true })).toHaveLength(4);
});

test("a file that git ignores is a person's work as well, unless it is as the plan has it", async () => {
  await using rig = await createRig({ files: small });
  const stands = (await standing(rig, [])).files;
  rig.git("rm", "-r", "-q", "--cached", "plans");
  rig.write(".gitignore", "plans/\n");
  rig.git("add", ".gitignore");
  rig.git("commit", "-q", "-m", "Keep plans out");
  expect(await hand(rig, revised, { replace: true })).toMatch(/^These files have uncommitted changes/);
  expect(await hand(rig, revised, { replace: true, standing: stands })).toHaveLength(4);
});

test("ticks are no work of a person's", async () => {
  await using rig = await createRig({ files: small });
  rig.write("plans/work/plan.md", small["plans/work/plan.md"]!.replace("- [ ] [01-a]", "- [x] [01-a]"));
  expect(await hand(rig, revised, { replace: true })).toHaveLength(4);
});

test("links and other things in the way are refused, and nothing is written through them", async () => {
  await using rig = await createRig();
  const elsewhere = join(rig.outside, "elsewhere");
  mkdirSync(elsewhere);
  symlinkSync(elsewhere, join(rig.repo, "plans"));
  expect(await hand(rig, small)).toBe(
    "plans/work: is below a symbolic link. Nothing was written. Move it away, then try again.",
  );
  await using other = await createRig();
  mkdirSync(join(other.repo, "plans/work"), { recursive: true });
  symlinkSync(elsewhere, join(other.repo, "plans/work/tasks"));
  expect(await hand(other, small)).toMatch(/^plans\/work\/tasks: is a symbolic link, not a file\. Nothing was written/);
  await using third = await createRig();
  mkdirSync(join(third.repo, "plans/work"), { recursive: true });
  writeFileSync(join(third.outside, "victim"), "untouched");
  symlinkSync(join(third.outside, "victim"), join(third.repo, "plans/work/plan.md"));
  expect(await hand(third, small, { replace: true })).toMatch(/^plans\/work\/plan\.md: is a symbolic link/);
  expect(readdirSync(elsewhere)).toEqual([]);
  expect(readFileSync(join(third.outside, "victim"), "utf8")).toBe("untouched");
});

test("what the disk refuses is one message, and the rest can be done again", async () => {
  await using rig = await createRig();
  mkdirSync(join(rig.repo, "plans/work/plan.md.stint-part/x"), { recursive: true });
  expect(await hand(rig, small)).toMatch(/^plans\/work could not be written: .*, then run `stint plan --continue`\.$/);
  expect(existsSync(join(rig.repo, "plans/work/plan.md"))).toBe(false);
  rmSync(join(rig.repo, "plans/work/plan.md.stint-part"), { recursive: true });
  expect(await hand(rig, small)).toEqual(["plans/work/plan.md"]);
});
