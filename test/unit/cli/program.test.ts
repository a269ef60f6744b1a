import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import type { Command } from "commander";
import { expect, test } from "vitest";
import { buildProgram } from "../../../src/cli/program/program.ts";
import { recordedIo } from "../../rig/io.ts";

const cli = process.env["STINT_CLI"] ?? join(import.meta.dirname, "../../../dist/cli.js");

const { io } = recordedIo();

/** The program as declared, whose commands do nothing. */
function program(): Command {
  const declared = buildProgram(io, { version: "0.0.0", docs: "/docs" }, () => undefined);
  for (const command of declared.commands.flatMap((one) => [one, ...one.commands]))
    command.exitOverride().action(() => undefined);
  return declared.configureOutput({ writeOut: () => undefined, writeErr: () => undefined });
}

/** The whole text that `--help` prints. */
function helpOf(command: Command): string {
  let text = "";
  command.configureOutput({ writeOut: (more) => (text += more) }).outputHelp();
  return text;
}

const names = program().commands.map((command) => command.name());

test.each(names)("The help of %s says what it does, how it may end and how it is typed.", (name) => {
  const command = program().commands.find((one) => one.name() === name)!;
  const help = helpOf(command);

  expect(command.summary()).toMatch(/^[a-z]/);
  expect(command.summary().length).toBeLessThanOrEqual(63);
  expect(command.description()).toMatch(/^\S[^]*\.$/);
  expect(rowsOf(help, "Exit codes").map((row) => row.split(" ")[0])).toContain("0");
  expect(rowsOf(help, "Exit codes").filter((row) => !/^(?:0|1|2|3|4|5|75|130) +\S/.test(row))).toEqual([]);
  expect(examplesOf(help).length).toBeGreaterThan(0);
});

test.each(["stint", ...names])("No line of the help of %s is longer than 80 columns or ends in a blank.", (name) => {
  const all = program();
  const help = helpOf(name === "stint" ? all : all.commands.find((one) => one.name() === name)!);

  expect(help.split("\n").filter((line) => line.length > 80 || /\s$/.test(line))).toEqual([]);
});

test.each(names)("Every example in the help of %s can be typed as it is.", async (name) => {
  const help = helpOf(program().commands.find((one) => one.name() === name)!);

  for (const words of examplesOf(help)) await program().parseAsync(words, { from: "user" });
});

test("The list of commands has a group for each, and help among them.", () => {
  const help = helpOf(program());

  expect(help).not.toContain("Commands:");
  expect(help).toMatch(/^Learn:\n(?: {2}\w+ .*\n)* {2}help /m);
});

test("Without a command, Stint shows the commands on standard error and ends with 2.", () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli], { encoding: "utf8" });

  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toContain("Typical workflow:");
});

test("`stint help run` and `stint run --help` are the same.", () => {
  const print = (...args: string[]) => execFileSync(process.execPath, [cli, ...args], { encoding: "utf8" });

  expect(print("help", "run")).toBe(print("run", "--help"));
  expect(print("help")).toBe(print("--help"));
});

/** Lines of a section that begin a row; a row may continue below its text. */
function rowsOf(help: string, section: string): string[] {
  const body = help.split(`\n${section}:\n`)[1]?.split("\n\n")[0] ?? "";
  return [...body.matchAll(/^ {2}(\S.*)$/gm)].map((match) => match[1] ?? "");
}

/** Each example as the shell would hand it over: up to two blanks, and what is in `$(…)` by itself. */
function examplesOf(help: string): string[][] {
  return rowsOf(help, "Examples").map((row) => {
    const typed = row.split(/ {2,}/)[0] ?? "";
    const line = /\$\((.*)\)/.exec(typed)?.[1] ?? typed;
    const [command, ...words] = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map((word) => word[1] ?? word[2] ?? "");
    expect(command).toBe("stint");
    return words;
  });
}
