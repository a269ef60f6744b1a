/** Characters that a terminal obeys, hides, or draws like a plain space; text from elsewhere must not use them on our reader. */
const invisible =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}\u{1d159}\u{fff9}-\u{fffc}]|(?! )\p{Zs}/gu;

/** An emoji with its colour selector, as everybody types it; any other use of a selector can carry hidden text. */
const emojiSelector = /(?<=[\p{Extended_Pictographic}\d#*])\u{fe0f}(?![\u{fe00}-\u{fe0f}\u{e0100}-\u{e01ef}])/uy;

const named: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Makes text of repos and agents safe to print: what a reader cannot see, or a terminal would obey, becomes `\u{…}`. */
export function visible(text: string, options: { readonly multiline?: boolean } = {}): string {
  return text.replace(invisible, (char, offset: number) => {
    if (options.multiline === true && (char === "\n" || char === "\t")) return char;
    if (char === "\u{fe0f}" && isEmojiSelector(text, offset)) return char;
    return named[char] ?? `\\u{${char.codePointAt(0)!.toString(16)}}`;
  });
}

/**
 * Makes a line of output, evidence or prose safe to print, with tabs as spaces. What a person approves goes through
 * `visible`, which shows a tab as such: in a command, a path or a quote it may matter.
 */
export function visibleLine(text: string): string {
  return visible(text.replaceAll("\t", "    "));
}

/** Joins the lines of a text to one that people can read, for places that have one line. */
export function inOneLine(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "").join(" ⏎ ");
}

/** Writes JSON that a terminal cannot obey either; parsing it gives exactly the same value. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value).replace(invisible, (char) =>
    Array.from({ length: char.length }, (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, "0")}`).join(""),
  );
}

function isEmojiSelector(text: string, offset: number): boolean {
  emojiSelector.lastIndex = offset;
  return emojiSelector.test(text);
}

/** Returns the beginning of a text of any length. */
export function shortened(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : `${text.slice(0, charsMax)}…`;
}
