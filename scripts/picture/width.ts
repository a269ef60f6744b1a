const joining = /[\p{Mn}\p{Me}\u{fe00}-\u{fe0f}]/u;
const wide =
  /[\u{1100}-\u{115f}\u{2e80}-\u{303e}\u{3041}-\u{a4c6}\u{ac00}-\u{d7a3}\u{f900}-\u{faff}\u{fe30}-\u{fe6b}\u{ff01}-\u{ff60}\u{ffe0}-\u{ffe6}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

/** How many cells of a terminal a text takes. */
export function widthOf(text: string): number {
  let cells = 0;
  for (const char of text) cells += joining.test(char) ? 0 : wide.test(char) ? 2 : 1;
  return cells;
}
