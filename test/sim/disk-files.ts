import type { FilePort, FileStat, OpenMode } from "../../src/journal/file-port.ts";
import type { Dice } from "../rounds/dice.ts";
import { errno } from "./errno.ts";
import type { Trouble } from "./faults.ts";
import type { Names, Place, SimFile, SimFolder, SimNode } from "./names.ts";
import { opened, type OpenFile, type OpenFiles } from "./open-files.ts";
import { Killed, type SimProcess } from "./process.ts";

/** One process at the disk. */
export interface Seat {
  readonly process: SimProcess;
  readonly open: OpenFiles;
  readonly names: Names;
  readonly dice: Dice;
  readonly trouble: Trouble;
}

/** The disk as one process sees it. */
export function diskFiles(seat: Seat): FilePort {
  const { process, open, names, trouble } = seat;
  const at = (op: string, path: string) => process.reach(`${op} ${path}`);
  const atFile = (op: string, fd: number): OpenFile => {
    at(op, open.nameOf(fd));
    return open.get(fd, op);
  };
  return {
    open: (path, mode) => (at("open", path), open.add(openFile(seat, path, mode))),
    write: (fd, bytes) => write(seat, atFile("write", fd), bytes),
    rewrite: (path, bytes, position) => (at("rewrite", path), rewrite(seat, path, { bytes, position })),
    read: (fd, into, position) => read(seat, atFile("read", fd), { into, position }),
    fsync: (fd) => fsync(seat, atFile("fsync", fd)),
    fstat: (fd) => statOf(atFile("fstat", fd).node),
    stat: (path) => (at("stat", path), stat(names, path)),
    ftruncate: (fd, size) => fileOf(atFile("ftruncate", fd)).bytes.truncate(size, seat.dice),
    close: (fd) => (at("close", open.nameOf(fd)), open.close(fd)),
    readFile: (path) => (at("readFile", path), readFile(seat, path)),
    rename: (from, to) => (at("rename", `${from} ${to}`), rename(seat, from, to)),
    unlink: (path) => (at("unlink", path), unlink(seat, path)),
    mkdir: (path) => (at("mkdir", path), mkdir(seat, path)),
    readdir: (path) => {
      at("readdir", path);
      const call = { syscall: "scandir", path };
      trouble.read(call);
      return namesIn(names.findFolder(path, call));
    },
    fsyncDir: (path) => (at("fsyncDir", path), fsyncFolder(seat, names.findFolder(path, { syscall: "open", path }))),
  };
}

/** In the order in which Node lists them. */
export function namesIn(folder: SimFolder): string[] {
  return [...folder.seen.keys()].toSorted();
}

function openFile({ names, trouble }: Seat, path: string, mode: OpenMode): OpenFile {
  const call = { syscall: "open", path };
  if (mode === "read") return opened(names.find(path, call), path, mode);
  const place = names.place(path, call);
  const found = place.folder.seen.get(place.name);
  if (found !== undefined && mode === "create") throw errno("EEXIST", call);
  if (found?.kind === "folder") throw errno("EISDIR", call);
  if (found !== undefined) return opened(found, path, mode);
  trouble.newName(call);
  const node = names.newFile();
  names.change([{ ...place, node }]);
  return opened(node, path, mode);
}

function write({ process, dice, trouble }: Seat, file: OpenFile, bytes: Uint8Array): number {
  if (file.mode === "read" || file.node.kind !== "file") throw errno("EBADF", { syscall: "write" });
  const content = file.node.bytes;
  const put = (part: Uint8Array) => {
    const start = file.mode === "append" ? content.size : file.position;
    content.write(part, start);
    file.position = start + part.byteLength;
  };
  const count = trouble.room(bytes.byteLength);
  if (trouble.strikes("tornKill")) {
    put(bytes.subarray(0, dice.below(count + 1)));
    process.kill();
    throw new Killed(process);
  }
  put(bytes.subarray(0, count));
  return count;
}

