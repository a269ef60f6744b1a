import { expect, test } from "vitest";
import { claimsOf, claimsOfAll, isClaimed, meetingPlace, type Claims } from "../../../src/plan/claims.ts";
import type { TaskFiles } from "../../../src/plan/types.ts";
import { planLimits } from "../../../src/plan/limits.ts";

const tree = new Set(["README.md", "app/[id]/page.ts", "app/[slug]/page.ts", "src/a.ts", "src/b.ts", "src/deep/c.ts"]);

function files(some: Partial<TaskFiles>): TaskFiles {
  return { create: [], modify: [], delete: [], touch: [], ...some };
}

function claims(some: Partial<TaskFiles>): Claims {
  return claimsOfAll([{ files: files(some) }], tree)[0]!;
}

function meet(one: Partial<TaskFiles>, other: Partial<TaskFiles>): string | undefined {
  const [a, b] = [claims(one), claims(other)];
  // Neither goes first.
  expect(meetingPlace(b, a) === undefined).toBe(meetingPlace(a, b) === undefined);
  return meetingPlace(a, b);
}

test("two tasks meet at a file that both name, whatever they do to it", () => {
  expect(meet({ create: ["new.ts"] }, { touch: ["new.ts"] })).toBe("new.ts");
  expect(meet({ modify: ["src/a.ts"] }, { delete: ["src/a.ts"] })).toBe("src/a.ts");
  expect(meet({ create: ["new.ts"] }, { create: ["other.ts"] })).toBeUndefined();
});

test("a glob for files that exist claims those that exist, and nothing beside them", () => {
  expect(claims({ modify: ["src/*.ts"] })).toEqual({ paths: ["src/a.ts", "src/b.ts"], folders: [] });
  expect(meet({ modify: ["src/*.ts"] }, { modify: ["src/deep/c.ts"] })).toBeUndefined();
  expect(meet({ modify: ["src/*.ts"] }, { create: ["src/new.ts"] })).toBeUndefined();
  expect(meet({ modify: ["src/**"] }, { modify: ["src/deep/c.ts"] })).toBe("src/deep/c.ts");
});

test("a glob for files that do not exist yet claims its folder: doubt is overlap", () => {
  expect(claims({ create: ["src/gen-*.ts"] }).folders).toEqual(["src/"]);
  expect(meet({ create: ["src/gen-*.ts"] }, { modify: ["src/a.ts"] })).toBe("src/a.ts");
  expect(meet({ create: ["src/gen-*.ts"] }, { create: ["src/deep/*.ts"] })).toBe("src/deep/");
  expect(meet({ create: ["src/gen-*.ts"] }, { create: ["srcs/x.ts"] })).toBeUndefined();
  expect(meet({ touch: ["**/*.md"] }, { create: ["elsewhere.ts"] })).toBe("elsewhere.ts");
  expect(meet({ touch: ["**"] }, { touch: ["docs/**"] })).toBe("docs/");
});

test("a list in braces names files, not their folder", () => {
  expect(claims({ create: ["src/{x,y}.ts"] })).toEqual({ paths: ["src/x.ts", "src/y.ts"], folders: [] });
  expect(meet({ create: ["src/{x,y}.ts"] }, { create: ["src/z.ts"] })).toBeUndefined();
  expect(meet({ create: ["src/{x,y}.ts"] }, { create: ["src/y.ts"] })).toBe("src/y.ts");
});

test("brackets in names are names", () => {
  expect(meet({ modify: ["app/[id]/page.ts"] }, { modify: ["app/[slug]/page.ts"] })).toBeUndefined();
  expect(meet({ modify: ["app/[id]/page.ts"] }, { modify: ["app/[id]/page.ts"] })).toBe("app/[id]/page.ts");
  expect(meet({ create: ["app/[id]/*.ts"] }, { modify: ["app/[slug]/page.ts"] })).toBe("app/[slug]/page.ts");
});

test("names that differ in case or composition may be one file", () => {
  expect(meet({ create: ["src/New.ts"] }, { create: ["src/new.ts"] })).toBe("src/New.ts");
  expect(meet({ create: ["caf\u00e9.ts"] }, { create: ["cafe\u0301.ts"] })).toBe("caf\u00e9.ts");
  expect(meet({ create: ["SRC/x-*.ts"] }, { modify: ["src/a.ts"] })).toBe("src/a.ts");
});

test("a file and a folder of the same name meet", () => {
  expect(meet({ create: ["lib"] }, { create: ["lib/x.ts"] })).toBe("lib/x.ts");
  expect(meet({ create: ["lib"] }, { create: ["lib/*.ts"] })).toBe("lib/");
  expect(meet({ create: ["lib"] }, { create: ["library/x.ts"] })).toBeUndefined();
});

test("without a tree every glob claims its folder", () => {
  expect(claimsOf(files({ modify: ["src/*.ts", "README.md"] }))).toEqual({ paths: ["README.md"], folders: ["src/"] });
});

test("more files than a claim may list are claimed as their folder, also for all tasks of a large plan together", () => {
  const many = new Set(Array.from({ length: planLimits.claimedPathsMax + 1 }, (_, at) => `many/${at}.ts`));
  const [one] = claimsOfAll([{ files: files({ modify: ["many/*.ts"] }) }], many);
  expect(one).toEqual({ paths: [], folders: ["many/"] });
  const tasks = Array.from({ length: 1_000 }, () => ({ files: files({ modify: ["many/1*.ts"] }) }));
  const paths = claimsOfAll(tasks, many).flatMap((claimed) => claimed.paths);
  expect(paths.length).toBeLessThanOrEqual(planLimits.claimedPathsOfAllMax);
});

test("a path is claimed literally, or by a folder above it", () => {
  const some = claims({ create: ["src/gen-*.ts"], modify: ["README.md"] });
  expect(["README.md", "src/deep/c.ts", "readme.md", "docs/x.md"].map((path) => isClaimed(path, some))).toEqual([
    true,
    true,
    true,
    false,
  ]);
});
