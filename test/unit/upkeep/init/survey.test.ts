import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { planLimits } from "../../../../src/plan/limits.ts";
import { upkeepLimits } from "../../../../src/upkeep/limits.ts";
import { firstOf, inDir, manifestsOf, surveyOf, textOf } from "../../../../src/upkeep/init/survey.ts";
import { createRig } from "../../../rig/rig.ts";

test("a work tree is read as it is now: new files count, removed and ignored ones do not, and links are not followed", async () => {
  await using rig = await createRig({
    files: { "package.json": "{}", "gone.txt": "x", ".gitignore": "node_modules/\n" },
  });
  rmSync(join(rig.repo, "gone.txt"));
  rig.write("go.mod", "module x\n");
  rig.write("node_modules/a/package.json", "{}");
  rig.write("web/package.json", "x".repeat(planLimits.planFileBytesMax + 1));
  writeFileSync(join(rig.outside, "secret.toml"), "[package]\n");
  symlinkSync(join(rig.outside, "secret.toml"), join(rig.repo, "Cargo.toml"));
  rig.git("config", "core.hooksPath", "hooks");
  rig.write("hooks/pre-commit", "#!/bin/sh\n");

  const { files, texts, unread, ignored, hooks } = await surveyOf(rig.repo);

  expect([...files]).toEqual(
    expect.arrayContaining(["package.json", "go.mod", "web/package.json", "hooks/pre-commit"]),
  );
  expect(["node_modules/a/package.json", "gone.txt"].filter((path) => files.has(path))).toEqual([]);
  expect(Object.fromEntries(texts)).toEqual({ "package.json": "{}", "go.mod": "module x\n" });
  expect(unread.map((line) => line.split(" ")[0])).toEqual(["Cargo.toml", "web/package.json"]);
  expect([...ignored]).toEqual(expect.arrayContaining(["node_modules", "web/node_modules"]));
  expect(ignored.has("vendor") || ignored.has(".stint")).toBe(false);
  expect(hooks).toEqual({ path: "hooks", names: ["pre-commit"] });
});

test("manifests at the root come first, those below one folder count, and their number is bounded", () => {
  const many = Array.from({ length: 2 * upkeepLimits.initManifestsMax }, (_, at) => `f${at}/package.json`);
  const found = manifestsOf(new Set([...many, "a/b/go.mod", "go.mod", "src/main.go", "Makefile"]));
  expect(found.slice(0, 3)).toEqual(["go.mod", "Makefile", "f0/package.json"]);
  expect(found).toHaveLength(upkeepLimits.initManifestsMax);
});

test("files of a project are looked for in its folder", () => {
  const files = new Map([
    ["go.mod", "root"],
    ["web/a.toml", "web"],
  ]);
  const survey = {
    files: new Set(files.keys()),
    texts: files,
    unread: [],
    ignored: new Set<string>(),
    hooks: { path: null, names: [] },
  };
  expect([inDir("", "x"), inDir("web", "x")]).toEqual(["x", "web/x"]);
  expect(firstOf(survey, "web", ["go.mod", "a.toml"])).toBe("a.toml");
  expect([textOf(survey, "", "go.mod"), textOf(survey, "web", "go.mod")]).toEqual(["root", ""]);
});
