import { isAbsolute, relative, resolve, sep } from "node:path";
import type { DialectWish } from "../driver-kit/dialect.ts";
import { type Json, toRecord, toRecords } from "../driver-kit/json.ts";

/** What we answer when the agent asks whether it may call a tool: no, unless it is part of the work. */
export function permissionAnswer(params: Json, wish: PermissionWish): { allowed: boolean; answer: Json } {
  const options = toRecords(params["options"]);
  const pick = (kind: string): unknown => options.find((option) => option["kind"] === kind)?.["optionId"];
  // Never "always": what an agent remembers in its home would hold for other sessions.
  const yes = isWork(toRecord(params["toolCall"]), wish) ? pick("allow_once") : undefined;
  const chosen = yes ?? pick("reject_once") ?? pick("reject_always");
  const outcome = typeof chosen === "string" ? { outcome: "selected", optionId: chosen } : { outcome: "cancelled" };
  return { allowed: typeof yes === "string", answer: { outcome } };
}

export type PermissionWish = Pick<DialectWish, "confined" | "folders" | "mcp">;

/**
 * Inside a sandbox the operating system keeps the agent from harm, so the kinds of calls that make up the work are allowed.
 * Without one, what names a path must stay where the work is; a command cannot be judged by its looks, and without
 * commands there is no work, so it is allowed as every other driver allows it.
 */
function isWork(call: Json, { confined, folders, mcp }: PermissionWish): boolean {
  const { kind } = call;
  // Tools of servers have no kind of their own.
  if (kind === undefined || kind === "other") return Object.keys(mcp).length > 0;
  if (confined) return confinedKinds.has(kind);
  const paths = pathsOf(call);
  const readable = [folders.workspace, folders.outbox, folders.inbox];
  if (kind === "read" || kind === "search") return paths.every((path) => isWithin(path, readable, folders.workspace));
  if (kind === "edit" || kind === "delete" || kind === "move") {
    const writable = [folders.workspace, folders.outbox];
    return paths.length > 0 && paths.every((path) => isWithin(path, writable, folders.workspace));
  }
  return kind === "execute" || kind === "think";
}

const confinedKinds: ReadonlySet<unknown> = new Set([
  "read",
  "search",
  "edit",
  "delete",
  "move",
  "execute",
  "think",
  "fetch",
]);

function pathsOf(call: Json): unknown[] {
  const diffs = toRecords(call["content"]).filter(({ type }) => type === "diff");
  return [...toRecords(call["locations"]), ...diffs].map(({ path }) => path);
}

/** As the path is written: a link inside the workspace may still lead out of it, which only a sandbox prevents. */
function isWithin(path: unknown, folders: readonly string[], base: string): boolean {
  if (typeof path !== "string") return false;
  return folders.some((folder) => {
    const way = relative(folder, resolve(base, path));
    return folder !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
  });
}
