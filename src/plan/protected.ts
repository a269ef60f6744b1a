import { definesCommands } from "./definitions.ts";
import {
  expandBraces,
  hasControl,
  isGlob,
  isTooLong,
  matcher,
  pathProblem,
  plainMatcher,
  type Matcher,
} from "./paths.ts";
import type { Rules, Task, TaskFiles } from "./types.ts";

// This file is the rule behind the scope, protected and forbidden guards: `refusal` decides whether a task may make a
// change, src/guards/scope.ts puts that into words for the agent, and lint applies the same rule to a plan beforehand.

/** Why a path may change only if a task names it; `plan` = never. */
export type ProtectedKind =
  "plan" | "git-config" | "agent-settings" | "dependency" | "test" | "runner-config" | "ci" | "lockfile" | "rules";

/** How a path differs from the base of the task: added, modified, deleted. */
export type ChangeStatus = "A" | "M" | "D";

export interface Change {
  readonly status: ChangeStatus;
  readonly path: string;
  /** Whether it is a symbolic link now; its text is where it leads. */
  readonly isLink?: boolean;
}

export type Refusal = "forbidden" | "out-of-scope" | "protected";

/** Says which built-in or project rule guards a path, so that a verdict can name it. */
export function protectedKind(path: string, extraProtect: readonly string[]): ProtectedKind | undefined {
  return builtinKind(path) ?? (compiled(extraProtect)(path) ? "rules" : undefined);
}

/** Whether a built-in rule guards a path as this kind. Few paths of a repository are of one, so that is asked before the kinds that go first. */
export function isOfKind(path: string, kind: ProtectedKind): boolean {
  return builtin.some(([one, matches]) => one === kind && matches(path)) && builtinKind(path) === kind;
}

/** Private keys and secrets may never change, whatever a task says; nor may paths that no matcher can be trusted with. */
export function isForbidden(path: string, extraForbid: readonly string[]): boolean {
  return whyForbidden(path, extraForbid) !== undefined;
}

/** Says what makes a path forbidden, in words for the agent that changed it; undefined if nothing does. */
export function whyForbidden(path: string, extraForbid: readonly string[]): string | undefined {
  if (isTooLong(path)) return "its path is too long";
  if (hasControl(path)) return "its path contains a control character or line separator";
  if (compiled(extraForbid)(path)) return "the rules forbid it";
  return matchesSecret(path) && !matchesSecretTemplate(path) ? "it is a place for keys and secrets" : undefined;
}

/** Plans and settings decide what a run may do, so only Stint and people write them. */
export function isStintOwn(path: string): boolean {
  return /^(?:plans|\.stint)(?:\/|$)/i.test(path);
}

/** Whether the files of a task name a protected path on purpose: literally, or by a glob that speaks of its kind. */
export function names(files: TaskFiles, path: string, extraProtect: readonly string[] = []): boolean {
  return entriesName([...files.create, ...files.modify, ...files.delete, ...files.touch], path, extraProtect);
}

/** The scope rule: what the files of a task let it do to a path, protection aside. */
export function allows(files: TaskFiles, status: ChangeStatus, path: string): boolean {
  return entriesFor(files, status).some((entries) => scopeOf(entries)(path));
}

/** Adds granted files to what a task may touch: to create or change, never to delete. A grant counts as naming a protected file. */
export function effectiveFiles({ files }: Pick<Task, "files">, granted: readonly string[]): TaskFiles {
  return granted.length === 0 ? files : { ...files, touch: [...files.touch, ...granted] };
}

/** Says why a task may not make this change; undefined if it may. */
export function refusal(
  files: TaskFiles,
  change: Change,
  rules: Pick<Rules, "protect" | "forbid">,
): Refusal | undefined {
  const { status, path } = change;
  if (isForbidden(path, rules.forbid)) return "forbidden";
  const kind = protectedKind(path, rules.protect);
  if (kind === "plan") return "protected";
  if (!allows(files, status, path)) return "out-of-scope";
  if (kind === undefined) return isUnnamedDefinition(files, change) ? "protected" : undefined;
  if (isNewTest(change, kind, rules.protect)) return undefined;
  return entriesFor(files, status).some((entries) => entriesName(entries, path, rules.protect))
    ? undefined
    : "protected";
}

