import * as fc from "fast-check";

/** Any text but NUL, which neither a command line nor a document can have. */
export const commands = fc
  .oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: "grapheme" }),
    fc.string({
      unit: fc.constantFrom(...Array.from("ab: #-[]{},&*!|>'\"%@`\n\t\r\\~?=<$(;)\u{85}\u{2028}\u{feff}0x1e9")),
    }),
    fc.constantFrom(
      "true",
      "null",
      "1",
      "~",
      "- a",
      "a: b",
      "a #b",
      "---",
      "yes",
      "0o7",
      "\u{e0041}",
      "<<",
      "=",
      "npm test",
    ),
  )
  .filter((text) => !text.includes("\0"));
