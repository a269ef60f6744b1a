import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { DraftDecision, Reviewed } from "../../planning/ports.ts";
import type { Project } from "../../project/project.ts";
import { setupOrigin } from "../../project/settings.ts";
import { rulesFile } from "../../plan/rules.ts";
import { visible } from "../../base/visible.ts";
import { unreachable } from "../../base/result.ts";
import { confirm, type Io, discardTyped, typedLine } from "../io.ts";
import { draftLines } from "../approval-page/draft.ts";
import { lay, lookOf } from "../text-layout.ts";
import { draftFiles, editFiles } from "./edit.ts";

/** What a person may do with a draft. */
type ReviewWord = "accept" | "revise" | "edit" | "show" | "reject";

/** Shows a draft and asks what to do with it; null if there is no person, or they left. */
export async function reviewDraft(io: Io, project: Project, shown: Reviewed): Promise<DraftDecision | null> {
  if (!io.interactive) return null;
  await discardTyped();
  const { file, at } = setupOrigin(project, new Map());
  const drawn = { ...shown, rules: textAt(join(project.repo.root, rulesFile)), setupPlace: `${file}:${at.line}` };
  for (const line of draftLines(drawn, lookOf(io))) io.err(line);
  if (shown.isLast) io.err(noneLeft);
  for (;;) {
    const line = await typedLine(reviewPrompt, io.signal);
    if (line === undefined) return null;
    const judged = await hear(io, shown, line);
    if (judged !== undefined) return judged;
  }
}

const reviewPrompt = "[a]ccept, [r]evise <request>, [e]dit <file>, [s]how <file>, re[j]ect: ";

const noneLeft =
  "This planning session has no agent sessions left to revise the draft. Accept it, edit it, or reject it.";

function textAt(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** Undefined if the draft is not decided on yet; then the person is asked again. */
async function hear(io: Io, shown: Reviewed, line: string): Promise<DraftDecision | undefined> {
  const typed = reviewWord(line);
  if (typed === undefined) {
    io.err("Type one of these letters. Ctrl-C leaves and keeps the draft.");
    return undefined;
  }
  switch (typed.word) {
    case "accept":
      return { word: "accept", words: "" };
    case "revise":
      if (!shown.isLast) return await revise(io, typed.rest);
      io.err(noneLeft);
      return undefined;
    case "edit":
      return await edit(io, shown, typed.rest);
    case "show":
      return show(io, shown, typed.rest);
    case "reject":
      return (await confirm("Reject it? The planning session ends, and no plan is written.", io.signal))
        ? { word: "reject", words: typed.rest }
        : undefined;
    default:
      return unreachable(typed.word);
  }
}

/** Splits a typed line into its command and the rest; undefined if it is no command. */
export function reviewWord(line: string): { readonly word: ReviewWord; readonly rest: string } | undefined {
  const [, typed = "", rest = ""] = /^(\S*)\s*(.*)$/s.exec(line) ?? [];
  const name = typed.toLowerCase();
  const word = letters.get(name) ?? [...letters.values()].find((one) => one === name);
  return word === undefined ? undefined : { word, rest: rest.trim() };
}

const letters: ReadonlyMap<string, ReviewWord> = new Map([
  ["a", "accept"],
  ["r", "revise"],
  ["e", "edit"],
  ["s", "show"],
  ["j", "reject"],
]);

async function revise(io: Io, typed: string): Promise<DraftDecision | undefined> {
  const words = typed === "" ? ((await typedLine("What should change? ", io.signal)) ?? "") : typed;
  return words === "" ? undefined : { word: "revise", words };
}

async function edit(io: Io, { folder }: Reviewed, typed: string): Promise<DraftDecision | undefined> {
  const names = namesMeant(io, folder, typed === "" ? "plan.md" : typed);
  if (names === undefined) return undefined;
  const edited = await editFiles(io, folder, names);
  if (edited.kind === "changed") return { word: "edit", words: edited.words };
  io.err(edited.why);
  return undefined;
}

function show(io: Io, { folder }: Reviewed, typed: string): undefined {
  const names = namesMeant(io, folder, typed);
  const files = draftFiles(folder);
  for (const name of names ?? []) {
    for (const line of lay(
      [
        { text: `${name}:`, style: "bold" },
        { indent: 2, label: "  | ", text: files.get(name) ?? "" },
      ],
      lookOf(io),
    ))
      io.err(line);
  }
}

/** Finds the files that were typed; if one is unknown, prints the list and returns undefined. */
function namesMeant(io: Io, folder: string, typed: string): readonly string[] | undefined {
  const files = [...draftFiles(folder).keys()];
  const meant = typed.split(/\s+/).map((name) => fileMeant(files, name));
  const known = meant.filter((name) => name !== undefined);
  if (known.length === meant.length) return known;
  io.err(visible(`No such file. The draft has: ${files.join(", ")}`));
  return undefined;
}

/** Finds a file of a draft by its name, or by the id of a task. */
export function fileMeant(files: readonly string[], name: string): string | undefined {
  return files.find((file) => [name, `${name}.md`, `tasks/${name}`, `tasks/${name}.md`].includes(file));
}
