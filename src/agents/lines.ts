import { StringDecoder } from "node:string_decoder";

/**
 * Splits bytes at newlines and nothing else. A line beyond `bytesMax` is dropped whole and counted, so that no agent
 * can make Stint hold it; `node:readline` would, and would also split at U+2028.
 */
export function splitLines(bytesMax: number, hear: (line: string) => void): LineSplitter {
  let parts: Buffer[] = [];
  let held = 0;
  let dropping = false;
  let dropped = 0;
  const add = (bytes: Buffer): void => {
    if (dropping || bytes.length === 0) return;
    if (held + bytes.length > bytesMax) {
      dropping = true;
      dropped += 1;
      parts = [];
      held = 0;
      return;
    }
    // Copied, because a slice would keep its whole chunk alive while the line grows.
    parts.push(Buffer.from(bytes));
    held += bytes.length;
  };
  const end = (): void => {
    const line = dropping ? null : toText(parts);
    parts = [];
    held = 0;
    dropping = false;
    if (line !== null && line !== "") hear(line);
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
    dropped: () => dropped,
  };
}

export interface LineSplitter {
  readonly write: (chunk: Buffer) => void;
  /** Hears what stands after the last newline. */
  readonly end: () => void;
  /** How many lines were too long. */
  readonly dropped: () => number;
}

const newline = 10;

function toText(parts: readonly Buffer[]): string {
  const text = new StringDecoder("utf8").end(Buffer.concat(parts));
  return text.endsWith("\r") ? text.slice(0, -1) : text;
}
