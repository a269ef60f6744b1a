const texts = {
  EBADF: "bad file descriptor",
  EEXIST: "file already exists",
  EINVAL: "invalid argument",
  EIO: "i/o error",
  EISDIR: "illegal operation on a directory",
  ENOENT: "no such file or directory",
  ENOSPC: "no space left on device",
  ENOTDIR: "not a directory",
  ENOTEMPTY: "directory not empty",
};

/** What a call was about, as the error of Node tells it. */
export interface Call {
  readonly syscall: string;
  readonly path?: string;
  readonly dest?: string;
}

/** An error as Node throws it for a call that the kernel refused. */
export function errno(code: keyof typeof texts, call: Call): Error {
  const path = call.path === undefined ? "" : ` '${call.path}'`;
  const dest = call.dest === undefined ? "" : ` -> '${call.dest}'`;
  return Object.assign(new Error(`${code}: ${texts[code]}, ${call.syscall}${path}${dest}`), { code, ...call });
}
