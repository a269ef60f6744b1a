import { planLimits } from "../../plan/limits.ts";
import { planningLimits } from "../limits.ts";
import { isId, slugOf } from "../../plan/ids.ts";
import { shortened } from "../../base/visible.ts";
import type { Finding, Inquiry } from "./session-output.ts";

/** What could be read of a file that a model wrote, and a line for each entry that could not. */
export interface Parsed<T> {
  readonly items: readonly T[];
  readonly problems: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

/** Reads a questions.json in any of the forms that models write; null means none. */
export function questionsFrom(json: unknown): Parsed<Inquiry> {
  const list = listIn(json, "questions");
  if (list === null) return { items: [], problems: ["questions.json: must be a list of questions"] };
  const problems: string[] = [];
  const items: Inquiry[] = [];
  for (const [at, entry] of list.slice(0, planningLimits.planningQuestionsMax).entries()) {
    const inquiry = inquiryFrom(entry, new Set(items.map(({ id }) => id)));
    if (inquiry === null) problems.push(`questions.json: entry ${at + 1} asks nothing`);
    else items.push(inquiry);
  }
  if (list.length > planningLimits.planningQuestionsMax)
    problems.push(
      `questions.json: ${list.length} questions; the first ${planningLimits.planningQuestionsMax} are used`,
    );
  return { items, problems };
}

/** Reads a findings.json; null where it has no list, which is not the same as an empty one. */
export function findingsFrom(json: unknown): Parsed<Finding> | null {
  const list = json === null ? null : listIn(json, "findings");
  if (list === null) return null;
  const found = list.map(findingFrom);
  const readable = found.filter((finding) => finding !== null);
  const worstFirst = readable.toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
  const problems = found.flatMap((finding, at) =>
    finding === null ? [`findings.json: entry ${at + 1} says nothing`] : [],
  );
  if (worstFirst.length > planningLimits.findingsMax)
    problems.push(`findings.json: ${worstFirst.length} findings; the worst ${planningLimits.findingsMax} are used`);
  return {
    items: worstFirst.slice(0, planningLimits.findingsMax),
    problems: problems.slice(0, planningLimits.findingsMax),
  };
}

const severities = ["critical", "major", "minor"] as const;

/** Finds a list, or a list under its usual name. */
function listIn(json: unknown, name: string): readonly unknown[] | null {
  if (json === null) return [];
  const list: unknown = isFields(json) ? json[name] : json;
  return Array.isArray(list) ? (list as readonly unknown[]) : list === null ? [] : null;
}

function inquiryFrom(entry: unknown, taken: ReadonlySet<string>): Inquiry | null {
  const fields = isFields(entry) ? entry : { question: entry };
  const question = firstText(fields, ["question", "text"]);
  if (question === "") return null;
  const written = fields["options"];
  const texts = (Array.isArray(written) ? (written as readonly unknown[]) : [])
    .map(optionText)
    .filter((text) => text !== "");
  const options = [...new Set(texts)].slice(0, planningLimits.inquiryOptionsMax);
  const recommend = firstText(fields, ["recommend", "recommended", "recommendation"]);
  const id = firstText(fields, ["id"]);
  return { id: idFor(id, { question, taken }), question, options, recommend: recommend === "" ? null : recommend };
}

/** Keeps an id that is valid; else makes one from its words, or from those of the question. */
function idFor(
  id: string,
  { question, taken }: { readonly question: string; readonly taken: ReadonlySet<string> },
): string {
  const base = isId(id) ? id : slugOf(id) || slugOf(question) || "question";
  let free = base;
  for (let again = 2; taken.has(free); again++) free = `${base.slice(0, planLimits.quickSlugCharsMax)}-${again}`;
  return free;
}

function optionText(option: unknown): string {
  return isFields(option) ? firstText(option, ["label", "option", "value", "text", "answer"]) : textOf(option);
}

function findingFrom(entry: unknown): Finding | null {
  const fields = isFields(entry) ? entry : { title: entry };
  const [title, why] = [firstText(fields, ["title"]), firstText(fields, ["why", "description"])];
  if (title === "" && why === "") return null;
  const said = textOf(fields["severity"]).toLowerCase();
  const line = fields["line"];
  return {
    // An unknown severity must not make a finding look harmless.
    severity: severities.find((severity) => severity === said) ?? "major",
    file: textOf(fields["file"]),
    line: typeof line === "number" && Number.isSafeInteger(line) && line > 0 ? line : null,
    title: title === "" ? (why.split("\n")[0] ?? "") : title,
    why,
    fix: textOf(fields["fix"]),
  };
}

function firstText(fields: Fields, names: readonly string[]): string {
  return names.map((name) => textOf(fields[name])).find((text) => text !== "") ?? "";
}

function textOf(value: unknown): string {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" ? shortened(value.trim(), planningLimits.inquiryCharsMax) : "";
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