/** An author who writes `**` has no particular file in mind, least of all one that decides what a check runs. */
function isUnnamedDefinition(files: TaskFiles, { status, path }: Change): boolean {
  if (!definesCommands(path)) return false;
  const others = entriesFor(files, status).map((entries) => entries.filter((entry) => entry !== "**"));
  return !others.some((entries) => scopeOf(entries)(path));
}

/**
 * A new test that is run apart from the others can only demand more, so a glob that covers it is enough. One that shares
 * their process can end it with 0 before they fail, so it must be named.
 */
function isNewTest(change: Change, kind: ProtectedKind, protect: readonly string[]): boolean {
  return change.status === "A" && kind === "test" && isRunApart(change.path) && !compiled(protect)(change.path);
}

function isRunApart(path: string): boolean {
  return matchesScriptTestName(path) || isCargoTest(path);
}

/** Cargo makes a program of each file directly in `tests`; below `src`, such a file is a module among others. */
function isCargoTest(path: string): boolean {
  return /(?:^|\/)tests\/[^/]+\.rs$/.test(path) && !/(?:^|\/)src\//.test(path);
}

function entriesFor(files: TaskFiles, status: ChangeStatus): readonly (readonly string[])[] {
  if (status === "D") return [files.delete];
  return status === "A" ? [files.create, files.touch] : [files.modify, files.touch];
}

function entriesName(entries: readonly string[], path: string, protect: readonly string[]): boolean {
  const builtin = builtinKind(path);
  if (builtin === "plan") return false;
  const byRules = compiled(protect)(path);
  if (entries.includes(path)) return true;
  return namingGlobs(entries).some(
    ({ glob, kind, matches }) =>
      (builtin === undefined || kind === builtin) && (!byRules || compiled(protect)(glob)) && matches(path),
  );
}

interface NamingGlob {
  readonly glob: string;
  readonly kind: ProtectedKind | undefined;
  readonly matches: Matcher;
}

const namingGlobsOf = new WeakMap<readonly string[], readonly NamingGlob[]>();

/**
 * Braces are written out and brackets mean themselves here: otherwise `{**,x.test.ts}` or `*[.test.]*` would read as
 * tests and match everything.
 */
function namingGlobs(entries: readonly string[]): readonly NamingGlob[] {
  const known = namingGlobsOf.get(entries);
  if (known !== undefined) return known;
  const globs = entries
    .filter(isGlob)
    .flatMap((entry) => expandBraces(entry) ?? [])
    .map((glob) => ({ glob, kind: builtinKind(glob), matches: plainMatcher(glob) }));
  namingGlobsOf.set(entries, globs);
  return globs;
}

const compiled = oncePerList(matcher);
const scopeOf = oncePerList(scopeMatcher);

/** The same list is matched with thousands of paths; compiling it each time would dominate. */
function oncePerList(compile: (patterns: readonly string[]) => Matcher): (patterns: readonly string[]) => Matcher {
  const compiledOf = new WeakMap<readonly string[], Matcher>();
  return (patterns) => {
    const known = compiledOf.get(patterns);
    if (known !== undefined) return known;
    const made = compile(patterns);
    compiledOf.set(patterns, made);
    return made;
  };
}

/** Scope is read narrowly: `pages/[id].js` is one file, although as an expression it is `pages/d.js` as well. */
function scopeMatcher(entries: readonly string[]): Matcher {
  const globs = entries.filter((entry) => isGlob(entry) && pathProblem(entry) === undefined);
  const alternatives = globs.flatMap((glob) => expandBraces(glob) ?? []);
  const paths = new Set([...entries, ...alternatives.filter((alternative) => !isGlob(alternative))]);
  const matches = matcher(alternatives.filter(isGlob));
  return (path) => paths.has(path) || matches(path);
}

