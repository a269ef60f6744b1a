import { quoted, warningAt } from "../../problem.ts";
import { rulesFile } from "../../rules.ts";
import { decodeText } from "../../text.ts";
import type { Plan, PlanFiles, Position, Problem, Task } from "../../types.ts";
import { placeIn, proseOf } from "./prose.ts";

/** Plans name roles: a model is gone in a year, and which one a role has is a setting. */
export function adviseModels(plan: Plan, open: readonly Task[], files: PlanFiles): Problem[] {
  const documents = [plan.file, `${plan.dir}/scope.md`, rulesFile];
  return [
    ...named(plan.file, plan.title, plan.at(["title"])),
    ...named(plan.file, plan.goal, plan.at(["goal"])),
    ...documents.flatMap((file) => inProse(file, textOf(files, file))),
    // A plan of one file has its tasks, and their titles, in its own prose.
    ...open
      .filter(({ file }) => file !== plan.file)
      .flatMap((task) => [...named(task.file, task.title, task.at(["title"])), ...inProse(task.file, task.text)]),
  ];
}

function textOf(files: PlanFiles, path: string): string {
  const file = files.get(path);
  if (file === undefined || "unreadable" in file) return "";
  const decoded = decodeText(path, file.bytes);
  return "text" in decoded ? decoded.text : "";
}

function inProse(file: string, text: string): Problem[] {
  return proseOf(text).flatMap((line) => {
    const match = model.exec(line.words);
    return match === null ? [] : [warning(file, match[0], placeIn(line, match))];
  });
}

function named(file: string, text: string, at: Position): Problem[] {
  const match = model.exec(text);
  return match === null ? [] : [warning(file, match[0], at)];
}

function warning(file: string, name: string, at: Position): Problem {
  const message = `${quoted(name)} is the name of a model. Name the role instead (planner, executor, reviewer, judge, escalation); .stint/config.yaml sets its model. If the code itself is about that model, put its name in backticks.`;
  return warningAt(file, at, { code: "model-name", message });
}

/** The names are in pieces, because no source may name a model. */
const families = ["cl-aude", "gp-t", "gem-ini", "ll-ama", "mis-tral", "mix-tral", "qw-en", "deep-seek", "gr-ok"];
/** These are words of the language as well: a form of verse, a codec. */
const verses = ["op-us", "son-net", "hai-ku"];
const anyOf = (names: readonly string[]): string => `(?:${names.map((name) => name.replace("-", "")).join("|")})`;

/** A name alone may be an agent, a star sign or a verse; with a version, its maker or the word "model" it is a model. */
const model = new RegExp(
  [
    `\\b${anyOf(families)}[- ]?[vr]?\\d[\\w.:-]*\\w|\\b${anyOf(families)}[- ]?[vr]?\\d`,
    `\\b${anyOf(families)}[- ]${anyOf(verses)}\\b(?:[- ][\\d.]*\\d)?`,
    `\\b${anyOf(verses)}[- ]?[3-9](?:[.-]\\d+)?(?![\\w-])`,
    `\\b${anyOf([...families, ...verses])} models?\\b`,
    "\\bo[1-9]-(?:mini|preview|pro)\\b",
  ].join("|"),
  "i",
);
