import { unknownNameMessage } from "../plan/nearest.ts";
import { problemAt, quoted } from "../plan/problem.ts";
import { positionIn } from "../plan/text.ts";
import type { Problem } from "../plan/types.ts";

/** The variables that a template may and must contain. */
export interface TemplateShape {
  readonly known: readonly string[];
  /** A template without these would start an agent without its purpose. */
  readonly required: readonly string[];
}

/** Finds what is wrong with a template: every name in double braces must be known. */
export function templateProblems(file: string, text: string, { known, required }: TemplateShape): Problem[] {
  const { start, unclosed } = leadingComment(text);
  if (unclosed) return [problemAt(file, "open-comment", "the comment at the top has no -->")];
  const found = [...text.slice(start).matchAll(place)];
  const wrong = found.flatMap(({ 0: whole, 1: name, index }) => {
    const why = whyWrong(name?.trim(), whole, known);
    return why === undefined ? [] : [problemAt(file, "unknown-variable", why, positionIn(text, start + index))];
  });
  const used = new Set(found.map(({ 1: name = "" }) => name.trim()));
  const missing = required.filter((name) => !used.has(name));
  return [
    ...wrong,
    ...missing.map((name) => problemAt(file, "missing-variable", `the prompt does not contain {{${name}}}`)),
  ];
}

/**
 * Puts values into a template. A section reaches from one line that starts with `# ` to the next; it is left out if it
 * has variables and all of them are empty. Values are not searched for variables, so double braces in the text of a task
 * or an agent stay as they are.
 */
export function renderTemplate(text: string, values: Readonly<Record<string, string>>): string {
  const sections = text.slice(leadingComment(text).start).split(/^(?=# )/m);
  const rendered = sections.map((section) => {
    const used = [...section.matchAll(place)].map(({ 1: name = "" }) => valueOf(values, name));
    if (used.length > 0 && used.every((value) => value === "")) return "";
    return section.replace(place, (_, name: string) => valueOf(values, name));
  });
  return `${rendered.join("").trim()}\n`;
}

/** Double braces with something in them, or two that open and do not close on their line. */
const place = /\{\{([^{}\n]*)\}\}|\{\{/g;

function whyWrong(name: string | undefined, whole: string, known: readonly string[]): string | undefined {
  if (name === undefined) return `${quoted(whole)} starts a variable, which must end with }} on the same line`;
  return known.includes(name) ? undefined : unknownNameMessage("variable", name, known);
}

function valueOf(values: Readonly<Record<string, string>>, name: string): string {
  const value = Object.hasOwn(values, name.trim()) ? values[name.trim()] : undefined;
  if (value === undefined) throw new Error(`Internal error: expected a value of a template, but was ${quoted(name)}`);
  return value.trim();
}

/** A comment at the very top is for people who edit the template. */
function leadingComment(text: string): { readonly start: number; readonly unclosed: boolean } {
  if (!text.startsWith("<!--")) return { start: 0, unclosed: false };
  const end = text.indexOf("-->");
  return end === -1 ? { start: text.length, unclosed: true } : { start: end + "-->".length, unclosed: false };
}
