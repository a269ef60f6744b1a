import { firstOf, type Proposal, type Survey } from "./survey.ts";

/**
 * Proposes checks for what the user's git hooks do. All of them are doubtful: a hook is written for a commit by hand,
 * with staged files and a complete HOME.
 */
export function hookChecks(survey: Survey): Proposal[] {
  const managed = [...managers].flatMap(([command, { files, doubt }]) => {
    const file = firstOf(survey, "", files);
    return file === undefined ? [] : [{ command, dir: "", says: file, doubt }];
  });
  const inRepo = hookNames.filter((name) => survey.files.has(`.husky/${name}`)).map((name) => `.husky/${name}`);
  return [...managed, ...[...inRepo, ...ownHooks(survey)].map(scriptOf)];
}

/** These hooks check the work itself, not a commit message or what follows. */
const hookNames = ["pre-commit", "pre-push"] as const;

const managers: ReadonlyMap<string, { readonly files: readonly string[]; readonly doubt: string }> = new Map([
  [
    "pre-commit run --all-files",
    {
      files: [".pre-commit-config.yaml"],
      doubt: "it downloads its tools in every check: slow, and needs network: true",
    },
  ],
  [
    "lefthook run pre-commit --all-files",
    { files: ["lefthook.yml", "lefthook.yaml", ".lefthook.yml"], doubt: "lefthook must be on PATH, or use npx" },
  ],
]);

function scriptOf(path: string): Proposal {
  return {
    command: `sh ${path}`,
    dir: "",
    doubt: "a hook may check staged files, and a fresh checkout has none",
  };
}

/** Lists the hooks of `core.hooksPath` in the repository, by plain paths only; husky keeps wrappers below its own folder. */
function ownHooks({ hooks, files }: Survey): string[] {
  if (hooks.path === null || isHusky(hooks) || !/^[\w./-]+$/.test(hooks.path)) return [];
  const paths = hookNames.filter((name) => hooks.names.includes(name)).map((name) => `${hooks.path}/${name}`);
  return paths.filter((path) => files.has(path));
}

/** Lists the hooks that no check can run, because a fresh checkout does not have them; those of a hook manager do not count. */
export function privateHooks(survey: Survey): string[] {
  const { hooks } = survey;
  if (isHusky(hooks) || hookChecks(survey).some(({ says }) => says !== undefined)) return [];
  const inRepo = ownHooks(survey);
  return hookNames.filter((name) => hooks.names.includes(name) && !inRepo.includes(`${hooks.path}/${name}`));
}

function isHusky({ path }: Survey["hooks"]): boolean {
  return path !== null && path.startsWith(".husky");
}
