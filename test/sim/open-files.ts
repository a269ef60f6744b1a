import type { OpenMode } from "../../src/journal/file-port.ts";
import { errno } from "./errno.ts";
import type { SimNode } from "./names.ts";

/** What a descriptor stands for. */
export interface OpenFile {
  readonly path: string;
  readonly mode: OpenMode;
  readonly node: SimNode;
  /** Where the next write goes, unless it goes to the end. */
  position: number;
}

/** The descriptors of one process. */
export class OpenFiles {
  readonly #files: (OpenFile | undefined)[] = [];

  /** The lowest descriptor that is free, as the kernel gives it; the first three are taken. */
  add(file: OpenFile): number {
    const free = this.#files.indexOf(undefined);
    const index = free === -1 ? this.#files.length : free;
    this.#files[index] = file;
    return index + 3;
  }

  get(fd: number, syscall: string): OpenFile {
    const file = this.#files[fd - 3];
    if (file === undefined) throw errno("EBADF", { syscall });
    return file;
  }

  nameOf(fd: number): string {
    return this.#files[fd - 3]?.path ?? `descriptor ${fd}`;
  }

  /** Frees its lock, too. */
  close(fd: number): void {
    const { node } = this.get(fd, "close");
    if (node.kind === "file" && node.lockedBy === this.#files[fd - 3]) node.lockedBy = null;
    this.#files[fd - 3] = undefined;
  }

  closeAll(): void {
    for (const [index, file] of this.#files.entries()) if (file !== undefined) this.close(index + 3);
  }
}
