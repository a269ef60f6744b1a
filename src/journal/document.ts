import { randomBytes } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { fail, ok, type Failure, type Result } from "../base/result.ts";
import type { FilePort } from "./file-port.ts";
import { attempt, ioErrorOf, writeNewFile } from "./io.ts";

/** Replaces a document so that readers, even after a crash, see the old content or the new one and never a mixture; `nonce` is for a simulator. */
export function writeDocument(
  files: FilePort,
  path: string,
  content: string | Uint8Array,
  options: { readonly nonce?: string } = {},
): Result<void, Failure<"io">> {
  const folder = dirname(path);
  const temporary = join(folder, `.${basename(path)}.${options.nonce ?? randomBytes(12).toString("hex")}.tmp`);
  try {
    writeNewFile(files, temporary, typeof content === "string" ? Buffer.from(content) : content);
    renameOrRemove(files, temporary, path);
    files.fsyncDir(folder);
    return ok(undefined);
  } catch (error) {
    return fail("io", `${path} could not be written: ${ioErrorOf(error).message}.`);
  }
}

function renameOrRemove(files: FilePort, temporary: string, path: string): void {
  try {
    files.rename(temporary, path);
  } catch (error) {
    attempt(() => files.unlink(temporary));
    throw error;
  }
}
