import { execFileSync, spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { approvalHash } from "../../src/plan/hash.ts";
import { parseDocument } from "../../src/plan/document.ts";
import { parsePlan } from "../../src/plan/parse.ts";
import { readPlanFilesFromDisk } from "../../src/plan/read.ts";
import type { PlanFiles } from "../../src/plan/types.ts";
import { makes, plan } from "../rig/plan.ts";

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), "stint-plan-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

function put(root: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

const sound = plan({ tasks: { "01-a": makes("a.txt") } });

/** What is read of plan.md, after something was put in its place. */
function planFile(root: string): string {
  const file = readPlanFilesFromDisk(root, "work").get("plans/work/plan.md");
  return file === undefined ? "nothing" : "bytes" in file ? "its bytes" : file.unreadable;
}

test("attack 9: a pipe, a device and a huge file named plan.md are not read; a plain read hangs or never ends", () => {
  const root = folder();
  const file = join(root, "plans/work/plan.md");
  put(root, sound);
  expect(planFile(root)).toBe("its bytes");

  truncateSync(file, 50_000_000);
  expect(planFile(root)).toBe("is too large: 50000000 bytes; a plan file may have at most 1000000");
  expect(readFileSync(file)).toHaveLength(50_000_000);

  rmSync(file);
  execFileSync("mkfifo", [file]);
  expect(planFile(root)).toBe("is a FIFO, not a file");
  expect(spawnSync("cat", [file], { timeout: 300 }).signal).toBe("SIGTERM");

  rmSync(file);
  // Only root may make a device; what it gives is without end, though its size is 0.
  if (spawnSync("mknod", [file, "c", "1", "5"]).status !== 0) return;
  expect(planFile(root)).toBe("is a device, not a file");
  expect(statSync(file).size).toBe(0);
  expect(spawnSync("head", ["-c", "5000000", file], { maxBuffer: 1e7 }).stdout ?? "").toHaveLength(5_000_000);
});

/** Each with what happens where such a name is used without care. */
const names: readonly (readonly [id: string, careless: (dir: string, id: string) => boolean])[] = [
  ["../../x", (dir, id) => (writeFileSync(join(dir, "in/tasks", id), ""), readdirSync(dir).includes("x"))],
  ["-x", (dir, id) => spawnSync("ls", [id], { cwd: dir }).status === 0],
  [
    "a\nb",
    (dir, id) => (put(dir, { [id]: "" }), spawnSync("ls", { cwd: dir, encoding: "utf8" }).stdout.includes("a\nb\n")),
  ],
  ["a".repeat(300), (dir, id) => throws(() => mkdirSync(join(dir, id)), "ENAMETOOLONG")],
  ["a\0b", (dir, id) => throws(() => mkdirSync(join(dir, id)), "ERR_INVALID_ARG_VALUE")],
  ["CON", (_, id) => ["con", "nul", "aux"].includes(id.toLowerCase())],
  ["01-A", (_, id) => id.toLowerCase() === "01-a"],
  ["\uFF10\uFF11-a", (_, id) => id.normalize("NFKC") === "01-a"],
];

function throws(call: () => void, code: string): boolean {
  try {
    call();
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === code;
  }
}

test.each(names)("attack 10: the task id %j is refused; used as it is, it does harm", (id, careless) => {
  const dir = folder();
  mkdirSync(join(dir, "in/tasks"), { recursive: true });
  expect(careless(dir, id)).toBe(true);

  const entries = Object.entries(sound).map(([path, text]) => [path, { bytes: Buffer.from(text) }] as const);
  const task = Buffer.from(sound["plans/work/tasks/01-a.md"] ?? "");
  const files: PlanFiles = new Map([...entries, [`plans/work/tasks/${id}.md`, { bytes: task }]]);
  const { problems, plan: parsed } = parsePlan(files, "work");
  expect(problems.map(({ code }) => code)).toContain("bad-id");
  expect(parsed).toBeUndefined();
  expect(parsePlan(new Map(entries), "work").problems).toEqual([]);
});

test("attack 12: one byte of the same size and with the same times voids the approval; size and times do not show it", () => {
  const root = folder();
  put(root, sound);
  const file = join(root, "plans/work/tasks/01-a.md");
  // Whole seconds come through every system call as they are.
  const then = new Date("2026-11-15T20:17:33Z");
  utimesSync(file, then, then);
  const before = { hash: approvalHash(readPlanFilesFromDisk(root, "work"), "work"), stat: statSync(file) };
  writeFileSync(file, readFileSync(file, "utf8").replace("grep -q ready", "grep -q r.ady"));
  utimesSync(file, then, then);

  const { size, ino, mtimeMs } = before.stat;
  expect(statSync(file)).toMatchObject({ size, ino, mtimeMs });
  expect(approvalHash(readPlanFilesFromDisk(root, "work"), "work")).not.toBe(before.hash);
});

const doubling = ["a0: &a0 [x]", ...Array.from({ length: 17 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]`)];

/** Front matter, the code it is refused with, and what a plain parser makes of it. */
const documents: readonly (readonly [what: string, yaml: string, code: string, careless: (yaml: string) => boolean])[] =
  [
    [
      "an alias bomb",
      doubling.join("\n"),
      "yaml-aliases",
      (yaml) => JSON.stringify((parse(yaml, { maxAliasCount: -1 }) as Record<string, unknown>)["a17"]).length > 500_000,
    ],
    ["deep nesting", `a: ${"[".repeat(2_000)}`, "yaml-depth", (yaml) => overflows(() => void parse(yaml))],
    [
      "a key twice",
      "a: 1\na: 2",
      "duplicate-key",
      (yaml) => (parse(yaml, { uniqueKeys: false }) as { a: number }).a === 2,
    ],
  ];

/** A few thousand levels more, and the whole process is gone. */
function overflows(call: () => void): boolean {
  try {
    call();
    return false;
  } catch (error) {
    return (error as Error).message.startsWith("Maximum call stack size exceeded");
  }
}

test.each(documents)("attack 36: %s is refused; a plain parser takes it", (_, yaml, code, careless) => {
  expect(careless(yaml)).toBe(true);
  const document = parseDocument("plan.md", Buffer.from(`---\n${yaml}\n---\n`));
  expect("problems" in document ? document.problems.map((problem) => problem.code) : []).toContain(code);
});
