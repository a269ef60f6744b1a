import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { ensurePrivateFolders } from "../../src/project/state-folder.ts";
import { writeDocument } from "../../src/journal/document.ts";
import { realFiles } from "../../src/journal/file-port.ts";
import { expectCode } from "../rig/facts.ts";
import { makes } from "../rig/plan.ts";
import { createRig } from "../rig/rig.ts";
import { canConfine } from "../rig/sandbox-world.ts";

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), "stint-state-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

test("attack 33: a state folder that is open to others stops every command that would trust it", async () => {
  await using rig = await createRig({ plan: { tasks: { "01-a": makes("a.txt") } } });
  const state = join(rig.gitDir, "stint");
  expectCode(await rig.stint(["approve", "--yes"]), 0);
  chmodSync(state, 0o777);

  for (const command of ["run", "status"]) {
    const ended = await rig.stint([command]);
    expectCode(ended, 1);
    expect(ended.stderr).toBe(
      `stint: ${state} is open to other users. Run \`chmod 700\` on it, and check who wrote to it.\n`,
    );
  }
});

test.skipIf(process.getuid?.() !== 0)(
  "attack 33: who is let in could forge an approval; a folder of somebody else's is refused as well (needs root)",
  () => {
    const root = folder();
    chmodSync(root, 0o755);
    const state = join(root, "state");
    mkdirSync(state, { mode: 0o700 });
    const forge = () => spawnSync("touch", [join(state, "approval.json")], { uid: 65_534, gid: 65_534 }).status;
    expect(ensurePrivateFolders([state])).toEqual({ ok: true, value: undefined });
    expect(forge()).not.toBe(0);

    chmodSync(state, 0o777);
    expect(ensurePrivateFolders([state])).toMatchObject({ ok: false, failure: { reason: "untrusted-state" } });
    expect(forge()).toBe(0);

    chmodSync(state, 0o700);
    chownSync(state, 65_534, 65_534);
    expect(ensurePrivateFolders([state])).toMatchObject({
      failure: { message: `${state} belongs to user 65534, not to you. Run \`chown -R 0\` on it.` },
    });
    expect(forge()).toBe(0);
  },
);

test("attack 34: what is planted under a temporary name is not written through; under a name one can guess, it is", () => {
  const dir = folder();
  const victim = join(dir, "victim");
  writeFileSync(victim, "precious");
  symlinkSync(victim, join(dir, ".report.md.1.tmp"));
  symlinkSync(victim, join(dir, "report.md"));

  // A name that was guessed is refused; the place itself is replaced, and what it led to stays.
  expect(writeDocument(realFiles, join(dir, "report.md"), "new", { nonce: "1" })).toMatchObject({ ok: false });
  expect(writeDocument(realFiles, join(dir, "report.md"), "new").ok).toBe(true);
  expect(readFileSync(victim, "utf8")).toBe("precious");
  expect(readFileSync(join(dir, "report.md"), "utf8")).toBe("new");

  writeFileSync(join(dir, ".report.md.1.tmp"), "new");
  expect(readFileSync(victim, "utf8")).toBe("new");
});

/** Run on a disk of 200 kB: first our journal until it is full, then plain appends, then each goes on with room again. */
const filling = `
  import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
  import { openJournal } from "./src/journal/journal.ts";
  import { realFiles } from "./src/journal/file-port.ts";
  process.chdir(process.argv[2]);
  const event = (n) => ({ type: "filler", n, text: "x".repeat(1_000) });
  const at = () => new Date();
  const fill = (append) => { for (let n = 1; ; n++) if (!append(n)) return n - 1; };
  writeFileSync("ballast", Buffer.alloc(60_000));
  const { journal } = openJournal(realFiles, "journal.jsonl").value;
  let message = "";
  const acked = fill((n) => { const did = journal.append(event(n), at()); if (!did.ok) message = did.failure.message; return did.ok; });
  rmSync("ballast");
  const poisoned = !journal.append(event(0), at()).ok;
  journal.close();
  const again = openJournal(realFiles, "journal.jsonl").value;
  const kept = again.entries.filter(({ type, n }, at) => type === "filler" && n === at + 1).length;
  const goesOn = again.journal.append(event(kept + 1), at()).ok;
  again.journal.close();
  rmSync("journal.jsonl");

  writeFileSync("ballast", Buffer.alloc(60_000));
  const plain = "plain.jsonl";
  fill((n) => { try { appendFileSync(plain, JSON.stringify(event(n)) + "\\n"); return true; } catch { return false; } });
  rmSync("ballast");
  appendFileSync(plain, JSON.stringify(event(0)) + "\\n");
  const lines = readFileSync(plain, "utf8").trimEnd().split("\\n");
  const broken = lines.filter((line) => { try { JSON.parse(line); return false; } catch { return true; } }).length;
  console.log(JSON.stringify({ acked, message, poisoned, kept, goesOn, broken }));`;

test.skipIf(!canConfine)(
  "attack 44: on a full disk no event that was acknowledged is lost and none is torn; plain appends tear a line and lose the next",
  () => {
    const dir = folder();
    const [outfile, disk] = [join(dir, "fill.mjs"), join(dir, "disk")];
    mkdirSync(disk);
    const stdin = { contents: filling, resolveDir: join(import.meta.dirname, "..", ".."), loader: "ts" as const };
    buildSync({ stdin, outfile, bundle: true, format: "esm", platform: "node" });
    const args = ["--ro-bind", "/", "/", "--size", "200000", "--tmpfs", disk, process.execPath, outfile, disk];
    const ended = spawnSync("bwrap", args, { encoding: "utf8" });
    expect(ended.stderr).toBe("");
    const told = JSON.parse(ended.stdout) as Record<string, unknown>;
    expect(told).toEqual({
      acked: expect.any(Number),
      message: expect.stringMatching(/ESHORTWRITE|ENOSPC/),
      poisoned: true,
      kept: told["acked"],
      goesOn: true,
      broken: 1,
    });
    expect(told["acked"]).toBeGreaterThan(50);
  },
);
