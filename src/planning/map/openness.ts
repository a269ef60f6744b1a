import type { MappedLanguage } from "../../syntax/language.ts";
import { unreachable } from "../../base/result.ts";

/** Whether other files can use what is defined so; `before` is what stands right before the signature. */
export type IsOpen = (defined: {
  readonly name: string;
  readonly signature: string;
  readonly before: string;
}) => boolean;

/** How a language, and this text in it, tells what is for others; where it does not tell, all is. */
export function opennessIn(text: string, language: MappedLanguage): IsOpen {
  switch (language) {
    case "javascript":
    case "typescript":
    case "tsx":
      // A script without modules shares all it has.
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

/** Or indented: a member of something. Names in `export { … }` are few, and stand elsewhere. */
const exported = /\bexport\s+(?:default\s+|declare\s+)*(?:const\s+|let\s+|var\s+)?$|\n[ \t]+$/;
