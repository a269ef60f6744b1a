import { expect } from "vitest";
import { loadConfig } from "../../src/config/load.ts";
import { parseRules, rulesFile } from "../../src/plan/rules.ts";
import { configText, rulesText } from "../../src/upkeep/init/compose.ts";
import { detect } from "../../src/upkeep/init/detect.ts";
import type { Survey } from "../../src/upkeep/init/survey.ts";

/** Makes a survey of these files. Everything is read, and all that set-up fills is ignored, unless a test says otherwise. */
export function survey(files: Readonly<Record<string, string>>, more: Partial<Survey> = {}): Survey {
  return {
    files: new Set(Object.keys(files)),
    texts: new Map(Object.entries(files)),
    unread: [],
    ignored: new Set(["node_modules", ".venv", "vendor", ".cargo-home", "api/.venv", "web/node_modules"]),
    hooks: { path: null, names: [] },
    ...more,
  };
}

/** Returns what Stint itself reads in the files that would be written. */
export function readBack(found: Survey) {
  const detected = detect(found);
  const config = loadConfig({
    project: { file: ".stint/config.yaml", bytes: Buffer.from(configText(detected, "claude")) },
  });
  const rules = parseRules(new Map([[rulesFile, { bytes: Buffer.from(rulesText(detected)) }]]));
  expect([...config.problems, ...rules.problems]).toEqual([]);
  return {
    setup: config.config.workspace.setup ?? null,
    inputs: config.config.workspace.setupInputs,
    checks: rules.rules.checks.map((check) =>
      check.kind === "run" ? `${check.cwd === "." ? "" : `${check.cwd}: `}${check.run}` : check.kind,
    ),
    protect: rules.rules.protect,
    notes: detected.notes,
    text: rulesText(detected),
  };
}

/** Writes a package.json. */
export const manifest = (value: object) => JSON.stringify(value);
