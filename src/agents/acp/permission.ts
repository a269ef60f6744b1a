import { isAbsolute, relative, resolve, sep } from "node:path";
import type { DialectWish } from "../driver-kit/dialect.ts";
import { type Json, toRecord, toRecords } from "../driver-kit/json.ts";

/** Answers whether the agent may call a tool: no, unless it is part of the work. */
export function permissionAnswer(params: Json, wish: PermissionWish): { allowed: boolean; answer: Json } {
  const options = toRecords(params["options"]);
  const pick = (kind: string): unknown => options.find((option) => option["kind"] === kind)?.["optionId"];
  // Never "always": the agent would remember it in its home, for other sessions, too.
  const yes = isWork(toRecord(params["toolCall"]), wish) ? pick("allow_once") : undefined;
  const chosen = yes ?? pick("reject_once") ?? pick("reject_always");
  const outcome = typeof chosen === "string" ? { outcome: "selected", optionId: chosen } : { outcome: "cancelled" };
  return { allowed: typeof yes === "string", answer: { outcome } };
}

export type PermissionWish = Pick<DialectWish, "confined" | "folders" | "mcp">;

/**
 * Inside a sandbox the operating system prevents harm, so the usual kinds of calls are allowed. Without one, paths must stay
 * inside the session's folders. A command cannot be checked by its text, and without commands no work is possible, so it is
 * allowed, as in every other driver.
 */
function isWork(call: Json, { confined, folders, mcp }: PermissionWish): boolean {
  const { kind } = call;
  // Tools of MCP servers have no kind of their own.
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

/** Compares paths as text: a link inside the workspace may still lead out of it, which only a sandbox prevents. */
function isWithin(path: unknown, folders: readonly string[], base: string): boolean {
  if (typeof path !== "string") return false;
  return folders.some((folder) => {
    const way = relative(folder, resolve(base, path));
    return folder !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
  });
}