function builtinKind(path: string): ProtectedKind | undefined {
  return builtin.find(([, matches]) => matches(path))?.[0];
}

/** Names are compared without case where a file system might, because `.GitHub/` is `.github/` on a Mac. */
const anyCase = (patterns: readonly string[]): Matcher => builtIn(patterns, true);

const inAnyFolder = (patterns: readonly string[]): string[] => patterns.map((pattern) => `**/${pattern}`);

/** A mistyped built-in pattern would silently guard nothing. */
function builtIn(patterns: readonly string[], nocase: boolean): Matcher {
  for (const pattern of patterns) {
    const problem = pathProblem(pattern);
    if (problem !== undefined)
      throw new Error(`Internal error: expected a built-in pattern, but ${pattern} ${problem}`);
  }
  // Compiled on first use: most commands never need it, and each would pay for it at its start.
  let matches: Matcher | undefined;
  return (path) => (matches ??= matcher(patterns, { nocase }))(path);
}

/** The names whose runners give each file a process or worker of its own: node --test, Vitest, AVA. */
const matchesScriptTestName = builtIn(inAnyFolder(["*.{test,spec}.{js,cjs,mjs,jsx,ts,cts,mts,tsx}"]), false);

const matchesTestName = builtIn(
  inAnyFolder([
    "*.{test,spec,cy,e2e,test-d}.{js,cjs,mjs,jsx,ts,cts,mts,tsx,vue,svelte,coffee}",
    "*[-_]{test,spec}.{js,cjs,mjs,jsx,ts,cts,mts,tsx}",
    "{test_*,*_test}.py",
    "*_test.{go,rs,c,cc,cpp,dart,exs,clj}",
    "{*_spec,*_test,test_*}.rb",
    "*{Test,Tests,TestCase,IT,Spec}.{java,kt,kts,groovy,scala}",
    "{*Test,*Cest}.php",
    "*{Test,Tests}.{cs,fs,vb,swift,m,mm}",
    "*.bats",
  ]),
  false,
);

const matchesTest = anyCase([
  ...inAnyFolder(["*.test.*", "*.spec.*", "*.cy.{js,jsx,ts,tsx}", "*.snap"]),
  ...inAnyFolder(["{__tests__,__mocks__,__snapshots__,__fixtures__,testdata,test,tests}/**"]),
  ...inAnyFolder(["spec/**/*.rb"]),
  "{spec,e2e,cypress}/**",
]);

const matchesRunnerConfig = anyCase([
  ...inAnyFolder(["{vitest,jest,playwright,cypress,karma,ava,wdio,protractor}.{config,conf}.*", "cypress.json"]),
  ...inAnyFolder(["vitest.{workspace,setup}.*", "jest.{setup,preset}.*", "{setuptests,setupvitest}.*", ".taprc"]),
  // Pytest loads plugins, and bun its preloads, from what these files name.
  ...inAnyFolder(["*.{egg-info,dist-info}/**", "{bunfig,.bunfig}.toml"]),
  ...inAnyFolder([".{mocharc,nycrc,c8rc,jasmine}*", "jasmine.json", "web-test-runner.config.*"]),
  ...inAnyFolder(["{conftest,noxfile,sitecustomize,usercustomize}.py", "{pytest,.pytest,tox}.{ini,toml}", "setup.cfg"]),
  ...inAnyFolder([
    ".coveragerc",
    ".rspec",
    ".simplecov",
    "{spec,rails,test}_helper.rb",
    "phpunit.xml*",
    "phpunit.dist.xml",
  ]),
  ...inAnyFolder(["{behat,codeception}.{yml,yaml}*", ".config/nextest.toml", "*.runsettings", "*.xctestplan"]),
]);

/** Attributes change the bytes that a checkout writes for protected files; `.gitignore` cannot, and honest tasks edit it. */
const matchesGitConfig = anyCase(inAnyFolder([".gitattributes", ".gitmodules"]));

