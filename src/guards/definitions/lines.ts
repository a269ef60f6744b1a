import { posix } from "node:path";
import { changedLines } from "../evidence-lines.ts";
import { runnerOf, type Finding, type Subject } from "./subject.ts";

/** A definition file without a reader of its own. */
interface Unread {
  /** Its name, in lower case. */
  readonly file: RegExp;
  /** Programs that obey it. */
  readonly programs: RegExp;
  /** Lines that decide nothing but which versions are installed, or how the project is called. */
  readonly harmless: RegExp;
  /** Whether lines that were there may change: in files that are programs themselves, as `setup.py`, they may. */
  readonly isCode?: true;
}

const java =
  /^\s*<\/?(?:version|dependency|dependencies|dependencyManagement|groupId|artifactId|scope|type|name|description|url|properties|[\w.-]+\.version|licenses?|developers?|scm|modelVersion)\b|^\s*(?:(?:test)?(?:implementation|api|compileonly|runtimeonly|annotationprocessor)|kapt|id|alias|version|group|description|mavencentral|plugins|dependencies|repositories)\b/i;
const project =
  /^\s*(?:gem|source|ruby|version|name|description|authors?|homepage|license|cmake_minimum_required|<packagereference|<targetframeworks?>|<version>|<nullable>)/i;

const table: readonly Unread[] = [
  { file: /^(?:pom\.xml|mvnw|maven\.config)$/, programs: /^mvnw?d?$/, harmless: java },
  { file: /\.gradle(?:\.kts)?$|^gradlew$|^gradle\.properties$/, programs: /^gradlew?$/, harmless: java },
  { file: /^rakefile$|\.rake$/, programs: /^rake$/, harmless: project },
  { file: /^noxfile\.py$/, programs: /^nox$/, harmless: project },
  { file: /^taskfile\.ya?ml$/, programs: /^(?:go-)?task$/, harmless: project },
  { file: /^cmakelists\.txt$/, programs: /^(?:cmake|ctest|make|ninja)$/, harmless: project },
  { file: /^meson\.build$/, programs: /^(?:meson|ninja)$/, harmless: project },
  { file: /^mix\.exs$/, programs: /^mix$/, harmless: /^\s*(?:version:|app:|\{:|elixir:)/ },
  { file: /^build(?:\.bazel)?$/, programs: /^bazel(?:isk)?$/, harmless: project },
  { file: /\.(?:cs|fs|vb)proj$|^directory\.build\.|\.runsettings$/, programs: /^dotnet$/, harmless: project },
  { file: /^(?:turbo|nx|lerna)\.json$/, programs: /^(?:turbo|nx|lerna)$/, harmless: /^\s*[{}]/ },
  {
    file: /^\.(?:npmrc|yarnrc(?:\.yml)?)$|^pnpm-workspace\.yaml$/,
    programs: /^(?:npm|pnpm|yarn|bun)$/,
    harmless: /^\s*(?:save|fund|audit|loglevel|engine-strict)/,
  },
  {
    file: /^\.rspec$|^(?:spec|rails|test)_helper\.rb$/,
    programs: /^(?:rspec|rake|rails)$/,
    harmless: project,
    isCode: true,
  },
  { file: /^phpunit.*\.xml/, programs: /^(?:phpunit|composer|pest)$/, harmless: /^\s*(?:xmlns|xsi:|<\?xml)/ },
  { file: /^setup\.py$/, programs: /^(?:python[\d.]*|pip[\d.]*|pytest|tox)$/, harmless: project, isCode: true },
];

/** Words that leave tests out or ignore their failures, in the files of the table. */
const weakening =
  /\bskipTests\b|maven\.test\.skip|testFailureIgnore|ignoreFailures|failIfNoTests>\s*false|<skip>|excludedGroups|excludeTags|(?:ex|in)cludeTestsMatching|<excludes?>|\bexclude\s*[('"](?!group|module)|\bonlyIf\b|\benabled\s*=\s*false|failOnNoDiscoveredTests|WILL_FAIL|\bDISABLED\b|should_fail|IsTestProject>\s*false|ignore_error|script-shell|ignore-scripts|node-options|shell-emulator|filter_run_excluding|--tag\s+~|--exclude-pattern|config\.after.*exit|exit!/;

/** Compares line by line where there is no reader: what was there stays, what is new must not leave tests out. */
export function lineFindings(subject: Subject): Finding[] {
  const entry = table.find(({ file }) => file.test(posix.basename(subject.path).toLowerCase()));
  const by = entry === undefined ? undefined : runnerOf(subject, entry.programs);
  if (entry === undefined || by === undefined) return [];
  const changed = changedLines(subject.before, subject.after);
  const gone = changed.filter(({ sign, text }) => sign === "-" && entry.isCode !== true && !isHarmless(text, entry));
  const weak = changed.filter(({ sign, text }) => sign === "+" && weakening.test(text) && !isComment(text));
  const found = (why: string, lines: typeof changed): Finding[] => (lines.length === 0 ? [] : [{ why, lines }]);
  return [
    ...found(
      `was changed, but lines that are gone may decide what \`${by}\` runs. Put them back, and add new lines beside them.`,
      gone,
    ),
    ...found(`was changed, but new lines leave out or silence tests that \`${by}\` runs. Remove them.`, weak),
  ];
}

function isHarmless(text: string, { harmless }: Unread): boolean {
  return isComment(text) || harmless.test(text) || /^[\s{}()[\],;]*$/.test(text);
}

function isComment(text: string): boolean {
  return /^\s*(?:#(?!!)|\/\/|\/?\*|<!--)/.test(text);
}
