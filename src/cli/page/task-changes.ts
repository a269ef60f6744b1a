import type { TaskChange } from "../../plan/diff.ts";
import { decodeText } from "../../plan/text.ts";
import { textDiff } from "../../plan/text-diff.ts";
import type { PlanFile, PlanFiles } from "../../plan/types.ts";
import { plural } from "../../plural.ts";
import { gap, lay, type Item, type Look } from "./layout.ts";

/** A plan, and what another version makes of it. */
export interface Revision {
  readonly plan: string;
  readonly changes: readonly TaskChange[];
  /** By path in the repository; files outside the plan's folder are left alone. */
  readonly before: PlanFiles;
  readonly after: PlanFiles;
}

/** What a revision changes, as lines for people: the tasks in short, then each file that differs, cut only where `linesMax` says so. */
export function revisionLines(revision: Revision, look: Look, options: { readonly linesMax?: number } = {}): string[] {
  return lay(revisionItems(revision, options), look);
}

/** The same as parts of a page. */
export function revisionItems(
  revision: Revision,
  { linesMax = Infinity }: { readonly linesMax?: number } = {},
): Item[] {
  const { plan, changes } = revision;
  return [
    { label: `Revision of plan ${plan}: `, text: countText(changes), style: "bold", ours: true },
    ...changes.map(changeItem),
    gap,
    ...differingFiles(revision).flatMap((path) => [...fileItems(revision, path, linesMax), gap]),
  ];
}

function countText(changes: readonly TaskChange[]): string {
  const count = (kind: TaskChange["change"]) => changes.filter(({ change }) => change === kind).length;
  const kinds = (["added", "changed", "removed"] as const).filter((kind) => count(kind) > 0);
  if (kinds.length === 0) return "no task differs";
  return kinds.map((kind) => `${plural(count(kind), "task")} ${kind}`).join(", ");
}

const marks = { added: "+ ", changed: "~ ", removed: "- " } as const;
const styles = { added: "green", changed: "yellow", removed: "red" } as const;

function changeItem({ id, change }: TaskChange): Item {
  return { indent: 2, label: marks[change], text: `${id} ${change}`, style: styles[change], styled: "label" };
}

/** Tasks in the order of the changes, then what else differs. */
function differingFiles({ plan, changes, before, after }: Revision): string[] {
  const folder = `plans/${plan}/`;
  const tasks = changes.map(({ id }) => `${folder}tasks/${id}.md`);
  const others = [...new Set([...before.keys(), ...after.keys()])].filter((path) => path.startsWith(folder)).toSorted();
  return [...new Set([...tasks, ...others])].filter((path) => !isSame(before.get(path), after.get(path)));
}

function isSame(one: PlanFile | undefined, other: PlanFile | undefined): boolean {
  const [a, b] = [one, other].map((file) =>
    file !== undefined && "bytes" in file ? Buffer.from(file.bytes) : undefined,
  );
  return a === undefined || b === undefined ? a === b : a.equals(b);
}

function fileItems({ before, after }: Revision, path: string, linesMax: number): Item[] {
  const [old, now] = [textOf(path, before.get(path)), textOf(path, after.get(path))];
  const title: Item = { text: `${path}${after.has(path) ? "" : " (removed)"}`, style: "bold" };
  if (old === undefined || now === undefined) return [title, { indent: 2, text: "not a text", ours: true }];
  return [title, ...diffItems(textDiff(old, now), { linesMax, path })];
}

/** Undefined where it cannot be read as text; what is not there is empty. */
function textOf(path: string, file: PlanFile | undefined): string | undefined {
  if (file === undefined) return "";
  if ("unreadable" in file) return undefined;
  const decoded = decodeText(path, file.bytes);
  return "text" in decoded ? decoded.text : undefined;
}

/** Lines of a diff in its colours, as many as there may be. */
export function diffItems(
  lines: readonly string[],
  { linesMax, path }: { readonly linesMax: number; readonly path: string },
): Item[] {
  const left = lines.length - linesMax;
  return [
    ...lines.slice(0, linesMax).map((text): Item => {
      const style = text.startsWith("+") ? "green" : text.startsWith("-") ? "red" : undefined;
      return style === undefined ? { indent: 2, text } : { indent: 2, text, style };
    }),
    ...(left > 0 ? [{ indent: 2, text: `(${plural(left, "more line")} of ${path})`, style: "dim" as const }] : []),
  ];
}