/**
 * Settings that make agents run programs: if one session planted them, the next would obey them. Instructions
 * such as AGENTS.md and CLAUDE.md are not here: they are prose, and honest tasks edit them.
 */
const matchesAgentSettings = anyCase([
  ...inAnyFolder([
    ".claude/settings*.json",
    ".claude/{hooks,agents,commands,skills,plugins}/**",
    ".mcp.json",
    ".codex/**",
  ]),
  ...inAnyFolder([".gemini/{settings.json,.env}", ".gemini/{extensions,commands,policies,skills,agents,hooks}/**"]),
  ...inAnyFolder([".agents/skills/**", "{opencode.json,opencode.jsonc,.opencode/**}"]),
  ".env",
]);

const matchesCi = anyCase([
  "{.github,.gitlab,.circleci,.buildkite,.husky,.woodpecker,.teamcity,.semaphore,.forgejo,.gitea,.azure-pipelines}/**",
  "{.gitlab-ci,.travis,.drone,.appveyor,appveyor,.cirrus,bitbucket-pipelines,.woodpecker,cloudbuild}.{yml,yaml}",
  "{azure-pipelines,codecov,.codecov,buildspec,wercker,.pre-commit-config,lefthook,.lefthook}*.{yml,yaml}",
  "{Jenkinsfile,Jenkinsfile.*,.lintstagedrc*,lint-staged.config.*,.githooks/**}",
]);

const matchesLockfile = anyCase(
  inAnyFolder([
    "{package-lock,npm-shrinkwrap}.json",
    "pnpm-lock.yaml",
    "{yarn,bun,deno,poetry,uv,pdm,pylock,pixi,Cargo,Gemfile,composer,mix,flake,pubspec,Podfile,Pipfile,conan,symfony}.lock",
    "{bun.lockb,pylock.toml,pylock.*.toml,conda-lock.yml,gradle.lockfile,buildscript-gradle.lockfile}",
    "{go.sum,go.work.sum,Package.resolved,Cartfile.resolved,packages.lock.json,paket.lock,rebar.lock,MODULE.bazel.lock}",
    ".terraform.lock.hcl",
  ]),
);

/**
 * Checks run what a package manager puts there. If an agent committed it, it would replace what set-up installs;
 * `.gitignore`, which keeps it out, is not protected. In `vendor`, only names that no such folder has by chance count.
 */
const matchesDependency = anyCase([
  ...inAnyFolder(["{node_modules,bower_components,.venv,venv,site-packages,.tox,.nox,.yarn,.bundle}/**"]),
  ...inAnyFolder([".pnp.*", "vendor/{autoload.php,modules.txt}", "vendor/{bin,composer}/**"]),
]);

/** A config or lockfile among tests is more dangerous than a test, so it comes first; modules among tests are fixtures. */
const builtin: readonly (readonly [ProtectedKind, Matcher])[] = [
  ["plan", isStintOwn],
  ["git-config", matchesGitConfig],
  ["agent-settings", matchesAgentSettings],
  ["lockfile", matchesLockfile],
  ["ci", matchesCi],
  ["runner-config", matchesRunnerConfig],
  ["test", (path) => matchesTest(path) || matchesTestName(path)],
  ["dependency", matchesDependency],
];

/** `.npmrc` is not here: projects commit it, and a token in it is for the reviewer to see. */
const matchesSecret = anyCase(
  inAnyFolder([
    "{.env,.env.*}",
    "*.{pem,key,p12,pfx,pkcs12,jks,keystore,ppk,kdbx}",
    "{id_rsa,id_dsa,id_ecdsa,id_ed25519,id_ecdsa_sk,id_ed25519_sk}",
    "{.netrc,_netrc,.git-credentials,.pgpass,.my.cnf,.pypirc,.htpasswd}",
    "{.ssh,.gnupg}/**",
    "{.aws/credentials,.docker/config.json,.kube/config}",
  ]),
);

const matchesSecretTemplate = anyCase(
  inAnyFolder([".env.{example,sample,template,dist,defaults,schema}", ".env.*.{example,sample,template,dist}"]),
);
