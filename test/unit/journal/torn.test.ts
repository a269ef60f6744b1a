import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { realFiles, type FilePort } from "../../../src/journal/file-port.ts";
import { frame, zeroHash } from "../../../src/journal/framing.ts";
import { cutTornTail, isTornTail } from "../../../src/journal/torn.ts";

const { line } = frame({ seq: 1, epoch: 1, at: "2026-01-01T00:00:00Z", event: { type: "stopped" } }, zeroHash);

test.each<[string, string, number, boolean]>([
  ["nothing", "", 0, true],
  ["the beginning of a line", line.slice(0, 40), 0, true],
  ["a whole line without its newline", line, 0, true],
  ["a whole line with another byte for its newline", `${line}x`, 0, false],
  ["a line with a flipped byte", `${line.replace("stopped", "stoppex")}\n`, 0, false],
  ["a line of zeros", `${"\0".repeat(40)}\n`, 0, true],
  ["zeros from a sector's edge to another's", `${"x".repeat(12)}${"\0".repeat(512)}x\n`, 500, true],
  ["zeros in the middle of a sector", `xx${"\0".repeat(8)}xx\n`, 0, false],
  ["zeros that end in the middle of a sector", `${"\0".repeat(8)}xx\n`, 0, false],
  ["a good line behind zeros", `${"\0".repeat(40)}\n${line}\n`, 0, false],
  ["a fragment behind zeros", `${"\0".repeat(40)}\n${line.slice(0, 9)}`, 0, true],
])("whether %s is an unfinished write is known from its bytes", (_, tail, offset, torn) => {
  expect(isTornTail(Buffer.from(tail, "latin1"), offset)).toBe(torn);
});

function cut(torn: string, files: FilePort = realFiles): string[] {
  const folder = mkdtempSync(join(tmpdir(), "stint-torn-"));
  const path = join(folder, "journal.jsonl");
  writeFileSync(path, `kept\n${torn}`);
  writeFileSync(`${path}.torn-7`, "earlier");
  const fd = files.open(path, "append");
  try {
    const { bytes, keptAt } = cutTornTail({ files, path, fd }, 5, Buffer.from(torn));
    return [readFileSync(path, "utf8"), `${bytes}`, keptAt.slice(folder.length), readFileSync(keptAt, "utf8")];
  } catch (error) {
    return [(error as NodeJS.ErrnoException).code ?? "", readFileSync(path, "utf8"), ...readdirSync(folder)];
  } finally {
    files.close(fd);
    rmSync(folder, { recursive: true });
  }
}

test("an unfinished write is cut and kept under the next free number", () => {
  expect(cut("half")).toEqual(["kept\n", "4", "/journal.jsonl.torn-8", "half"]);
});

test("a tail that grows while it is cut is left alone, because somebody writes it", () => {
  const growing: FilePort = { ...realFiles, fstat: (fd) => ({ ...realFiles.fstat(fd), size: 1_000 }) };
  expect(cut("half", growing)).toEqual(["EBUSY", "kept\nhalf", "journal.jsonl", "journal.jsonl.torn-7"]);
});
