import { closeSync, constants, fstatSync, lstatSync, openSync, opendirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Command } from "../engine/commands.ts";
import { writeDocument } from "../journal/document.ts";
import { realFiles } from "../journal/file-port.ts";
import { attempt, ensureFolder, ioErrorOf, readToEnd } from "../journal/io.ts";
import { limits } from "../limits.ts";
import { fail, ok, type Failure, type Result } from "../result.ts";
import type { ArrivedCommand, CommandPort } from "./ports.ts";
import { flawOf } from "./state-folder.ts";
import { watchFolder } from "./watch-folder.ts";

/** The sender's side. */
export interface CommandPost {
  /** Durable when it returns; from then on a driver may take it. */
  readonly write: (command: Command) => Result<void, Failure<"io">>;
  /** Whether it could be had back, so that nobody will ever obey it; false once it was taken. */
  readonly withdraw: (id: string) => boolean;
}

/**
 * A folder of commands. One is `<uuid>.json` until somebody takes it by renaming it to `<uuid>.taken`, which exactly one
 * of driver and withdrawing sender can do; the journal says what became of it, then the file goes.
 */
export function commandFiles(dir: string): CommandPort & CommandPost {
  return {
    take: () => (flawOf(dir) === undefined ? taken(dir).map((id) => ({ id, command: read(dir, id) })) : []),
    remove: (id) => attempt(() => realFiles.unlink(takenFile(dir, id))),
    setAside: (id) => attempt(() => setAside(dir, id)),
    watch: (wake) => {
      attempt(() => ensureFolder(realFiles, dir));
      return watchFolder(dir, wake);
    },
    write: (command) => write(dir, command),
    withdraw: (id) => withdraw(dir, id),
  };
}

function write(dir: string, command: Command): Result<void, Failure<"io">> {
  const text = `${JSON.stringify(command)}\n`;
  if (Buffer.byteLength(text) > limits.commandBytesMax) {
    return fail("io", `the command is longer than ${limits.commandBytesMax} bytes. Say it in fewer words.`);
  }
  try {
    ensureFolder(realFiles, dir);
  } catch (error) {
    // Made by the other side meanwhile; anything else is said by what is tried next.
    ioErrorOf(error);
  }
  const flaw = flawOf(dir);
  if (flaw !== undefined) return fail("io", `${dir} ${flaw.why}. ${flaw.cure}`);
  return writeDocument(realFiles, newFile(dir, command.id), text);
}

function withdraw(dir: string, id: string): boolean {
  try {
    realFiles.unlink(newFile(dir, id));
  } catch (error) {
    if (ioErrorOf(error).code === "ENOENT") return false;
    throw error;
  }
  attempt(() => realFiles.fsyncDir(dir));
  return true;
}

/** Ids of what is ours now, also of what a driver that died had taken; sorted, so that the same files have the same effect. */
function taken(dir: string): string[] {
  const ids = new Set<string>();
  for (const { id, state } of filesIn(dir)) {
    if (state === "taken" || (state === "json" && rename(newFile(dir, id), takenFile(dir, id)))) ids.add(id);
  }
  return [...ids].toSorted();
}

const uuid = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const fileName = new RegExp(`^(${uuid})\\.(json|taken)$`);

/** A folder somebody filled must not hold up a run: the rest is seen at a later look. What a killed sender left half written does not count. */
function filesIn(dir: string): { readonly id: string; readonly state: string }[] {
  const found: { readonly id: string; readonly state: string }[] = [];
  try {
    const folder = opendirSync(dir);
    try {
      for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
        const [, id, state] = fileName.exec(entry.name) ?? [];
        if (id !== undefined && state !== undefined) found.push({ id, state });
        if (found.length >= limits.commandFilesMax) break;
      }
    } finally {
      folder.closeSync();
    }
  } catch (error) {
    ioErrorOf(error);
  }
  return found;
}

/** False where its sender withdrew it, or where the folder does not let us; it stays then, and nobody obeys it. */
function rename(from: string, to: string): boolean {
  try {
    realFiles.rename(from, to);
    return true;
  } catch (error) {
    ioErrorOf(error);
    return false;
  }
}

/** In a folder of its own, where a person finds it and no look for commands does. */
function setAside(dir: string, id: string) {
  const aside = join(dir, "aside");
  attempt(() => ensureFolder(realFiles, aside));
  if (!rename(takenFile(dir, id), join(aside, `${id}.json`))) realFiles.unlink(takenFile(dir, id));
}

/** Never through a link and never waiting for a pipe: anyone who can write here may have put it there. */
function read(dir: string, id: string): ArrivedCommand["command"] {
  try {
    const text = readPlainFile(takenFile(dir, id));
    if (!text.ok) return text;
    const parsed = schema.safeParse(JSON.parse(text.value));
    if (!parsed.success) return notOne("it has not the fields of a command");
    return parsed.data.id === id ? ok(parsed.data) : notOne("it has not the name of its id");
  } catch (error) {
    return notOne(error instanceof SyntaxError ? "it is not JSON" : `it cannot be read: ${ioErrorOf(error).code}`);
  }
}

function readPlainFile(path: string): Result<string, Failure<"no-command">> {
  if (!lstatSync(path).isFile()) return notOne("it is no regular file");
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const found = fstatSync(fd);
    if (!found.isFile()) return notOne("it is no regular file");
    if (process.getuid !== undefined && found.uid !== process.getuid()) return notOne(`user ${found.uid} wrote it`);
    if (found.size > limits.commandBytesMax) return notOne(`it has ${found.size} bytes`);
    return ok(readToEnd(realFiles, fd, 0).toString());
  } finally {
    closeSync(fd);
  }
}

function notOne(why: string): { readonly ok: false; readonly failure: Failure<"no-command"> } {
  return fail("no-command", `it is not a command: ${why}`);
}

const head = { v: z.literal(1), id: z.string(), run: z.string(), epoch: z.int().min(1) };
const ofTask = { ...head, task: z.string() };

const schema: z.ZodType<Command> = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.enum(["pause", "stop", "resume"]), ...head }),
  z.strictObject({ kind: z.enum(["requeue", "take", "submit"]), ...ofTask }),
  z.strictObject({ kind: z.literal("answer"), ...head, question: z.string(), answer: z.string() }),
]);

function newFile(dir: string, id: string): string {
  return join(dir, `${id}.json`);
}

function takenFile(dir: string, id: string): string {
  return join(dir, `${id}.taken`);
}
