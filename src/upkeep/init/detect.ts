import { upkeepLimits } from "../limits.ts";
import { foundGo, foundRust, goManifests, rustManifests } from "./compiled.ts";
import { hookChecks, privateHooks } from "./git-hooks.ts";
import { makeChecks } from "./make.ts";
import { foundNode, nodeManifests } from "./node.ts";
import { foundPython, pythonManifests } from "./python.ts";
import { inDir, type Found, type Proposal, type Protection, type Survey } from "./survey.ts";
import { protections } from "./tests.ts";

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
  const projects = detectors.flatMap(({ manifests, found }) =>
    placesOf(survey, manifests).map((dir) => found(survey, dir)),
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
function placesOf({ files }: Survey, manifests: readonly string[]): string[] {
  if (manifests.some((name) => files.has(name))) return [""];
  const below = [...files].flatMap((path) => {
    const [, folder, name] = /^([A-Za-z0-9_][\w.-]*)\/([^/]+)$/.exec(path) ?? [];
    return folder !== undefined && name !== undefined && manifests.includes(name) && !notOurs.test(folder)
      ? [folder]
      : [];
  });
  return [...new Set(below)].toSorted().slice(0, upkeepLimits.initFoldersMax);
}

const notOurs = /^(?:examples?|docs?|vendor|third_party|tests?|testdata|fixtures|spec|node_modules|plans)$/i;

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
