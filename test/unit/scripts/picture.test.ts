import { expect, test } from "vitest";
import { plainStyle, readAnsi } from "../../../scripts/picture/ansi.ts";
import { toSvg } from "../../../scripts/picture/svg.ts";

const esc = "\u{1b}";
const caption = { title: "stint run", description: "A run." };

/** What is drawn of a screen, without the frame around it. */
function drawn(screen: string): string[] {
  const lines = toSvg(screen, caption).trimEnd().split("\n");
  return lines.slice(lines.findIndex((line) => line.includes('text-anchor="middle"')) + 1, -1);
}

test("A screen becomes a picture with its frame, its title and its text, and nothing that is fetched or run.", () => {
  expect(toSvg("  done  now\n\n\n", { title: "a < b", description: 'Says "done".' })).toBe(
    [
      `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="76" viewBox="0 0 120 76" role="img" font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace" font-size="13">`,
      "<title>a &lt; b</title>",
      "<desc>Says &quot;done&quot;.</desc>",
      '<rect x="0.5" y="0.5" width="119" height="75" rx="8" fill="#161b22" stroke="#6e7681"/>',
      '<circle cx="20" cy="18" r="6" fill="#ff5f57"/>',
      '<circle cx="40" cy="18" r="6" fill="#febc2e"/>',
      '<circle cx="60" cy="18" r="6" fill="#28c840"/>',
      '<text x="60" y="22" fill="#b1bac4" text-anchor="middle">a &lt; b</text>',
      '<text x="32" y="57" textLength="32" lengthAdjust="spacingAndGlyphs" fill="#e6edf3">done</text>',
      '<text x="80" y="57" textLength="24" lengthAdjust="spacingAndGlyphs" fill="#e6edf3">now</text>',
      "</svg>",
      "",
    ].join("\n"),
  );
});

test("Colours by name, by number and by mixture, in front and behind, are drawn as they are meant.", () => {
  const codes = ["31", "92", "38;5;208", "38;5;244", "38;2;1;2;255", "38:5:4"];
  const fills = codes.map((code) => /fill="(#\w+)"/.exec(drawn(`${esc}[${code}mx`)[0] ?? "")?.[1]);
  expect(fills).toEqual(["#ff7b72", "#56d364", "#ff8700", "#808080", "#0102ff", "#58a6ff"]);
  expect(drawn(`${esc}[30;43mx${esc}[0m`)).toEqual([
    '<rect x="16" y="44" width="8" height="18" fill="#d29922"/>',
    '<text x="16" y="57" textLength="8" lengthAdjust="spacingAndGlyphs" fill="#484f58">x</text>',
  ]);
  expect(drawn(`${esc}[7mx`)).toEqual([
    '<rect x="16" y="44" width="8" height="18" fill="#e6edf3"/>',
    '<text x="16" y="57" textLength="8" lengthAdjust="spacingAndGlyphs" fill="#161b22">x</text>',
  ]);
});

test("Bold, dim, italic and underline hold until they are ended, also on the next line.", () => {
  const attributes = drawn(`${esc}[1;3;4mab\nc${esc}[22;23;24md${esc}[2me${esc}[0mf`).map((line) =>
    /fill="#e6edf3"(.*)>(\w+)</.exec(line)?.slice(1),
  );
  const strong = ' font-weight="bold" font-style="italic" text-decoration="underline"';
  expect(attributes).toEqual([
    [strong, "ab"],
    [strong, "c"],
    ["", "d"],
    [' fill-opacity="0.65"', "e"],
    ["", "f"],
  ]);
});

test("Characters that take two cells push the rest to its column, and marks that join take none.", () => {
  const places = drawn(`日本${esc}[1mx  e\u{301}${esc}[0my\n✅z`).map((line) =>
    /x="(\d+)".*textLength="(\d+)".*>(.+)</.exec(line)?.slice(1),
  );
  expect(places).toEqual([
    ["16", "32", "日本"],
    ["48", "8", "x"],
    ["72", "8", "e\u{301}"],
    ["80", "8", "y"],
    ["16", "24", "✅z"],
  ]);
});

test("Text of others cannot become markup, and sequences that are no style are dropped.", () => {
  const [line] = drawn(`<script>&"${esc}]8;;http://x.example\u{7}link${esc}]8;;\u{7}${esc}[?25l`);
  expect(line).toContain(">&lt;script&gt;&amp;&quot;<");
  expect(readAnsi(`${esc}]8;;http://x.example${esc}\\link${esc}[2K${esc}[?25l`)).toEqual([
    [{ text: "link", style: plainStyle }],
  ]);
});
