import type { MappedLanguage } from "../../syntax/language.ts";
import { unreachable } from "../../base/result.ts";

/** Whether other files can use a definition; `before` is the text right before the signature. */
export type IsOpen = (defined: {
  readonly name: string;
  readonly signature: string;
  readonly before: string;
}) => boolean;

/** Chooses how a language marks what other files can use; where it has no mark, they can use everything. */
export function opennessIn(text: string, language: MappedLanguage): IsOpen {
  switch (language) {
    case "javascript":
    case "typescript":
    case "tsx":
      // A script without modules shares everything it defines.
      return /^export\b/m.test(text) ? ({ before }) => exported.test(before) : () => true;
    case "rust":
      return ({ signature }) => /^(?:pub\b|fn\b|macro_rules!)/.test(signature);
    case "cpp":
      return ({ signature }) => !/^static\b/.test(signature);
    case "java":
    case "c-sharp":
    case "php":
      return ({ signature }) => !/\bprivate\b/.test(signature);
    case "python":
    case "ruby":
    case "go":
      return ({ name }) => !name.startsWith("_");
    default:
      return unreachable(language);
  }
}

/** Matches an export, or an indented member. Names in `export { … }` are few and ignored. */
const exported = /\bexport\s+(?:default\s+|declare\s+)*(?:const\s+|let\s+|var\s+)?$|\n[ \t]+$/;