function rewrite(
  { names, trouble }: Seat,
  path: string,
  { bytes, position }: { readonly bytes: Uint8Array; readonly position: number },
): void {
  const node = names.find(path, { syscall: "open", path });
  if (node.kind === "folder") throw errno("EISDIR", { syscall: "open", path });
  if (trouble.strikes("failWrite")) throw errno("EIO", { syscall: "write" });
  node.bytes.rewrite(bytes, position);
}

function read(
  { trouble }: Seat,
  { mode, node }: OpenFile,
  { into, position }: { readonly into: Uint8Array; readonly position: number },
): number {
  const call = { syscall: "read" };
  if (mode === "create") throw errno("EBADF", call);
  if (node.kind === "folder") throw errno("EISDIR", call);
  trouble.read(call);
  const found = node.bytes.part(position, position + into.byteLength);
  into.set(found);
  return found.byteLength;
}

/** A failure is told once to everyone who had the file open then, and to nobody who opens it later. */
function fsync(seat: Seat, file: OpenFile): void {
  const { node } = file;
  if (node.kind === "folder") return fsyncFolder(seat, node);
  const failure = seat.trouble.fsync();
  if (failure === undefined) node.bytes.sync(seat.dice);
  else {
    node.bytes.failSync(seat.dice);
    node.failures += 1;
  }
  const isTold = file.failuresTold === node.failures;
  file.failuresTold = node.failures;
  if (failure !== undefined || !isTold) throw failure ?? errno("EIO", { syscall: "fsync" });
}

function fsyncFolder({ names, trouble }: Seat, folder: SimFolder): void {
  const failure = trouble.fsync();
  if (failure !== undefined) throw failure;
  names.sync(folder);
}

function fileOf({ mode, node }: OpenFile): SimFile {
  if (mode === "read" || node.kind === "folder") throw errno("EINVAL", { syscall: "ftruncate" });
  return node;
}

function stat(names: Names, path: string): FileStat | undefined {
  try {
    return statOf(names.find(path, { syscall: "lstat", path }));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

const uid = process.getuid?.() ?? 0;

function statOf(node: SimNode): FileStat {
  return node.kind === "file"
    ? { kind: "file", size: node.bytes.size, uid, mode: 0o600, ino: node.ino }
    : { kind: "folder", size: 4096, uid, mode: 0o700, ino: node.ino };
}

function readFile({ names, trouble }: Seat, path: string): Buffer {
  const node = names.find(path, { syscall: "open", path });
  if (node.kind === "folder") throw errno("EISDIR", { syscall: "read" });
  trouble.read({ syscall: "read" });
  return Buffer.from(node.bytes.part(0, node.bytes.size));
}

function rename({ names, trouble }: Seat, from: string, to: string): void {
  const call = { syscall: "rename", path: from, dest: to };
  const source = names.place(from, call);
  const target = names.place(to, call);
  const node = source.folder.seen.get(source.name);
  if (node === undefined) throw errno("ENOENT", call);
  if (`${to}/`.startsWith(`${from}/`) && to !== from) throw errno("EINVAL", call);
  if (`${from}/`.startsWith(`${to}/`) && to !== from) throw errno("ENOTEMPTY", call);
  const replaced = target.folder.seen.get(target.name);
  if (replaced === node) return;
  if (replaced !== undefined && replaced.kind !== node.kind)
    throw errno(node.kind === "folder" ? "ENOTDIR" : "EISDIR", call);
  if (replaced?.kind === "folder" && replaced.seen.size > 0) throw errno("ENOTEMPTY", call);
  trouble.name(call);
  names.change([
    { ...source, node: null },
    { ...target, node },
  ]);
}

function unlink({ names, trouble }: Seat, path: string): void {
  const call = { syscall: "unlink", path };
  const place = names.place(path, call);
  const node = place.folder.seen.get(place.name);
  if (node === undefined) throw errno("ENOENT", call);
  if (node.kind === "folder") throw errno("EISDIR", call);
  trouble.name(call);
  names.change([{ ...place, node: null }]);
}

function mkdir({ names, trouble }: Seat, path: string): void {
  const call = { syscall: "mkdir", path };
  const place: Place = names.place(path, call);
  if (place.folder.seen.has(place.name)) throw errno("EEXIST", call);
  trouble.newName(call);
  names.change([{ ...place, node: names.newFolder() }]);
}
