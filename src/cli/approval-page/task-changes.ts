import type { TaskChange } from "../../plan/diff.ts";
import { decodeText } from "../../plan/text.ts";
import { textDiff } from "../../base/text-diff.ts";
import { plural } from "../../base/plural.ts";
import { gap, type Item } from "../text-layout.ts";

/** A plan, and what a revision changes in it. */
export interface Revision {
  readonly plan: string;
  readonly changes: readonly TaskChange[];
  /** The files by name inside the plan's folder. */
  readonly before: ReadonlyMap<string, Uint8Array>;
  readonly after: ReadonlyMap<string, Uint8Array>;
}

/** Shows what a revision changes: a summary of the tasks, then each file that differs, with at most `linesMax` lines of each. */
export function revisionItems(revision: Revision, { linesMax }: { readonly linesMax: number }): Item[] {
  const { plan, changes } = revision;
  return [
    { label: `Revision of plan ${plan}: `, text: countText(changes), style: "bold", ours: true },
    ...changes.map((change) => changeItem(change)),
    gap,
    ...differingFiles(revision).flatMap((path) => [...fileItems(revision, path, linesMax), gap]),
  ];
}

function countText(changes: readonly TaskChange[]): string {
  const count = (kind: TaskChange["change"]) => changes.filter(({ change }) => change === kind).length;
  const kinds = (["added", "changed", "removed"] as const).filter((kind) => count(kind) > 0);
  if (kinds.length === 0) return "no task changes";
  return kinds.map((kind) => `${plural(count(kind), "task")} ${kind}`).join(", ");
}

const marks = { added: "+ ", changed: "~ ", removed: "- " } as const;
const styles = { added: "green", changed: "yellow", removed: "red" } as const;

/** Shows the change to one task, with its title if that is known. */
export function changeItem({ id, change }: TaskChange, title?: string): Item {
  const [label, text] = title === undefined ? ["", `${id} ${change}`] : [`${id} ${change}: `, title];
  return { indent: 2, label: marks[change] + label, text, style: styles[change], styled: "label" };
}

/** Lists the tasks in the order of the changes, then what else differs. */
function differingFiles({ changes, before, after }: Revision): string[] {
  const tasks = changes.map(({ id }) => `tasks/${id}.md`);
  const others = [...before.keys(), ...after.keys()].toSorted();
  return [...new Set([...tasks, ...others])].filter((name) => !isSame(before.get(name), after.get(name)));
}

function isSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  return one === undefined || other === undefined ? one === other : Buffer.compare(one, other) === 0;
}

function fileItems({ before, after }: Revision, name: string, linesMax: number): Item[] {
  const [old, now] = [textOf(name, before.get(name)), textOf(name, after.get(name))];
  const title: Item = { text: `${name}${after.has(name) ? "" : " (removed)"}`, style: "bold" };
  if (old === undefined || now === undefined) return [title, { indent: 2, text: "not a text file", ours: true }];
  return [title, ...diffItems(textDiff(old, now), { linesMax, path: name })];
}

/** Returns undefined if a file cannot be read as text; a missing file is empty. */
function textOf(name: string, bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined) return "";
  const decoded = decodeText(name, bytes);
  return "text" in decoded ? decoded.text : undefined;
}

/** Shows the first lines of a diff, and how many are left out. */
export function diffItems(
  lines: readonly string[],
  { linesMax, path }: { readonly linesMax: number; readonly path: string },
): Item[] {
  const left = lines.length - linesMax;
  return [
    ...lines.slice(0, linesMax).map((text) => ({ ...diffItem(text), indent: 2 })),
    ...(left > 0 ? [{ indent: 2, text: `(${plural(left, "more line")} of ${path})`, style: "dim" as const }] : []),
  ];
}

/** Shows a line of a diff in its colour. */
export function diffItem(text: string): Item {
  const style = text.startsWith("+") ? "green" : text.startsWith("-") ? "red" : undefined;
  return style === undefined ? { text } : { text, style };
}
