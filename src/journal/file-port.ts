import * as fs from "node:fs";

/** How a file is opened; each mode is one fixed set of flags, so that a simulated file system has three cases and not a bit mask. */
export type OpenMode =
  /** An existing file, read only; opening does not wait for a pipe. */
  | "read"
  /** Read and write at the end, created with 0600 when missing; never truncates. */
  | "append"
  /** A new file with 0600; fails with EEXIST when the name is taken, also by a symlink. */
  | "create";

export interface FileStat {
  readonly kind: "file" | "folder" | "other";
  readonly size: number;
  /** The user id of its owner. */
  readonly uid: number;
  /** The permission bits, as in `chmod`. */
  readonly mode: number;
  /** A bigint, because inode numbers of some file systems do not fit a double and would compare equal. */
  readonly ino: bigint;
}

/** Every file access of the journal goes through here, so that a simulator can tear, drop and refuse it; failures throw with an errno `code`. */
export interface FilePort {
  open(path: string, mode: OpenMode): number;
  /** Returns the number of bytes written, which on a full disk may be short without any error. */
  write(fd: number, bytes: Uint8Array): number;
  /** Writes the same bytes again where they stand, so that the next fsync stores them whatever the kernel believes. */
  rewrite(path: string, bytes: Uint8Array, position: number): void;
  /** Fills `into` from `position`; returns the number of bytes read, 0 at the end. */
  read(fd: number, into: Uint8Array, position: number): number;
  fsync(fd: number): void;
  fstat(fd: number): FileStat;
  /** Returns undefined if nothing has that name; a link is not followed. */
  stat(path: string): FileStat | undefined;
  ftruncate(fd: number, size: number): void;
  close(fd: number): void;
  readFile(path: string): Buffer;
  rename(from: string, to: string): void;
  unlink(path: string): void;
  /** Makes one folder with mode 0700; its parent must exist. */
  mkdir(path: string): void;
  readdir(path: string): string[];
  /** Makes created, renamed and removed names in the folder durable. */
  fsyncDir(path: string): void;
}

/** The real file system. */
export const realFiles: FilePort = {
  open: (path, mode) => fs.openSync(path, flagsOf[mode], 0o600),
  write: (fd, bytes) => fs.writeSync(fd, bytes),
  read: (fd, into, position) => fs.readSync(fd, into, 0, into.byteLength, position),
  rewrite: (path, bytes, position) => {
    const fd = fs.openSync(path, O_WRONLY | O_NOFOLLOW);
    try {
      fs.writeSync(fd, bytes, 0, bytes.byteLength, position);
    } finally {
      fs.closeSync(fd);
    }
  },
  fsync: (fd) => fs.fsyncSync(fd),
  fstat: (fd) => statOf(fs.fstatSync(fd, { bigint: true })),
  stat: (path) => {
    const found = fs.lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return found === undefined ? undefined : statOf(found);
  },
  ftruncate: (fd, size) => fs.ftruncateSync(fd, size),
  close: (fd) => fs.closeSync(fd),
  readFile: (path) => fs.readFileSync(path),
  rename: (from, to) => fs.renameSync(from, to),
  unlink: (path) => fs.unlinkSync(path),
  mkdir: (path) => fs.mkdirSync(path, { mode: 0o700 }),
  readdir: (path) => fs.readdirSync(path),
  fsyncDir: (path) => {
    const fd = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_DIRECTORY);
    try {
      fs.fsyncSync(fd);
    } finally {
      fs.closeSync(fd);
    }
  },
};

const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR, O_WRONLY } = fs.constants;

const flagsOf: Record<OpenMode, number> = {
  read: O_RDONLY | O_NOFOLLOW | O_NONBLOCK,
  append: O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW,
  create: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
};

function statOf(stats: fs.BigIntStats): FileStat {
  const kind = stats.isFile() ? "file" : stats.isDirectory() ? "folder" : "other";
  const [size, uid, mode] = [Number(stats.size), Number(stats.uid), Number(stats.mode & 0o777n)];
  return { kind, size, uid, mode, ino: stats.ino };
}
