/**
 * Splits bytes at newlines and nothing else. A line beyond `bytesMax` is dropped whole, so that no agent
 * can make Stint hold it; `node:readline` would, and would also split at U+2028.
 */
export function splitLines(bytesMax: number, hear: (line: string) => void): LineSplitter {
  let line = Buffer.alloc(0);
  let length = 0;
  let isDropping = false;
  const add = (bytes: Buffer): void => {
    if (isDropping || bytes.length === 0) return;
    isDropping = length + bytes.length > bytesMax;
    if (isDropping) {
      line = Buffer.alloc(0);
      return;
    }
    // One buffer grows: a list of pieces would cost far more than the line if they arrive byte by byte.
    if (length + bytes.length > line.length) line = grown(line, Math.min(bytesMax, 4 * (length + bytes.length)));
    bytes.copy(line, length);
    length += bytes.length;
  };
  const end = (): void => {
    const text = isDropping ? "" : toText(line.subarray(0, length));
    if (line.length > keptBytesMax) line = Buffer.alloc(0);
    length = 0;
    isDropping = false;
    if (text !== "") hear(text);
  };
  return {
    write: (chunk) => {
      let from = 0;
      for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
        add(chunk.subarray(from, at));
        end();
        from = at + 1;
      }
      add(chunk.subarray(from));
    },
    end,
  };
}

export interface LineSplitter {
  readonly write: (chunk: Buffer) => void;
  /** Passes on what follows the last newline. */
  readonly end: () => void;
}

const newline = 10;

/** A larger buffer is released between lines. */
const keptBytesMax = 65_536;

function grown(bytes: Buffer, length: number): Buffer<ArrayBuffer> {
  const larger = Buffer.allocUnsafe(length);
  bytes.copy(larger);
  return larger;
}

function toText(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  return text.endsWith("\r") ? text.slice(0, -1) : text;
}
