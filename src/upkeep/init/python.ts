import { tomlSettings, type Settings } from "../../syntax/settings.ts";
import { firstOf, inDir, textOf, type Found, type Proposal, type Setup, type Survey } from "./survey.ts";

/** The files that identify a Python project. */
export const pythonManifests = ["pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "Pipfile"] as const;

/** Describes a Python project: set-up makes a virtual environment in the checkout, because nothing else is kept. */
export function foundPython(survey: Survey, dir: string): Found {
  const setup = setupOf(survey, dir);
  const evidence = [...pythonManifests, "uv.lock", "poetry.lock"].filter((name) => survey.files.has(inDir(dir, name)));
  const prose =
    setup === null
      ? []
      : [`The Python of this project is \`${inDir(dir, ".venv/bin/python")}\`, which set-up installs.`];
  return { kind: "python", dir, evidence, setup, checks: checksOf(survey, dir, setup !== null), prose };
}

function setupOf(survey: Survey, dir: string): Setup | null {
  const has = (name: string) => survey.files.has(inDir(dir, name));
  const made = (command: string, inputs: readonly string[], notes: readonly string[] = []): Setup => ({
    command,
    dir,
    inputs: inputs.map((name) => inDir(dir, name)),
    makes: ".venv",
    notes,
  });
  if (has("uv.lock")) return made("uv sync --locked", ["uv.lock", "pyproject.toml"]);
  if (has("poetry.lock")) {
    const command = "POETRY_VIRTUALENVS_IN_PROJECT=true poetry install --no-interaction";
    return made(command, ["poetry.lock", "pyproject.toml"]);
  }
  const requirements = requirementsOf(survey, dir);
  if (requirements.length > 0) {
    const files = requirements.map((name) => `-r ${name}`).join(" ");
    return made(`python3 -m venv .venv && .venv/bin/pip install ${files}`, requirements, unpinned(survey, dir));
  }
  const self = installable(survey, dir);
  if (self === undefined) return null;
  const inputs = ["pyproject.toml", "setup.py", "setup.cfg"].filter(has);
  return made(`python3 -m venv .venv && .venv/bin/pip install ${self}`, inputs, [
    "There is no lock file, so versions can differ between checkouts.",
  ]);
}

/** Only the usual names count: other files serve other purposes. */
function requirementsOf({ files }: Survey, dir: string): string[] {
  const names = ["requirements.txt", "requirements-dev.txt", "requirements-test.txt", "dev-requirements.txt"];
  return names.filter((name) => files.has(inDir(dir, name)));
}

function unpinned(survey: Survey, dir: string): string[] {
  const lines = requirementsOf(survey, dir).flatMap((name) => textOf(survey, dir, name).split("\n"));
  const isLoose = lines.some((line) => /^\s*[A-Za-z0-9]/.test(line) && !/==| @ |\.txt\b/.test(line));
  return isLoose ? ["Not every version is pinned with ==, so versions can differ between checkouts."] : [];
}

/** Says how pip installs the project itself; undefined if there is no need to. */
function installable(survey: Survey, dir: string): string | undefined {
  const settings = tomlSettings(textOf(survey, dir, "pyproject.toml"));
  const extras = [...settings.keys()].flatMap(
    (key) => /^project\.optional-dependencies\.([\w-]+)$/.exec(key)?.[1] ?? [],
  );
  const asked = extras.filter((name) => ["dev", "test", "tests", "testing"].includes(name));
  const isInstalled =
    survey.files.has(inDir(dir, "setup.py")) || (settings.get("build-system.requires") ?? "").length > 0;
  const needs = (settings.get("project.dependencies") ?? "").length > 0 || extras.length > 0;
  const isSource = [...survey.files].some((path) => path.startsWith(inDir(dir, "src/")) && path.endsWith(".py"));
  if (!needs && !(isInstalled && isSource)) return undefined;
  return asked.length === 0 ? "-e ." : `-e '.[${asked.join(",")}]'`;
}

function checksOf(survey: Survey, dir: string, hasVenv: boolean): Proposal[] {
  const settings = tomlSettings(textOf(survey, dir, "pyproject.toml"));
  const hasTable = (table: string) => [...settings.keys()].some((key) => key.startsWith(`${table}.`));
  const has = (...names: readonly string[]) => firstOf(survey, dir, names) !== undefined;
  const tool = (name: string, rest: string): Proposal => ({
    command: `${hasVenv ? ".venv/bin/" : ""}${name}${rest}`,
    dir,
    doubt: isDeclared(survey, dir, name)
      ? undefined
      : `${name} is configured, but is not a dependency: it must be on PATH`,
  });
  return [
    ...(hasTable("tool.ruff") || has("ruff.toml", ".ruff.toml") ? [tool("ruff", " check .")] : []),
    ...(has(".flake8") ? [tool("flake8", "")] : []),
    ...(hasTable("tool.mypy") || has("mypy.ini", ".mypy.ini")
      ? [tool("mypy", /^files$/m.test(keysOf(settings, "tool.mypy")) ? "" : " .")]
      : []),
    ...testsOf(survey, dir, { hasVenv, hasPytest: hasTable("tool.pytest") || has("pytest.ini", "conftest.py") }),
    ...(has("tox.ini")
      ? [{ command: "tox", dir, doubt: "it installs its tools in every check: slow, and needs network: true" }]
      : []),
  ];
}

function keysOf(settings: Settings, table: string): string {
  const keys = [...settings.keys()].filter((key) => key.startsWith(`${table}.`));
  return keys.map((key) => key.slice(table.length + 1)).join("\n");
}

function testsOf(
  survey: Survey,
  dir: string,
  { hasVenv, hasPytest }: { readonly hasVenv: boolean; readonly hasPytest: boolean },
): Proposal[] {
  const python = hasVenv ? ".venv/bin/python" : "python3";
  if (isDeclared(survey, dir, "pytest")) return [{ command: `${python} -m pytest`, dir }];
  if (hasPytest) {
    const doubt = "pytest is configured, but is not a dependency: it must be installed";
    return [{ command: `${python} -m pytest`, dir, doubt }];
  }
  const tests = [...survey.files].filter(
    (path) => /(?:^|\/)test[^/]*\.py$/.test(path) && path.startsWith(inDir(dir, "")),
  );
  if (tests.length === 0) return [];
  const isFolder = tests.some((path) => path.startsWith(inDir(dir, "tests/")));
  const isPackage = survey.files.has(inDir(dir, "tests/__init__.py"));
  return [{ command: `${python} -m unittest discover${isFolder && !isPackage ? " -s tests" : ""}`, dir }];
}

/** Tells whether a manifest or a lock file names a tool; comments about tools are rare enough to ignore. */
function isDeclared(survey: Survey, dir: string, tool: string): boolean {
  const settings = [...tomlSettings(textOf(survey, dir, "pyproject.toml"))];
  const tables = /^(?:project\.(?:optional-)?dependencies|dependency-groups|tool\.(?:poetry|uv|pdm)\b.*depend)/;
  const inProject = settings.filter(([key]) => tables.test(key)).map(([key, value]) => [key, value].flat().join("\n"));
  const inLists = requirementsOf(survey, dir).map((name) => textOf(survey, dir, name));
  return [...inProject, ...inLists].some((text) => new RegExp(`(?:^|[\\s"'.,\\[])${tool}(?![\\w-])`, "m").test(text));
}
