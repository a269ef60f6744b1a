/** What a person may do with a draft. */
export type ReviewWord = "accept" | "revise" | "edit" | "show" | "reject";

/** The prompt when a person reviews a draft. */
export const reviewPrompt = "[a]ccept, [r]evise <request>, [e]dit <file>, [s]how <file>, re[j]ect: ";

const letters: ReadonlyMap<string, ReviewWord> = new Map([
  ["a", "accept"],
  ["r", "revise"],
  ["e", "edit"],
  ["s", "show"],
  ["j", "reject"],
]);

/** Splits a typed line into its command and the rest; undefined if it is no command. */
export function reviewWord(line: string): { readonly word: ReviewWord; readonly rest: string } | undefined {
  const [, typed = "", rest = ""] = /^(\S*)\s*(.*)$/s.exec(line) ?? [];
  const name = typed.toLowerCase();
  const word = letters.get(name) ?? [...letters.values()].find((one) => one === name);
  return word === undefined ? undefined : { word, rest: rest.trim() };
}

/** Finds a file of a draft by its name, or by the id of a task. */
export function fileMeant(files: readonly string[], name: string): string | undefined {
  return files.find((file) => [name, `${name}.md`, `tasks/${name}`, `tasks/${name}.md`].includes(file));
}
