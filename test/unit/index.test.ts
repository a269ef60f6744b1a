import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

test("the package can be imported by name, and lints a plan without printing", () => {
  const folder = mkdtempSync(join(tmpdir(), "stint-library-"));
  try {
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(resolve("."), join(folder, "node_modules", "stint"));
    cpSync("demo/plan", join(folder, "plans/invoices"), { recursive: true });
    const script = `
      import { lintPlan, parsePlan, readPlanFilesFromDisk } from "stint";
      const { plan, rules, problems } = parsePlan(readPlanFilesFromDisk(${JSON.stringify(folder)}, "invoices"), "invoices");
      const repoFiles = new Set();
      console.log(JSON.stringify({ tasks: plan.tasks.length, problems, lint: lintPlan({ plan, rules, repoFiles }).map(({ code }) => code) }));`;
    writeFileSync(join(folder, "use.mjs"), script);
    const printed = execFileSync(process.execPath, ["use.mjs"], { cwd: folder, encoding: "utf8" });
    const answer = JSON.parse(printed) as { tasks: number; problems: unknown[]; lint: string[] };
    expect(answer.tasks).toBe(7);
    expect(answer.problems).toEqual([]);
    // The demo's project is not there, so what its tasks modify is missing: lint really ran.
    expect(new Set(answer.lint)).toContain("missing-file");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("the package ships types for what it exports", () => {
  const folder = mkdtempSync(join(tmpdir(), "stint-types-"));
  try {
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(resolve("."), join(folder, "node_modules", "stint"));
    const options = {
      module: "nodenext",
      target: "es2023",
      strict: true,
      noEmit: true,
      types: [],
      skipLibCheck: false,
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files: ["use.mts"] }));
    const check = (source: string) => {
      writeFileSync(join(folder, "use.mts"), source);
      try {
        execFileSync(process.execPath, [resolve("node_modules/typescript/bin/tsc"), "-p", folder], {
          encoding: "utf8",
        });
        return "";
      } catch (error) {
        return (error as { stdout: string }).stdout;
      }
    };
    expect(
      check(
        'import { fold, type RunEvent } from "stint";\nexport const x: number = fold([] as RunEvent[])?.tasks.size ?? 0;\n',
      ),
    ).toBe("");
    const startsRun = `
      import { startRun, type RunEnd } from "stint";
      const started = await startRun({ cwd: ".", plan: "p", signal: new AbortController().signal });
      if (started.ok) for await (const event of started.value.events) if (event.type === "verdict") event.attempt.toFixed();
      export const code: number = started.ok ? (await started.value.ended satisfies RunEnd).exitCode : started.failure.exitCode;\n`;
    expect(check(startsRun)).toBe("");
    expect(check('import { fold } from "stint";\nexport const x: string = fold([]);\n')).toContain("TS2322");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
