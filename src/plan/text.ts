import { problemAt } from "./problem.ts";
import type { Position, Problem } from "./types.ts";

/** The bytes of a UTF-8 byte order mark, which some editors put first and other programs ignore. */
const bom = [0xef, 0xbb, 0xbf] as const;

/** Decodes strictly, because a replaced character would make what is shown differ from what was approved. */
export function decodeText(file: string, bytes: Uint8Array): { readonly text: string } | { readonly problem: Problem } {
  const text = decodeOrUndefined(bytes);
  if (text === undefined) {
    return { problem: problemAt(file, "not-utf8", "the file is not valid UTF-8 here", firstInvalid(bytes)) };
  }
  const nul = text.indexOf("\0");
  if (nul >= 0) {
    const message = "the file contains a NUL byte here, so it is binary and not a document";
    return { problem: problemAt(file, "binary", message, positionIn(text, nul)) };
  }
  return { text };
}

/** Writes one ASCII character over others of the text, leaving every other byte of the file as it is. */
export function overwrite(bytes: Uint8Array, text: string, indexes: readonly number[], character: string): Uint8Array {
  const result = Uint8Array.from(bytes);
  let offset = bom.every((byte, i) => bytes[i] === byte) ? bom.length : 0;
  let done = 0;
  for (const index of indexes) {
    offset += Buffer.byteLength(text.slice(done, index));
    done = index;
    result[offset] = character.charCodeAt(0);
  }
  return result;
}

function decodeOrUndefined(bytes: Uint8Array, stream = false): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream });
  } catch {
    return undefined;
  }
}

/** Searches for the longest valid prefix by halving: decoding byte by byte would take seconds on a large file. */
function firstInvalid(bytes: Uint8Array): Position {
  let valid = 0;
  let invalid = bytes.length + 1;
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >>> 1;
    if (decodeOrUndefined(bytes.subarray(0, middle), true) === undefined) invalid = middle;
    else valid = middle;
  }
  const prefix = decodeOrUndefined(bytes.subarray(0, valid), true) ?? "";
  return positionIn(prefix, prefix.length);
}

/** Finds the line and column of a character. */
export function positionIn(text: string, index: number): Position {
  const before = text.slice(0, index).split("\n");
  return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
}
