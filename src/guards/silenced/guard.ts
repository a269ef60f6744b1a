import type { GuardEvidence } from "../../engine/evidence.ts";
import type { Task } from "../../plan/types.ts";
import type { Contents, ContentGuard } from "../content-guard.ts";
import { evidenceLines } from "../evidence-lines.ts";
import { marksIn, type Mark } from "./marks.ts";

/** Finds new marks that tell linters, type checkers and compilers to look away. */
export const guardSilenced: ContentGuard = async ({ task, changes }) => {
  if (asksForMarks(task.text)) return [];
  const [before, after] = await Promise.all([marksOf(changes, "before"), marksOf(changes, "after")]);
  const existed = new Set(changes.filter((change) => change.before !== null).map(({ path }) => path));
  const isWideHere = ({ path, isWide }: Placed) => isWide && existed.has(path);
  const wide = risen(before.filter(isWideHere), after.filter(isWideHere), before);
  const others = isAboutMarks(task) ? risen(before, after, before).filter((mark) => !wide.includes(mark)) : [];
  return [...told(wide, whyWide), ...told(others, whyOne)];
};

const whyWide =
  "has a new mark that silences linters or type checkers for the whole file. Fix what they report instead.";
const whyOne = "has a new mark that silences what the task asks to fix. Fix it instead.";

interface Placed extends Mark {
  readonly path: string;
}

async function marksOf(changes: Contents["changes"], side: "before" | "after"): Promise<Placed[]> {
  const found = await Promise.all(
    changes.map(async ({ path, [side]: text }) => {
      const marks = text === null ? [] : await marksIn(path, text);
      return marks.map((mark) => ({ ...mark, path }));
    }),
  );
  return found.flat();
}

/** The marks that are new, if there are more than before: a narrower one in place of another is honest, and so is one that moved. */
function risen(before: readonly Placed[], after: readonly Placed[], known: readonly Placed[]): Placed[] {
  if (after.length <= before.length) return [];
  const left = known.map(({ text }) => text);
  return after.filter(({ text }) => {
    const at = left.indexOf(text);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function told(marks: readonly Placed[], why: string): GuardEvidence[] {
  const paths = [...new Set(marks.map(({ path }) => path))];
  return paths.map((path) => {
    const lines = marks
      .filter((mark) => mark.path === path)
      .map(({ line, text }) => ({ sign: "+" as const, line, text }));
    return { guard: "silenced", path, why, evidence: evidenceLines(lines) };
  });
}

/** Whether what the task is there to make green, or its words, are about what such marks hide. */
function isAboutMarks({ checks, text }: Task): boolean {
  const commands = checks.flatMap((check) => (check.kind === "run" && check.red ? [check.run] : []));
  return [...commands, text.replace(/^---\n[\s\S]*?\n---\n/, "")].some((words) => about.test(words));
}

const about =
  /\b\w*lint(?:er|ing|s|ed)?\b|\b(?:ruff|flake8|mypy|pyright|basedpyright|tsc|vue-tsc|clippy|rubocop|sorbet|srb|golangci\w*|staticcheck|go vet|checkstyle|errorprone|spotbugs|biome|typecheck\w*|untyped|implicit any|noImplicitAny|static analysis)\b|\btype[- ](?:checks?|checker|checking|errors?|annotations?|hints?|safe(?:ty)?)\b|\bstrict(?:ly)? type[sd]?\b|\bstyle (?:check|rule|finding|error|violation|guide)s?\b|\bstyle\.\w+|-D ?warnings|-Werror|-W error|\b(?:no|without|any|zero|compiler|all) (?:\w+ )?warnings?\b/i;

/** A task that names a mark wants it, unless it says that there should be none. */
function asksForMarks(text: string): boolean {
  return [...text.matchAll(named)].some(
    ({ index }) =>
      !/\b(?:no|not|never|without|instead of|rather than|don't|nor|remove[sd]?|drop|delete|fewer|free of)\b[^.\n]{0,40}$/i.test(
        text.slice(Math.max(0, index - 60), index),
      ),
  );
}

const named =
  /\bnoqa\b|\bnolint\b|\b\w*lint-disable\b|@?ts-(?:ignore|nocheck|expect-error)|#!?\[(?:allow|expect)|\bSuppressWarnings\b|rubocop:(?:disable|todo)|\btype: ?ignore\b|\b(?:suppress|silenc)(?:e|es|ing|ion|ions)?\b|\bdisabl(?:e|es|ing) (?:\S+ ){0,3}(?:lint\w*|rules?|warnings?|inspections?)\b|\bgo:build ignore\b/gi;
