import { join } from "node:path";
import * as z from "zod";
import type { Command } from "../../engine/commands.ts";
import { writeDocument } from "../../journal/document.ts";
import type { FilePort } from "../../journal/file-port.ts";
import { attempt, ensureFolder, ioErrorOf, readToEnd } from "../../journal/io.ts";
import { runLimits } from "../limits.ts";
import { fail, ok, type Failure, type Result } from "../../base/result.ts";
import type { ArrivedCommand, CommandPort } from "./command-port.ts";
import { flawOf } from "../../project/state-folder.ts";
import { type Machine, realMachine } from "../../project/machine.ts";

/** What a sender of commands can do. */
export interface CommandPost {
  /** Durable when it returns; from then on a driver may take it. */
  readonly write: (command: Command) => Result<void, Failure<"io">>;
  /** Withdraws the command, so that it is never obeyed; false once it was taken. */
  readonly withdraw: (id: string) => boolean;
}

/**
 * A folder of commands. One is `<uuid>.json` until somebody takes it by renaming it to `<uuid>.taken`, which exactly one
 * of driver and withdrawing sender can do; the journal says what became of it, then the file goes.
 */
export function commandFiles(dir: string, { files, watch }: Machine = realMachine): CommandPort & CommandPost {
  const folder: Folder = { files, dir };
  return {
    take: () =>
      flawOf(dir, files) === undefined ? taken(folder).map((id) => ({ id, command: read(folder, id) })) : [],
    remove: (id) => attempt(() => files.unlink(takenFile(dir, id))),
    setAside: (id) => attempt(() => setAside(folder, id)),
    watch: (wake) => {
      attempt(() => ensureFolder(files, dir));
      return watch(dir, wake);
    },
    write: (command) => write(folder, command),
    withdraw: (id) => withdraw(folder, id),
  };
}

interface Folder {
  readonly files: FilePort;
  readonly dir: string;
}

function write({ files, dir }: Folder, command: Command): Result<void, Failure<"io">> {
  const text = `${JSON.stringify(command)}\n`;
  if (Buffer.byteLength(text) > runLimits.commandBytesMax) {
    return fail("io", `the command is longer than ${runLimits.commandBytesMax} bytes. Shorten it.`);
  }
  try {
    ensureFolder(files, dir);
  } catch (error) {
    // Made by the other side meanwhile; anything else is said by what is tried next.
    ioErrorOf(error);
  }
  const flaw = flawOf(dir, files);
  if (flaw !== undefined) return fail("io", `${dir} ${flaw.why}. ${flaw.cure}`);
  return writeDocument(files, newFile(dir, command.id), text);
}

function withdraw({ files, dir }: Folder, id: string): boolean {
  try {
    files.unlink(newFile(dir, id));
  } catch (error) {
    if (ioErrorOf(error).code === "ENOENT") return false;
    throw error;
  }
  attempt(() => files.fsyncDir(dir));
  return true;
}

/** Ids of what is ours now, also of what a driver that died had taken; sorted, so that the same files have the same effect. */
function taken(folder: Folder): string[] {
  const { dir } = folder;
  const ids = new Set<string>();
  for (const { id, state } of filesIn(folder)) {
    if (state === "taken" || (state === "json" && rename(folder, newFile(dir, id), takenFile(dir, id)))) ids.add(id);
  }
  return [...ids].toSorted();
}

const uuid = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const fileName = new RegExp(`^(${uuid})\\.(json|taken)$`);

/** A crowded folder must not delay a run: the rest is read next time. A file that a killed sender left half written does not count. */
function filesIn({ files, dir }: Folder): { readonly id: string; readonly state: string }[] {
  const found: { readonly id: string; readonly state: string }[] = [];
  try {
    for (const name of files.readdir(dir)) {
      const [, id, state] = fileName.exec(name) ?? [];
      if (id !== undefined && state !== undefined) found.push({ id, state });
      if (found.length >= runLimits.commandFilesMax) break;
    }
  } catch (error) {
    ioErrorOf(error);
  }
  return found;
}

/** False where its sender withdrew it or the folder is read-only: then it stays and is not obeyed. */
function rename({ files }: Folder, from: string, to: string): boolean {
  try {
    files.rename(from, to);
    return true;
  } catch (error) {
    ioErrorOf(error);
    return false;
  }
}

/** Moves it to a folder where a person finds it and no driver looks for commands. */
function setAside(folder: Folder, id: string) {
  const { files, dir } = folder;
  const aside = join(dir, "aside");
  attempt(() => ensureFolder(files, aside));
  if (!rename(folder, takenFile(dir, id), join(aside, `${id}.json`))) files.unlink(takenFile(dir, id));
}

/** Follows no link and waits for no pipe: any process of this user may have put one there. */
function read({ files, dir }: Folder, id: string): ArrivedCommand["command"] {
  try {
    const text = readPlainFile(files, takenFile(dir, id));
    if (!text.ok) return text;
    const parsed = schema.safeParse(JSON.parse(text.value));
    if (!parsed.success) return notOne("it does not have the fields of a command");
    return parsed.data.id === id ? ok(parsed.data) : notOne("its file name is not its id");
  } catch (error) {
    return notOne(error instanceof SyntaxError ? "it is not JSON" : `it cannot be read: ${ioErrorOf(error).code}`);
  }
}

function readPlainFile(files: FilePort, path: string): Result<string, Failure<"no-command">> {
  if (files.stat(path)?.kind !== "file") return notOne("it is not a regular file");
  const fd = files.open(path, "read");
  try {
    const found = files.fstat(fd);
    if (found.kind !== "file") return notOne("it is not a regular file");
    if (process.getuid !== undefined && found.uid !== process.getuid()) return notOne(`user ${found.uid} wrote it`);
    if (found.size > runLimits.commandBytesMax) return notOne(`it has ${found.size} bytes`);
    return ok(readToEnd(files, fd, 0).toString());
  } finally {
    files.close(fd);
  }
}

function notOne(why: string): { readonly ok: false; readonly failure: Failure<"no-command"> } {
  return fail("no-command", `it is not a command: ${why}`);
}

const head = { v: z.literal(1), id: z.string(), run: z.string(), epoch: z.int().min(1) };
const ofTask = { ...head, task: z.string() };

const schema: z.ZodType<Command> = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.enum(["stop", "resume"]), ...head }),
  z.strictObject({ kind: z.literal("pause"), ...head, now: z.literal(true).optional() }),
  z.strictObject({ kind: z.enum(["requeue", "take", "submit"]), ...ofTask }),
  z.strictObject({ kind: z.literal("answer"), ...head, question: z.string(), answer: z.string() }),
  z.strictObject({ kind: z.literal("revise"), ...head, commit: z.string(), planHash: z.string() }),
  z.strictObject({ kind: z.literal("raise"), ...head, budgetUsd: z.number().positive() }),
]);

function newFile(dir: string, id: string): string {
  return join(dir, `${id}.json`);
}

function takenFile(dir: string, id: string): string {
  return join(dir, `${id}.taken`);
}
