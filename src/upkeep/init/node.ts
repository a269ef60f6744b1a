import { jsonOf, recordOf } from "../../syntax/json.ts";
import { firstOf, inDir, textOf, type Found, type Proposal, type Setup, type Survey } from "./survey.ts";

/** The files that identify a Node project. */
export const nodeManifests = ["package.json"] as const;

/** Describes a Node.js project: set-up from its lock file, checks from its scripts. */
export function foundNode(survey: Survey, dir: string): Found {
  const manifest = recordOf(jsonOf(textOf(survey, dir, "package.json")));
  const manager = managerOf(survey, dir, manifest);
  const lock = locks.find(([name, by]) => by === manager && survey.files.has(inDir(dir, name)))?.[0];
  return {
    kind: "node",
    dir,
    evidence: ["package.json", ...(lock === undefined ? [] : [lock])],
    setup: setupOf(survey, { dir, manifest, manager, lock }),
    checks: checksOf(survey, { dir, manifest, manager }),
    prose: [],
  };
}

/** Tells whether all test files of the project share one process, so that a new one could end it before the others fail. */
export function sharesProcess(survey: Survey, dir: string): boolean {
  const manifest = recordOf(jsonOf(textOf(survey, dir, "package.json")));
  const names = dependenciesOf(manifest);
  return names.has("mocha") || names.has("jasmine") || /\bbun test\b/.test(scriptsOf(manifest).get("test") ?? "");
}

type Manager = "npm" | "pnpm" | "yarn" | "bun";
type Manifest = Readonly<Record<string, unknown>>;

interface NodeProject {
  readonly dir: string;
  readonly manifest: Manifest;
  readonly manager: Manager;
}

const locks: readonly (readonly [string, Manager])[] = [
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
  ["package-lock.json", "npm"],
  ["npm-shrinkwrap.json", "npm"],
];

/** Where there are several lock files, `packageManager` in the manifest decides. */
function managerOf(survey: Survey, dir: string, { packageManager }: Manifest): Manager {
  const present = locks.filter(([name]) => survey.files.has(inDir(dir, name))).map(([, manager]) => manager);
  const said = typeof packageManager === "string" ? packageManager.split("@", 1)[0] : undefined;
  return present.find((manager) => manager === said) ?? present[0] ?? "npm";
}

function setupOf(survey: Survey, project: NodeProject & { readonly lock: string | undefined }): Setup | null {
  const { dir, manifest, manager, lock } = project;
  if (lock === undefined && dependenciesOf(manifest).size === 0) return null;
  const settings = [".npmrc", ".yarnrc.yml", ".yarnrc", "pnpm-workspace.yaml"].filter((name) =>
    survey.files.has(inDir(dir, name)),
  );
  const manifests = manifest["workspaces"] === undefined && !settings.includes("pnpm-workspace.yaml");
  const inputs = [...(lock === undefined ? [] : [lock]), manifests ? "package.json" : "**/package.json", ...settings];
  return {
    command: lock === undefined ? "npm install --no-package-lock" : install(manager, isModernYarn(survey, dir)),
    dir,
    inputs: inputs.map((name) => inDir(dir, name)),
    makes: "node_modules",
    notes: [
      ...(lock === undefined ? ["There is no lock file, so versions can differ between checkouts: commit one."] : []),
      ...ownScripts(manifest),
    ],
  };
}

function install(manager: Manager, modernYarn: boolean): string {
  if (manager === "npm") return "npm ci";
  return manager === "yarn" && modernYarn ? "yarn install --immutable" : `${manager} install --frozen-lockfile`;
}

function isModernYarn(survey: Survey, dir: string): boolean {
  return firstOf(survey, dir, [".yarnrc.yml"]) !== undefined;
}

/** The project's own install scripts may read anything, and a reused result would miss its changes. */
function ownScripts(manifest: Manifest): string[] {
  const scripts = scriptsOf(manifest);
  const run = ["preinstall", "install", "postinstall", "prepare"].filter((name) => scripts.has(name));
  if (run.length === 0) return [];
  return [`Installing also runs ${run.join(", ")} of package.json: add the files that it reads to setup_inputs.`];
}

