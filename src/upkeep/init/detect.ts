import { upkeepLimits } from "../limits.ts";
import { foundGo, foundRust, goManifests, rustManifests } from "./compiled.ts";
import { hookChecks, privateHooks } from "./git-hooks.ts";
import { foundNode, nodeManifests, sharesProcess } from "./node.ts";
import { foundPython, pythonManifests } from "./python.ts";
import { inDir, type Found, type Proposal, type Protection, type Survey, textOf } from "./survey.ts";
import { makefiles } from "../../syntax/table.ts";
import { matcher } from "../../plan/paths.ts";
import { protectedKind } from "../../plan/protected.ts";

/** Everything that `stint init` finds out about a repository. */
export interface Detected {
  readonly projects: readonly Found[];
  /** Checks for the rules, including doubtful ones. */
  readonly checks: readonly Proposal[];
  /** Checks that replace the user's git hooks. */
  readonly hooks: readonly Proposal[];
  /** Names of hooks that are not committed, so that no check can run them. */
  readonly privateHooks: readonly string[];
  readonly protect: readonly Protection[];
  /** What a person should know or do, in one or two sentences each. */
  readonly notes: readonly string[];
}

/** Finds the projects of a repository: at its root or, for a kind that the root does not have, one folder below. */
export function detect(survey: Survey): Detected {
  // Few files of a large repository are so near its root, and each kind of project is looked for among them.
  const near = [...survey.files].filter((path) => path.indexOf("/") === path.lastIndexOf("/"));
  const projects = detectors.flatMap(({ manifests, found }) =>
    placesOf(near, manifests).map((dir) => found(survey, dir)),
  );
  const own = projects.flatMap(({ checks }) => checks);
  return {
    projects,
    checks: [
      ...own,
      ...makeChecks(
        survey,
        own.some(({ doubt }) => doubt === undefined),
      ),
    ],
    hooks: hookChecks(survey),
    privateHooks: privateHooks(survey),
    protect: protections(survey, projects),
    notes: [...survey.unread, ...notIgnored(survey, projects), ...hiddenSettings(survey)],
  };
}

const detectors: readonly {
  readonly manifests: readonly string[];
  readonly found: (survey: Survey, dir: string) => Found;
}[] = [
  { manifests: nodeManifests, found: foundNode },
  { manifests: pythonManifests, found: foundPython },
  { manifests: goManifests, found: foundGo },
  { manifests: rustManifests, found: foundRust },
];

/** Only folders with plain names count: they become part of a command line. */
function placesOf(files: readonly string[], manifests: readonly string[]): string[] {
  if (manifests.some((name) => files.includes(name))) return [""];
  const below = files.flatMap((path) => {
    const [, folder, name] = /^([A-Za-z0-9_][\w.-]*)\/([^/]+)$/.exec(path) ?? [];
    return folder !== undefined && name !== undefined && manifests.includes(name) && !notOurs.test(folder)
      ? [folder]
      : [];
  });
  return [...new Set(below)].toSorted().slice(0, upkeepLimits.initFoldersMax);
}

const notOurs = /^(?:examples?|docs?|vendor|third_party|tests?|testdata|fixtures|spec|node_modules|plans)$/i;

/** Proposes the usual targets of the Makefile: the checks of a project of unknown kind, and a second choice in any other. */
function makeChecks(survey: Survey, hasOthers: boolean): Proposal[] {
  const text = makefiles.map((name) => textOf(survey, "", name)).find((found) => found !== "") ?? "";
  const targets = new Set([...text.matchAll(/^([A-Za-z][\w-]*)\s*:(?![:=])/gm)].map(([, name]) => name));
  const doubt = hasOthers ? "the Makefile may run the checks above" : undefined;
  return wanted.filter((name) => targets.has(name)).map((name) => ({ command: `make ${name}`, dir: "", doubt }));
}

/** Only these names are ever written, so that a Makefile cannot bring in a command of its own. */
const wanted = ["lint", "typecheck", "vet", "fmt-check", "format-check", "check", "test"];

/** Proposes globs for tests of the repository that no built-in pattern covers. */
function protections(survey: Survey, projects: readonly Found[]): Protection[] {
  const isLikely = matcher(candidates.map(({ glob }) => glob));
  // Few files are, so the built-in rules, which take longer, are asked of these alone.
  const uncovered = [...survey.files].filter((path) => isLikely(path) && protectedKind(path, []) === undefined);
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

/** What set-up creates never counts as an agent's work, but what an agent adds there does, unless git ignores it. */
function notIgnored({ ignored }: Survey, projects: readonly Found[]): string[] {
  const made = projects.flatMap(({ dir, setup }) => (setup?.makes === undefined ? [] : [inDir(dir, setup.makes)]));
  return made
    .filter((folder) => !ignored.has(folder))
    .map(
      (folder) =>
        `Set-up fills ${folder}/. Add it to .gitignore; otherwise files that an agent adds there count as its work.`,
    );
}

function hiddenSettings({ ignored }: Survey): string[] {
  return ignored.has(".stint")
    ? ["Git ignores .stint/. Remove it from .gitignore: settings and rules are committed with the plan."]
    : [];
}
