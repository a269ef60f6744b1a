import type { Check } from "../../src/plan/types.ts";
import { unreachable } from "../../src/base/result.ts";
import type { Tree } from "./repository.ts";

/** What a check asks of one file: that it holds the text, or, where that is null, that it is not there. */
export interface Fact {
  readonly path: string;
  readonly text: string | null;
}

/** What a check asks; rooms know the commands `has <path> <text>` and `lacks <path>` and no other. */
export function factOf(check: Check): Fact | null {
  switch (check.kind) {
    case "run":
      return factOfCommand(check.run);
    case "exists":
      return { path: check.path, text: "" };
    case "absent":
      return { path: check.path, text: null };
    case "contains":
      return { path: check.path, text: check.text };
    case "judge":
      return null;
    default:
      return unreachable(check);
  }
}

export function isTrue({ path, text }: Fact, tree: Tree): boolean {
  return text === null ? !tree.has(path) : tree.get(path)?.includes(text) === true;
}

/** Whether a check is green on a tree; questions for a judge are not asked here. */
export function holds(check: Check, tree: Tree): boolean {
  const fact = factOf(check);
  return fact === null || isTrue(fact, tree);
}

/** As the real rooms say it. */
export function whyOf({ kind }: Check, isGreen: boolean): string {
  const words = {
    run: ["exit 0", "exit 1"],
    exists: ["exists", "does not exist"],
    absent: ["is absent", "exists"],
    contains: ["contains the text", "does not contain the text"],
    judge: ["", ""],
  } as const;
  return words[kind][isGreen ? 0 : 1];
}

function factOfCommand(command: string): Fact | null {
  const [program, path = "", ...words] = command.split(" ");
  if (program === "has") return { path, text: words.join(" ") };
  return program === "lacks" ? { path, text: null } : null;
}
