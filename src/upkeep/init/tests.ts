import { matcher } from "../../plan/paths.ts";
import { protectedKind } from "../../plan/protected.ts";
import { sharesProcess } from "./node.ts";
import { inDir, type Found, type Protection, type Survey } from "./survey.ts";

/** Proposes globs for tests of the repository that no built-in pattern covers. */
export function protections(survey: Survey, projects: readonly Found[]): Protection[] {
  const uncovered = [...survey.files].filter((path) => protectedKind(path, []) === undefined);
  const found = candidates.filter(({ glob }) => uncovered.some(matcher([glob])));
  const shared = projects
    .filter(({ kind, dir }) => kind === "node" && sharesProcess(survey, dir))
    .map(({ dir }) => ({
      glob: inDir(dir, "**/*.{test,spec}.*"),
      why: "these tests share a process, so new ones must be named, too",
    }));
  return [...found, ...shared];
}

const candidates: readonly Protection[] = [
  { glob: "**/tests.py", why: "tests of Django apps" },
  { glob: "**/*_tests.py", why: "tests" },
  { glob: "**/{test,tests}.{js,mjs,cjs,ts}", why: "tests in one file" },
  { glob: "**/*.tests.{js,mjs,cjs,ts,tsx}", why: "tests" },
  { glob: "**/{specs,e2e,cypress,integration-tests,integration_tests}/**", why: "tests in their own folders" },
  { glob: "**/*.feature", why: "Cucumber or behave scenarios" },
  { glob: "**/{fixtures,golden,goldens}/**", why: "expected results of tests" },
  { glob: "**/*.{golden,approved}.*", why: "expected results of tests" },
];
