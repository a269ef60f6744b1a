import { posix } from "node:path";
import * as z from "zod";

/** A file or folder of the user's machine that is mounted at the same path for agents and checks. */
export interface MountConfig {
  /** Absolute, or below the user's home as `~/…`. */
  readonly path: string;
  readonly writable: boolean;
}

/** `/data` is read-only, `~/.m2:rw` is writable. */
export const mount = z.string().transform((value, context): MountConfig => {
  const [, path = "", mode] = /^(.*?)(?::(ro|rw))?$/s.exec(value) ?? [];
  const normal = posix.normalize(path).replace(/\/$/, "");
  const isNamed = /^(?:~\/|\/)[^/]/.test(normal) && !path.includes("\0") && !own.test(normal);
  if (!isNamed) context.addIssue({ code: "custom", message: rule });
  return { path: normal, writable: mode === "rw" };
});

const rule =
  'must be a path that starts with "/" or "~/" and is not below /proc, /dev or /stint; append ":rw" to make it writable';

/** The sandbox creates these itself. */
const own = /^\/(?:proc|dev|stint)(?:\/|$)/;
