import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findProgram, locateProgram } from "../../../src/process/find-program.ts";

let folder: string;

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "find-program-")));
  for (const name of ["first", "second"]) fs.mkdirSync(path.join(folder, name));
});

afterEach(() => fs.rmSync(folder, { recursive: true }));

test("the first executable file on PATH is found, and neither a folder nor a plain file in its way", () => {
  fs.mkdirSync(path.join(folder, "first", "agent"));
  fs.writeFileSync(path.join(folder, "first", "plain"), "");
  writeProgram("second/agent");
  writeProgram("second/plain");
  expect(find("agent")).toEqual({ ok: true, value: path.join(folder, "second", "agent") });
  expect(find("plain")).toEqual({ ok: true, value: path.join(folder, "second", "plain") });
});

test("a name with a slash is taken from the working directory, and folders of PATH that are relative are skipped", () => {
  writeProgram("agent");
  expect(find("./agent")).toEqual({ ok: true, value: path.join(folder, "agent") });
  expect(find("agent", ".::bin")).toMatchObject({
    failure: { reason: "program", message: "agent was not found on PATH, which is empty." },
  });
});

test("what cannot be found is explained by what is to blame", () => {
  fs.writeFileSync(path.join(folder, "second", "plain"), "");
  const plain = path.join(folder, "second", "plain");
  expect(find("plain")).toMatchObject({
    failure: { reason: "unusable", message: `${plain} is not an executable file. Run \`chmod +x\` on it.` },
  });
  expect(find("./gone")).toMatchObject({ failure: { reason: "no-file", message: `${folder}/gone does not exist.` } });
  expect(find("./first")).toMatchObject({ failure: { reason: "no-file", message: `${folder}/first is not a file.` } });
  expect(find("")).toMatchObject({ failure: { reason: "command", message: "The command is empty." } });
  const gone = findProgram({ argv: ["sh"], cwd: path.join(folder, "gone"), env: { PATH: "/bin" } });
  expect(gone).toMatchObject({ failure: { reason: "environment" } });
});

test("a script whose first line ends in CRLF is named before the system calls its interpreter not found", () => {
  fs.writeFileSync(path.join(folder, "dos"), "#!/bin/sh\r\nexit 0\r\n", { mode: 0o755 });
  const message = `the first line of ${folder}/dos ends in CRLF, so its interpreter is not found. Save it with LF line ends.`;
  expect(find("./dos")).toMatchObject({ failure: { reason: "unusable", message } });
  fs.writeFileSync(path.join(folder, "dos"), "#!/bin/sh\nexit 0\r\n");
  expect(find("./dos")).toMatchObject({ ok: true });
});

test("only a relative path of the settings is relative to the repository", () => {
  expect(locateProgram("./agent.sh", "/repo")).toBe("/repo/agent.sh");
  expect(locateProgram("tools/agent", "/repo")).toBe("/repo/tools/agent");
  expect(locateProgram("claude", "/repo")).toBe("claude");
  expect(locateProgram("/opt/claude", "/repo")).toBe("/opt/claude");
});

function find(name: string, PATH = `${folder}/first:${folder}/second`) {
  return findProgram({ argv: [name], cwd: folder, env: { PATH } });
}

function writeProgram(name: string): void {
  fs.writeFileSync(path.join(folder, name), "#!/bin/sh\n", { mode: 0o755 });
}
