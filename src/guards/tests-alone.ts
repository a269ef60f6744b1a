import type { CheckEvidence } from "../engine/evidence.ts";
import { protectedKind, type Change } from "../plan/protected.ts";
import type { TaskFiles } from "../plan/types.ts";
import type { Asked } from "../checks/asked.ts";
import { namesFile } from "../checks/check-words.ts";
import { callsOf, nameOf } from "../base/command-line.ts";
import { describeSome } from "../checks/describe.ts";

/** A look at the code as it was, under the tests as they are now. */
export interface AloneLook {
  readonly paths: ReadonlySet<string>;
  /** Checks that were red before the work, and that the changed tests by themselves must not turn green. */
  readonly asked: readonly Asked[];
  /** Tests that failed before the work, and that must fail on that code as long as they keep their names. */
  readonly watched: readonly string[];
}

/** Finds what work may have done to its tests instead of to the code; undefined where a look would say nothing. */
export function aloneLook(
  files: TaskFiles,
  changes: readonly Change[],
  {
    asked,
    redBefore,
  }: { readonly asked: readonly Asked[]; readonly redBefore: ReadonlyMap<string, readonly string[]> },
): AloneLook | undefined {
  const judging = changes.filter(({ path }) => isJudging(path));
  if (judging.every(({ status }) => status === "A") || !namesCode(files)) return undefined;
  const added = judging.filter(({ status }) => status === "A");
  const asks = asked.filter(
    ({ check, key, isGoal }) =>
      check.kind === "run" &&
      isGoal &&
      redBefore.has(key) &&
      !fixedInTests.test(check.run) &&
      !readsOnly(check.run) &&
      // Who asks for a test that was not there may ask for no more than that.
      !added.some(({ path }) => namesFile(check, path)),
  );
  if (asks.length === 0) return undefined;
  const watched = asks.flatMap(({ key }) => redBefore.get(key) ?? []);
  return { paths: new Set(judging.map(({ path }) => path)), asked: asks, watched };
}

/** Says what the changed tests did to a check on the code as it was; undefined where they did nothing. */
export function turnedAlone({ label, state, unfailing = [] }: CheckEvidence): string | undefined {
  if (state === "green") return `\`${label}\` is green`;
  if (unfailing.length === 0) return undefined;
  return `${describeSome(unfailing)} ${unfailing.length === 1 ? "does" : "do"} not fail any more`;
}

/** Whether a file is a test, what tests read or call, or a setting of their runners. */
function isJudging(path: string): boolean {
  const kind = protectedKind(path, []);
  return kind === "test" || kind === "runner-config" || support.test(path);
}

/** Such files are not protected, since a product may have these names, too; but whose side they are on is clear. */
const support =
  /(?:^|\/)(?:testing|fixtures?|mocks?|stubs?|fakes?|test(?:ing)?[-_]?(?:utils?|helpers?|support|kit|data|lib|setup|cases)|setup[-_]?tests?)(?:\/|\.\w+$)/i;

/** A task that names nothing but tests and prose is there to change the tests. */
function namesCode({ create, modify, delete: deleted, touch }: TaskFiles): boolean {
  return [...create, ...modify, ...deleted, ...touch].some((entry) => !isJudging(entry) && !prose.test(entry));
}

const prose = /\.(?:md|mdx|txt|rst|adoc)$|^docs\//i;

/** Style and types of tests are fixed in the tests themselves. */
const fixedInTests =
  /lint|prettier|biome|\btsc\b|\bmypy\b|pyright|\bruff\b|flake8|clippy|\bfmt\b|format|\bvet\b|types?\b/i;

/** A check that only looks at what files say may well be about the tests. */
function readsOnly(run: string): boolean {
  const calls = callsOf(run, ".");
  return calls.length > 0 && calls.every(({ words }) => readers.has(nameOf(words[0])));
}

const readers = new Set(
  "grep egrep fgrep rg ag ack test [ cat head tail wc sort uniq cut tr sed awk diff cmp find ls stat file git jq xargs echo printf true false".split(
    " ",
  ),
);
