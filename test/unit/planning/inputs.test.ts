import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readInputs } from "../../../src/planning/inputs.ts";

let root = "";

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "stint-inputs-"));
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

const png = Buffer.from("\x89PNG\r\n\x1a\nrest", "latin1");

function write(path: string, content: string | Buffer = "x\n"): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

async function read(...paths: string[]): Promise<string[] | string> {
  const result = await readInputs(paths, root);
  return result.ok ? [...result.value.keys()] : result.failure.message;
}

test("text, Markdown, Mermaid, pictures and PDF are taken as they are", async () => {
  const kinds = {
    "a.txt": "text",
    "b.md": "# b",
    "c.mmd": "graph TD",
    "d.png": png,
    "e.JPG": Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
    "f.gif": "GIF89a…",
    "g.webp": "RIFF0000WEBPVP8",
    "h.pdf": "%PDF-1.7\n",
    README: "no extension",
  };
  for (const [path, content] of Object.entries(kinds)) write(path, content);
  const result = await readInputs(Object.keys(kinds), root);
  expect(result.ok && [...result.value].map(([name, bytes]) => [name, Buffer.from(bytes).toString("latin1")])).toEqual(
    Object.entries(kinds).map(([name, content]) => [`inputs/${name}`, Buffer.from(content).toString("latin1")]),
  );
});

test("a folder is walked, without what is hidden in it; a hidden file that is named is taken", async () => {
  for (const path of ["docs/b.md", "docs/a/x.md", "docs/.git/config", "docs/.DS_Store", ".notes.md"]) write(path);
  expect(await read("docs")).toEqual(["inputs/docs/a/x.md", "inputs/docs/b.md"]);
  expect(await read("docs/")).toEqual(["inputs/docs/a/x.md", "inputs/docs/b.md"]);
  expect(await read(".notes.md")).toEqual(["inputs/notes.md"]);
});

test("two inputs with one name differ by their folders, and one that is named twice is kept once", async () => {
  for (const path of ["a/login.png", "b/login.png", "b/LOGIN.png"]) write(path, png);
  expect(await read("a/login.png", "b/login.png")).toEqual(["inputs/a/login.png", "inputs/b/login.png"]);
  expect(await read("b/login.png", "b/LOGIN.png")).toEqual(["inputs/login.png", "inputs/LOGIN-2.png"]);
  expect(await read("a/login.png", "./a/login.png", "a")).toEqual(["inputs/login.png"]);
});

test("weird names become safe ones", async () => {
  write("-rf [x] * $(id).md");
  write("naïve überblick.md");
  write("plan.md/notes.md");
  expect(await read("-rf [x] * $(id).md", "naïve überblick.md", "plan.md")).toEqual([
    "inputs/rf-x-id-.md",
    "inputs/naïve-überblick.md",
    "inputs/plan-md/notes.md",
  ]);
});

describe("what is no input is refused, with the file, why and how to fix it", () => {
  const cases: [string, () => string, string][] = [
    ["nothing", () => "gone.md", "gone.md does not exist. Correct the path."],
    [
      "a picture that is none",
      () => (write("a.png"), "a.png"),
      "a.png is named .png but is not a PNG. Rename it to match its content.",
    ],
    [
      "a picture as text",
      () => (write("a.txt", png), "a.txt"),
      "a.txt is an image or a PDF with another extension. Rename it to match its content.",
    ],
    [
      "an archive",
      () => (write("a.zip", Buffer.from([0x50, 0x4b, 0, 0xff])), "a.zip"),
      "a.zip is neither text in UTF-8 nor PNG, JPEG, GIF, WebP or PDF. Export it as one of these, or leave it out.",
    ],
    [
      "an empty folder",
      () => (write("d/.hidden", "x"), "d"),
      "d has no files that can be inputs. Name the files that matter.",
    ],
    ["an empty file", () => (write("a.md", ""), "a.md"), "a.md is empty. Leave it out."],
    [
      "a link",
      () => (write("a.md"), symlinkSync("a.md", join(root, "l.md")), "l.md"),
      "l.md is a symbolic link. Name the file that it points to.",
    ],
    ["a pipe", () => (execFileSync("mkfifo", [join(root, "p")]), "p"), "p is not a regular file. Leave it out."],
    [
      "a key",
      () => (write("keys/id_rsa"), "keys"),
      "keys/id_rsa cannot be an input: it is a place for keys and secrets, and inputs are committed. Leave it out.",
    ],
    [
      "a giant",
      () => (write("a.md"), truncateSync(join(root, "a.md"), 10_000_001), "a.md"),
      "a.md has 10000001 bytes; an input may have at most 10000000. Give a smaller one.",
    ],
  ];
  test.each(cases)("%s", async (_, make, message) => {
    expect(await read(make())).toBe(`these cannot be inputs:\n  ${message}`);
  });

  test("too many, and too much together", async () => {
    for (let at = 0; at < 101; at++) write(`many/${at}.md`);
    expect(await read("many")).toMatch(/101 input files are too many; at most 100 are allowed/);
    for (let at = 0; at < 6; at++) write(`much/${at}.md`, "x".repeat(9_000_000));
    expect(await read("much")).toMatch(/All inputs together have 54000000 bytes; at most 50000000 are allowed/);
  });
});