function checksOf(survey: Survey, { dir, manifest, manager }: NodeProject): Proposal[] {
  const scripts = scriptsOf(manifest);
  const runner = runnerOf(survey, dir, manager);
  const proposals = wanted.flatMap(({ names, doubt }) =>
    names
      .filter((name) => scripts.has(name) && !isPlaceholder(scripts.get(name) ?? ""))
      .map((name): Proposal => {
        const says = scripts.get(name) ?? "";
        const command = name === "test" && runner === "npm" ? "npm test" : `${runner} run ${name}`;
        return { command, dir, says, doubt: doubtOf(says) ?? doubt };
      }),
  );
  return [...proposals, ...unscripted(survey, dir, manifest)];
}

/** npm comes with node and needs no HOME; pnpm or yarn from corepack would be downloaded in every check. */
function runnerOf(survey: Survey, dir: string, manager: Manager): "npm" | "yarn" | "bun" {
  if (manager === "bun") return "bun";
  const linker = /^nodeLinker:\s*["']?(node-modules|pnpm)/m.test(textOf(survey, dir, ".yarnrc.yml"));
  return manager === "yarn" && isModernYarn(survey, dir) && !linker ? "yarn" : "npm";
}

/** Only these names are ever written, so that the name of a script cannot bring in a command of its own. */
const wanted: readonly { readonly names: readonly string[]; readonly doubt?: string }[] = [
  { names: ["lint"] },
  { names: ["typecheck", "type-check", "types", "check-types", "check:types", "tsc"] },
  { names: ["format:check", "check:format", "fmt:check", "prettier:check", "format-check"] },
  { names: ["test"] },
  { names: ["test:unit"], doubt: "only some of the tests: use it instead if all of them are slow" },
  { names: ["test:integration", "test:e2e", "e2e"], doubt: "slow, and may need services" },
  { names: ["check", "ci", "validate"], doubt: "often the checks above in one" },
  { names: ["build"], doubt: "slow; better under `checks` of a plan.md" },
];

/** What `npm init` writes is not a test, and an empty script always passes. */
function isPlaceholder(script: string): boolean {
  return script.trim() === "" || /no test specified/i.test(script);
}

function doubtOf(script: string): string | undefined {
  return doubts.find(([sign]) => sign.test(script))?.[1];
}

const doubts: readonly (readonly [RegExp, string])[] = [
  [/--watch(?!All=false|=false)|\b(?:ng|react-scripts) test\b|\bnodemon\b/, "it watches files and does not end"],
  [/--fix\b|--write\b/, "it rewrites files; a check should only read them"],
  [/\blint-staged\b|--staged\b/, "it checks staged files, and a fresh checkout has none"],
  [/\b(?:docker|podman)\b/, "it needs a container engine, which checks cannot reach"],
  [/\b(?:playwright|cypress|webdriver|puppeteer|wdio)\b/, "it needs a browser"],
  [/\b(?:curl|wget)\b|https?:/, "it needs network access: write { run: …, network: true }"],
];

/** Proposes checks that the project is ready for, although no script runs them. */
function unscripted(survey: Survey, dir: string, manifest: Manifest): Proposal[] {
  const scripts = scriptsOf(manifest);
  const typed = [...scripts.values()].some((script) => /\b(?:tsc|vue-tsc|tsgo)\b/.test(script));
  const hasTypes = survey.files.has(inDir(dir, "tsconfig.json")) && dependenciesOf(manifest).has("typescript");
  return hasTypes && !typed
    ? [{ command: "npx tsc --noEmit", dir, doubt: "tsconfig.json exists, but no script uses it" }]
    : [];
}

function scriptsOf(manifest: Manifest): Map<string, string> {
  const entries = Object.entries(recordOf(manifest["scripts"]));
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}

function dependenciesOf(manifest: Manifest): ReadonlySet<string> {
  const tables = ["dependencies", "devDependencies", "optionalDependencies"];
  return new Set(tables.flatMap((table) => Object.keys(recordOf(manifest[table]))));
}
