import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type FilePort, realFiles } from "../../src/journal/file-port.ts";
import { openJournal } from "../../src/journal/journal.ts";

const at = "2026-11-15T20:17:33.000Z";

/** A journal of one line, and the first half of a second one that its writer has in hand. */
function halfWritten(): { readonly path: string; readonly rest: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), "stint-journal-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "journal.jsonl");
  const opened = openJournal(realFiles, path);
  if (!opened.ok) throw new Error(opened.failure.message);
  for (const type of ["first", "second"]) opened.value.journal.append({ type }, at);
  opened.value.journal.close();
  const bytes = readFileSync(path);
  const half = bytes.length - 20;
  const fd = realFiles.open(path, "append");
  realFiles.ftruncate(fd, half);
  realFiles.close(fd);
  return { path, rest: bytes.subarray(half) };
}

test("A line that a writer completes while it is taken for torn is not cut: whoever opens the journal gives way.", () => {
  const { path, rest } = halfWritten();
  const racing: FilePort = {
    ...realFiles,
    fsyncDir: (folder) => {
      if (realFiles.readdir(folder).includes("journal.jsonl.torn-1")) appendFileSync(path, rest);
      realFiles.fsyncDir(folder);
    },
  };
  const opened = openJournal(racing, path);
  expect(!opened.ok && opened.failure).toMatchObject({
    reason: "io",
    message: expect.stringContaining("EBUSY") as string,
  });
  expect(existsSync(`${path}.torn-1`)).toBe(false);
  const again = openJournal(realFiles, path);
  expect(again.ok && again.value.entries.map(({ type }) => type)).toEqual(["first", "second"]);
});

test("A line that nobody completes is cut.", () => {
  const { path } = halfWritten();
  const opened = openJournal(realFiles, path);
  expect(opened.ok && opened.value.entries.map(({ type }) => type)).toEqual(["first"]);
});
