import fs from "node:fs";
import { processLimits } from "./limits.ts";

/** Whether a script's first line ends in CRLF: it then names an interpreter that nobody has, and the system says only "not found". */
export function hasCrlfShebang(file: string): boolean {
  try {
    if (!fs.statSync(file).isFile()) return false;
    const fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
    try {
      const start = Buffer.alloc(processLimits.shebangBytesMax);
      return /^#![^\n]*\r\n/.test(start.toString("latin1", 0, fs.readSync(fd, start)));
    } finally {
      fs.closeSync(fd);
    }
  } catch {
    return false;
  }
}

/** Says so of a script, as the beginning of a sentence. */
export function crlfShebang(script: string): string {
  return `the first line of ${script} ends in CRLF, so its interpreter is not found`;
}
