import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { keepSessionNote, readSessionNote } from "../../../src/agents/session-note.ts";

test("a note is read as it was kept; none, a broken one, a pipe, and one of an unknown driver are no note", () => {
  const dir = mkdtempSync(join(tmpdir(), "stint-note-"));
  try {
    expect(readSessionNote(dir)).toBeUndefined();
    const note = { agent: "mine", driver: "acp", model: "m", workspace: "/work/tree" } as const;
    keepSessionNote(dir, note);
    expect(readSessionNote(dir)).toMatchObject(note);
    for (const text of ["{", '{"v":1,"agent":"a","driver":"other","model":null,"workspace":""}']) {
      writeFileSync(join(dir, "session.json"), text);
      expect(readSessionNote(dir)).toBeUndefined();
    }
    rmSync(join(dir, "session.json"));
    execFileSync("mkfifo", [join(dir, "session.json")]);
    expect(readSessionNote(dir)).toBeUndefined();
    keepSessionNote(join(dir, "gone"), note);
  } finally {
    rmSync(dir, { recursive: true });
  }
});
