import { planLimits } from "../../limits.ts";
import { claimKeys, claimsOf, claimsOfAll } from "../../claims.ts";
import { ancestry, type Ancestry } from "../../graph.ts";
import { fileEntries } from "../paths.ts";
import { taskWarning } from "../../problem.ts";
import type { Problem, Task } from "../../types.ts";

/** Tasks that claim the same files wait for one another even without dependencies; it is better to choose their order. */
export function adviseSharedFiles(tasks: readonly Task[], repoFiles: ReadonlySet<string>): Problem[] {
  if (tasks.length < 2) return [];
  const order = ancestry(tasks.map(({ id, depends }) => ({ id, depends: depends.filter((other) => other !== id) })));
  const ordered = tasks.filter(({ id }) => order.position(id) !== undefined);
  const claimed = claimedPlaces(ordered, { repoFiles, order });
  const byId = new Map(tasks.map((task) => [task.id, task]));
  return [
    ...samePlaces(claimed, order).map(({ ids, places }) => sameWarning(byId.get(ids[1] ?? "")!, ids, places)),
    ...wideClaims(claimed, order).map(({ by, place, others }) => wideWarning(byId.get(by)!, place, [...others])),
  ];
}

/** A file or folder, and the tasks that may touch it. */
interface Place {
  /** If it begins with the key of another place, it is inside that place. */
  readonly key: string;
  /** The place as the plan writes it. */
  readonly name: string;
  /** The tasks are in topological order. */
  readonly ids: string[];
}

function claimedPlaces(
  tasks: readonly Task[],
  { repoFiles, order }: { readonly repoFiles: ReadonlySet<string>; readonly order: Ancestry },
): Place[] {
  const rank = ({ id }: Task): number => order.position(id) ?? 0;
  const sorted = tasks.toSorted((a, b) => rank(a) - rank(b));
  const places = new Map<string, Place>();
  for (const [at, claims] of claimsOfAll(sorted, repoFiles).entries()) {
    const names = [...claims.paths, ...claims.folders];
    for (const [index, key] of claimKeys(claims).entries()) {
      if (!places.has(key)) places.set(key, { key, name: names[index] || "everything", ids: [] });
      const { ids } = places.get(key)!;
      const { id } = sorted[at]!;
      if (ids.at(-1) !== id) ids.push(id);
    }
  }
  return [...places.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

interface Meeting {
  readonly ids: readonly string[];
  readonly places: Place[];
}

/** Finds tasks that name the very same place, each set of tasks once. */
function samePlaces(claimed: readonly Place[], order: Ancestry): Meeting[] {
  const meetings = new Map<string, Meeting>();
  for (const place of claimed) {
    const ids = unordered(place.ids, order);
    if (ids.length === 0) continue;
    const known = meetings.get(ids.join());
    if (known === undefined) meetings.set(ids.join(), { ids, places: [place] });
    else known.places.push(place);
  }
  return [...meetings.values()];
}

/** In topological order, all tasks are ordered if each two neighbours are; ordering those orders the rest. */
function unordered(ids: readonly string[], order: Ancestry): string[] {
  const found = new Set<string>();
  for (let at = 1; at < ids.length; at += 1) {
    const [before, after] = [ids[at - 1]!, ids[at]!];
    if (!order.isAncestor(before, after)) found.add(before).add(after);
  }
  return [...found];
}

interface WideClaim {
  readonly by: string;
  readonly place: Place;
  readonly others: Set<string>;
}

/** Finds tasks that claim a folder in which others work; places are sorted, so what lies in a folder follows it. */
function wideClaims(claimed: readonly Place[], order: Ancestry): WideClaim[] {
  const found = new Map<string, WideClaim>();
  const around: Place[] = [];
  let looks = 0;
  for (const place of claimed) {
    while (around.length > 0 && !place.key.startsWith(around.at(-1)!.key)) around.pop();
    for (const folder of around) {
      looks += folder.ids.length * place.ids.length;
      if (looks > planLimits.sharedPairsMax) return [...found.values()];
      for (const by of folder.ids) {
        const others = place.ids.filter((id) => id !== by && !order.isAncestor(by, id) && !order.isAncestor(id, by));
        if (others.length === 0) continue;
        const key = `${by} ${folder.key}`;
        if (!found.has(key)) found.set(key, { by, place: folder, others: new Set() });
        for (const id of others) found.get(key)!.others.add(id);
      }
    }
    around.push(place);
  }
  return [...found.values()];
}

function sameWarning(task: Task, ids: readonly string[], places: readonly Place[]): Problem {
  const who = namesOf(ids);
  const what = namesOf(places.map(({ name }) => name));
  const message =
    ids.length === 2
      ? `Tasks ${who} may be ready at the same time and both touch ${what}, so one will wait for the other. Add one to depends of the other to choose which comes first.`
      : `Tasks ${who} may be ready at the same time and all touch ${what}, so they will wait for one another. Choose their order with depends.`;
  return taskWarning(task, entryAt(task, places[0]!), { code: "shared-files", message });
}

function wideWarning(task: Task, place: Place, others: readonly string[]): Problem {
  const where = place.name.endsWith("/") ? `all of ${place.name}` : place.name;
  const message = `Task ${task.id} may touch ${where}, and ${namesOf(others)} may be ready at the same time and ${others.length === 1 ? "works" : "work"} there, so they will wait for one another. Name the files, or choose the order with depends.`;
  return taskWarning(task, entryAt(task, place), { code: "shared-files", message });
}

/** Lists names, and only counts them after the first few. */
function namesOf(names: readonly string[]): string {
  const namesMax = planLimits.sharedNamedMax;
  if (names.length <= 1) return names.join();
  if (names.length <= namesMax) return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  return `${names.slice(0, namesMax).join(", ")} and ${names.length - namesMax} more`;
}

function entryAt(task: Task, { key }: Place): readonly (string | number)[] {
  const none = { create: [], modify: [], delete: [], touch: [] };
  const entry = fileEntries(task).find(({ list, path }) =>
    claimKeys(claimsOf({ ...none, [list]: [path] })).some((claim) => key.startsWith(claim)),
  );
  return entry?.key ?? ["files"];
}
