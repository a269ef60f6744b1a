import { posix } from "node:path";
import * as z from "zod";

/** A file or folder of the user's machine that workspaces and rooms get at its own path. */
export interface MountConfig {
  /** Absolute, or below the user's home as `~/…`. */
  readonly path: string;
  readonly writable: boolean;
}

/** `/data`, `~/.m2:rw`: read-only unless it says otherwise. */
export const mount = z.string().transform((value, context): MountConfig => {
  const [, path = "", mode] = /^(.*?)(?::(ro|rw))?$/s.exec(value) ?? [];
  const normal = posix.normalize(path).replace(/\/$/, "");
  const isNamed = /^(?:~\/|\/)[^/]/.test(normal) && !path.includes("\0") && !own.test(normal);
  if (!isNamed) context.addIssue({ code: "custom", message: rule });
  return { path: normal, writable: mode === "rw" };
});

const rule =
  'must be a path from "/" or "~/", which is read-only unless ":rw" follows, and not below /proc, /dev or /stint';

/** What the sandbox makes itself. */
const own = /^\/(?:proc|dev|stint)(?:\/|$)/;
