import { parse } from "yaml";
import { visible } from "../../base/visible.ts";

/** Writes a text as one line of YAML that means exactly that text, in a block and between braces alike. */
export function yamlText(text: string): string {
  return isPlain(text) ? text : quoted(text);
}

/** Writes a list of texts in one line. */
export function yamlList(texts: readonly string[]): string {
  return `[${texts.map(yamlText).join(", ")}]`;
}

/** Tells whether the text needs no quotes: it looks like nothing else, and the parser agrees. */
function isPlain(text: string): boolean {
  if (!/^[A-Za-z0-9./_(](?:[\w ./:=+&()$'"|;@~-]*[\w./)'"])?$/.test(text)) return false;
  try {
    const [block, flow] = [parse(`a: ${text} # b`) as unknown, parse(`[{ a: ${text}, b: c }]`) as unknown];
    return JSON.stringify([block, flow]) === JSON.stringify([{ a: text }, [{ a: text, b: "c" }]]);
  } catch {
    return false;
  }
}

/** Quotes as JSON does, which is valid YAML; invisible characters are written as numbers. */
function quoted(text: string): string {
  const characters = Array.from(JSON.stringify(text), (character) =>
    visible(character) === character ? character : byNumber(character),
  );
  return characters.join("");
}

function byNumber(character: string): string {
  const hex = character.codePointAt(0)!.toString(16);
  return hex.length <= 4 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}
